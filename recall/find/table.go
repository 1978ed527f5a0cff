package find

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"dormouse/trust"
)

// A table says of every note of a store how its file looked when it was read,
// what it held, how it was judged, and which document of which segment it is. It
// is read in place: with ten thousand notes, taking it apart would cost more than
// looking at all the files.
//
//	magic, version, checksum of all that follows
//	made by, journal (32 bytes each: hashes), change time of the newest rows
//	number of segments, folders, rows, bytes of strings
//	segments, folders, rows, strings
type table struct {
	by      [32]byte // the program and the settings that judged
	journal [32]byte // the journal by which it was judged
	recent  int64    // the newest rows changed at this time or later; nanoseconds
	segs    []segRef
	dirs    []dirRow
	rows    []byte // rowSize bytes each, by folder, then by name
	strs    []byte
	raw     []byte // all of it
}

const (
	tableMagic = "dormouse recall\x00"
	headSize   = len(tableMagic) + 4 + 4 + 32 + 32 + 8 + 4*4
	segSize    = 16
	dirSize    = 48
	rowSize    = 96
	version    = 1
	none       = math.MaxUint32
)

// segRef names a segment: one index of documents that never changes.
type segRef struct {
	id   uint64
	docs uint32
}

// look is how a file or a folder looks without opening it. The zero look is
// that of nothing.
type look struct {
	size, mod, change int64 // bytes; nanoseconds
	inode             uint64
}

// unsure is the look of a file that has to be read again: no file has it.
func (l look) unsure() look {
	l.size = -1
	return l
}

// dirRow is one folder of the store.
type dirRow struct {
	rel      string // "" for the store's own, else ending in a slash
	look     look
	from, to int // its rows
}

// row is one note, taken out of the table.
type row struct {
	rel  string
	look look
	hash [32]byte
	// A note without a document (seg none) can be found by nothing: a page of the
	// index, or one that can't be read, see unread.
	seg, doc uint32
	judged
	unread   bool
	standing bool
}

// judged is what trust says of a note.
type judged struct {
	origin   trust.Origin
	loads    bool
	approved bool
	rejected bool
	reasons  []trust.Reason
}

const (
	flagLoads = 1 << iota
	flagApproved
	flagRejected
	flagUnread
	flagStanding
)

const originCount = 8

// origins are those that a byte stands for.
func origins() [originCount]trust.Origin {
	return [...]trust.Origin{trust.Outside, trust.Sync, trust.Import, trust.Web, trust.Tool, trust.Agent, trust.UserTurn, trust.Human}
}

func originByte(o trust.Origin) byte {
	for i, known := range origins() {
		if o == known {
			return byte(i)
		}
	}
	return 0
}

var errTable = errors.New("this is no table of notes, or it is damaged")

// Places of the fields of a row.
const (
	atName    = 0  // of the path in the strings; a zero byte ends it
	atNameLen = 4  // in bytes
	atBase    = 8  // where the file's own name begins in it
	atFlags   = 12 // one byte
	atOrigin  = 13 // one byte
	atSize    = 16
	atMod     = 24
	atChange  = 32
	atInode   = 40
	atSeg     = 48
	atDoc     = 52
	atReasons = 56
	atReasLen = 60
	atHash    = 64
)

// readTable reads a table in place; b must not change. What is not whole and
// sound is an error.
func readTable(b []byte) (*table, error) {
	if len(b) < headSize || string(b[:len(tableMagic)]) != tableMagic {
		return nil, errTable
	}
	le := binary.LittleEndian
	at := len(tableMagic)
	if le.Uint32(b[at:]) != version || le.Uint32(b[at+4:]) != crc32.Checksum(b[at+8:], crc32.MakeTable(crc32.Castagnoli)) {
		return nil, errTable
	}
	t := &table{raw: b}
	at += 8
	at += copy(t.by[:], b[at:])
	at += copy(t.journal[:], b[at:])
	t.recent = int64(le.Uint64(b[at:]))
	at += 8
	num := func(i int) uint64 { return uint64(le.Uint32(b[at+4*i:])) }
	rest := b[headSize:]
	if uint64(len(rest)) != num(0)*segSize+num(1)*dirSize+num(2)*rowSize+num(3) {
		return nil, errTable
	}
	segs, dirs, rows := int(num(0)), int(num(1)), int(num(2)) // no more than there are bytes
	for range segs {
		t.segs = append(t.segs, segRef{le.Uint64(rest), le.Uint32(rest[8:])})
		rest = rest[segSize:]
	}
	dirBytes := rest[:dirs*dirSize]
	t.rows = rest[dirs*dirSize : dirs*dirSize+rows*rowSize]
	t.strs = rest[dirs*dirSize+rows*rowSize:]
	if !t.readDirs(dirBytes) || !t.sound() {
		return nil, errTable
	}
	return t, nil
}

func (t *table) readDirs(b []byte) bool {
	le, last := binary.LittleEndian, 0
	for ; len(b) > 0; b = b[dirSize:] {
		name, ok := t.str(le.Uint32(b), le.Uint32(b[4:]))
		d := dirRow{
			rel:  string(name),
			look: look{0, int64(le.Uint64(b[8:])), int64(le.Uint64(b[16:])), le.Uint64(b[24:])},
			from: int(le.Uint32(b[32:])), to: int(le.Uint32(b[36:])),
		}
		if !ok || d.from != last || d.to < d.from || d.to > t.len() || d.rel != "" && !strings.HasSuffix(d.rel, "/") {
			return false
		}
		last = d.to
		t.dirs = append(t.dirs, d)
	}
	return last == t.len() && (len(t.dirs) > 0 || t.len() == 0)
}

// sound checks that whatever a row points to is there.
func (t *table) sound() bool {
	le := binary.LittleEndian
	for d := range t.dirs {
		for i := t.dirs[d].from; i < t.dirs[d].to; i++ {
			r := t.rows[i*rowSize : (i+1)*rowSize]
			from, n, base := uint64(le.Uint32(r[atName:])), uint64(le.Uint32(r[atNameLen:])), uint64(le.Uint32(r[atBase:]))
			if from+n+1 > uint64(len(t.strs)) || t.strs[from+n] != 0 || base >= n || base != uint64(len(t.dirs[d].rel)) {
				return false
			}
			if seg := le.Uint32(r[atSeg:]); seg != none && (uint64(seg) >= uint64(len(t.segs)) || le.Uint32(r[atDoc:]) >= t.segs[seg].docs) {
				return false
			}
			if _, ok := t.str(le.Uint32(r[atReasons:]), le.Uint32(r[atReasLen:])); !ok || r[atOrigin] >= originCount {
				return false
			}
		}
	}
	return true
}

func (t *table) str(from, n uint32) ([]byte, bool) {
	if uint64(from)+uint64(n) > uint64(len(t.strs)) {
		return nil, false
	}
	return t.strs[from : uint64(from)+uint64(n)], true
}

// len is the number of rows.
func (t *table) len() int { return len(t.rows) / rowSize }

// path is the path of a row, in place.
func (t *table) path(i int) []byte {
	r := t.rows[i*rowSize:]
	from := binary.LittleEndian.Uint32(r[atName:])
	return t.strs[from : from+binary.LittleEndian.Uint32(r[atNameLen:])]
}

// name is the file's own name with the zero byte that ends it, in place.
func (t *table) name(i int) []byte {
	r, le := t.rows[i*rowSize:], binary.LittleEndian
	from := le.Uint32(r[atName:])
	return t.strs[from+le.Uint32(r[atBase:]) : from+le.Uint32(r[atNameLen:])+1]
}

func (t *table) lookOf(i int) look {
	r, le := t.rows[i*rowSize:], binary.LittleEndian
	return look{int64(le.Uint64(r[atSize:])), int64(le.Uint64(r[atMod:])), int64(le.Uint64(r[atChange:])), le.Uint64(r[atInode:])}
}

// old reports whether a note is sure, and is none of the newest.
func (t *table) old(i int) bool {
	l := t.lookOf(i)
	return l.size >= 0 && l.mod < t.recent && l.change < t.recent
}

// place is the document of a row; seg is none where it has none.
func (t *table) place(i int) (seg, doc uint32) {
	r, le := t.rows[i*rowSize:], binary.LittleEndian
	return le.Uint32(r[atSeg:]), le.Uint32(r[atDoc:])
}

func (t *table) flags(i int) byte { return t.rows[i*rowSize+atFlags] }

// row takes a row out of the table.
func (t *table) row(i int) row {
	r, le := t.rows[i*rowSize:], binary.LittleEndian
	f := t.flags(i)
	out := row{
		rel: string(t.path(i)), look: t.lookOf(i), unread: f&flagUnread != 0, standing: f&flagStanding != 0,
		judged: judged{origin: origins()[r[atOrigin]], loads: f&flagLoads != 0, approved: f&flagApproved != 0, rejected: f&flagRejected != 0},
	}
	out.seg, out.doc = t.place(i)
	copy(out.hash[:], r[atHash:])
	words, _ := t.str(le.Uint32(r[atReasons:]), le.Uint32(r[atReasLen:]))
	out.reasons = unpackReasons(string(words))
	return out
}

// find is the number of a path's row.
func (t *table) find(rel string) (int, bool) {
	dir, _ := path.Split(rel)
	d := slices.IndexFunc(t.dirs, func(d dirRow) bool { return d.rel == dir })
	if d < 0 {
		return 0, false
	}
	from, to := t.dirs[d].from, t.dirs[d].to
	for from < to {
		mid := int(uint(from+to) >> 1)
		switch c := bytes.Compare(t.path(mid), []byte(rel)); {
		case c == 0:
			return mid, true
		case c < 0:
			from = mid + 1
		default:
			to = mid
		}
	}
	return 0, false
}

// writeTable is the table as bytes. Rows and folders may be in any order; a row
// of no folder is left out.
func writeTable(by, journal [32]byte, segs []segRef, dirs []dirRow, rows []row) []byte {
	slices.SortFunc(dirs, func(a, b dirRow) int { return strings.Compare(a.rel, b.rel) })
	byDir, names := map[string][]int{}, 0 // numbers of rows
	for i := range rows {
		dir := rows[i].rel[:strings.LastIndexByte(rows[i].rel, '/')+1]
		byDir[dir] = append(byDir[dir], i)
		names += len(rows[i].rel) + 1
	}
	le := binary.LittleEndian
	dirBytes, rowBytes, strs := []byte{}, make([]byte, 0, len(rows)*rowSize), make([]byte, 0, names+names/8)
	n := 0
	for _, d := range dirs {
		list := byDir[d.rel]
		slices.SortFunc(list, func(a, b int) int { return strings.Compare(rows[a].rel, rows[b].rel) })
		dirBytes = le.AppendUint32(le.AppendUint32(dirBytes, uint32(len(strs))), uint32(len(d.rel)))
		strs = append(strs, d.rel...)
		dirBytes = le.AppendUint64(le.AppendUint64(le.AppendUint64(dirBytes, uint64(d.look.mod)), uint64(d.look.change)), d.look.inode)
		dirBytes = le.AppendUint32(le.AppendUint32(dirBytes, uint32(n)), uint32(n+len(list)))
		dirBytes = le.AppendUint64(dirBytes, 0)
		for _, i := range list {
			rowBytes, strs = appendRow(rowBytes, strs, &rows[i], len(d.rel))
		}
		n += len(list)
	}
	out := make([]byte, 0, headSize+len(segs)*segSize+len(dirBytes)+len(rowBytes)+len(strs))
	out = append(append(out, tableMagic...), 0, 0, 0, 0, 0, 0, 0, 0)
	out = append(append(out, by[:]...), journal[:]...)
	out = le.AppendUint64(out, uint64(recentOf(rows)))
	for _, n := range []int{len(segs), len(dirs), n, len(strs)} {
		out = le.AppendUint32(out, uint32(n))
	}
	for _, s := range segs {
		out = le.AppendUint32(le.AppendUint32(le.AppendUint64(out, s.id), s.docs), 0)
	}
	out = append(append(append(out, dirBytes...), rowBytes...), strs...)
	seal(out)
	return out
}

// seal writes version and checksum.
func seal(b []byte) {
	at, le := len(tableMagic), binary.LittleEndian
	le.PutUint32(b[at:], version)
	le.PutUint32(b[at+4:], crc32.Checksum(b[at+8:], crc32.MakeTable(crc32.Castagnoli)))
}

// bytes is a table that was just made, with the names that its segments have by
// now.
func (t *table) bytes() []byte {
	for i, ref := range t.segs {
		binary.LittleEndian.PutUint64(t.raw[headSize+i*segSize:], ref.id)
	}
	seal(t.raw)
	return t.raw
}

// manyRecent is how many of the newest notes are looked at in every case.
const manyRecent = 256

// recentOf is when the newest rows changed.
func recentOf(rows []row) int64 {
	if len(rows) <= manyRecent {
		return 0
	}
	times := make([]int64, len(rows))
	for i := range rows {
		times[i] = max(rows[i].look.mod, rows[i].look.change)
	}
	slices.Sort(times)
	return times[len(times)-manyRecent]
}

func appendRow(b, strs []byte, r *row, base int) (rows, strings []byte) {
	le := binary.LittleEndian
	b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, uint32(len(strs))), uint32(len(r.rel))), uint32(base))
	strs = append(append(strs, r.rel...), 0)
	var flags byte
	for _, f := range [...]struct {
		bit byte
		on  bool
	}{{flagLoads, r.loads}, {flagApproved, r.approved}, {flagRejected, r.rejected}, {flagUnread, r.unread}, {flagStanding, r.standing}} {
		if f.on {
			flags |= f.bit
		}
	}
	b = append(b, flags, originByte(r.origin), 0, 0)
	for _, n := range [...]uint64{uint64(r.look.size), uint64(r.look.mod), uint64(r.look.change), r.look.inode} {
		b = le.AppendUint64(b, n)
	}
	reasons := packReasons(r.reasons)
	for _, n := range [...]uint32{r.seg, r.doc, uint32(len(strs)), uint32(len(reasons))} {
		b = le.AppendUint32(b, n)
	}
	return append(b, r.hash[:]...), append(strs, reasons...)
}

// The reasons of a verdict as one string: fixed words of ours, without a control
// character.
const (
	unitEnd   = "\x1f"
	recordEnd = "\x1e"
)

func packReasons(list []trust.Reason) string {
	var b strings.Builder
	for _, r := range list {
		b.WriteString(string(r.ID) + unitEnd + r.Words + unitEnd + strconv.Itoa(r.Line) + recordEnd)
	}
	return b.String()
}

func unpackReasons(s string) []trust.Reason {
	var out []trust.Reason
	for s != "" {
		one, rest, _ := strings.Cut(s, recordEnd)
		s = rest
		if f := strings.Split(one, unitEnd); len(f) == 3 {
			line, _ := strconv.Atoi(f[2])
			out = append(out, trust.Reason{ID: trust.ReasonID(f[0]), Words: f[1], Line: line})
		}
	}
	return out
}
