package find

import (
	"encoding/binary"
	"hash/crc32"
	"time"

	"dormouse/recall"
	"dormouse/transcript"
	"dormouse/trust"
)

// turn is what a person or an agent said in a session, without secrets.
type turn struct {
	line    int // of the log, 1-based
	when    time.Time
	role    transcript.Role
	session string
	text    string
}

// turnHead says of which log, and how much of it, the turns are.
type turnHead struct {
	by     [32]byte // what read it
	end    [32]byte // hash of the end of what was read
	look   look
	read   int64 // bytes
	lines  int64
	goesOn bool
}

// turnFile is what is kept of one session log: its turns, and their index. Logs
// only grow, so that of a longer one only the end has to be read.
//
//	magic, version, checksum of all up to the index
//	made by, hash of the end of what was read (32 bytes each)
//	look of the log, bytes read, lines read
//	number of turns, bytes of strings, whether it can be continued
//	turns, strings, index
type turnFile struct {
	turnHead
	rows []byte // turnSize bytes each
	strs []byte
	idx  *recall.Index
}

const (
	turnMagic    = "dormouse turns\x00\x00"
	turnVersion  = 1
	turnHeadSize = len(turnMagic) + 4 + 4 + 32 + 32 + 6*8 + 3*4
	turnSize     = 8 + 6*4
)

// Places of the fields of a turn.
const (
	atWhen       = 0
	atLine       = 8
	atSession    = 12
	atSessionLen = 16
	atText       = 20
	atTextLen    = 24
	atRole       = 28
)

// writeTurns are head, turns and index as bytes.
func writeTurns(h *turnHead, turns []turn, idx *recall.Index) []byte {
	le := binary.LittleEndian
	out := append([]byte(turnMagic), make([]byte, 8)...)
	out = append(append(out, h.by[:]...), h.end[:]...)
	for _, n := range []int64{h.look.size, h.look.mod, h.look.change, int64(h.look.inode), h.read, h.lines} {
		out = le.AppendUint64(out, uint64(n))
	}
	var rows, strs []byte
	sessions := map[string]int{} // where each stands
	for i := range turns {
		t := &turns[i]
		at, ok := sessions[t.session]
		if !ok {
			at = len(strs)
			sessions[t.session] = at
			strs = append(strs, t.session...)
		}
		role := 0
		if t.role == transcript.Assistant {
			role = 1
		}
		rows = le.AppendUint64(rows, uint64(t.when.UnixNano()))
		for _, n := range []int{t.line, at, len(t.session), len(strs), len(t.text), role} {
			rows = le.AppendUint32(rows, uint32(n))
		}
		strs = append(strs, t.text...)
	}
	whole := 0
	if h.goesOn {
		whole = 1
	}
	for _, n := range []int{len(turns), len(strs), whole} {
		out = le.AppendUint32(out, uint32(n))
	}
	out = append(append(out, rows...), strs...)
	le.PutUint32(out[len(turnMagic):], turnVersion)
	le.PutUint32(out[len(turnMagic)+4:], crc32.Checksum(out[len(turnMagic)+8:], crc32.MakeTable(crc32.Castagnoli)))
	return append(out, idx.Bytes()...)
}

// readTurns reads what writeTurns wrote, in place.
func readTurns(b []byte) (*turnFile, error) {
	le := binary.LittleEndian
	if len(b) < turnHeadSize || string(b[:len(turnMagic)]) != turnMagic || le.Uint32(b[len(turnMagic):]) != turnVersion {
		return nil, errTable
	}
	f := &turnFile{}
	at := len(turnMagic) + 8
	at += copy(f.by[:], b[at:])
	at += copy(f.end[:], b[at:])
	num := func(i int) int64 { return int64(le.Uint64(b[at+8*i:])) }
	f.look = look{num(0), num(1), num(2), uint64(num(3))}
	f.read, f.lines = num(4), num(5)
	at += 6 * 8
	n, size := uint64(le.Uint32(b[at:])), uint64(le.Uint32(b[at+4:]))
	f.goesOn = le.Uint32(b[at+8:]) == 1
	from, to := uint64(turnHeadSize)+n*turnSize, uint64(turnHeadSize)+n*turnSize+size
	if to > uint64(len(b)) || crc32.Checksum(b[len(turnMagic)+8:to], crc32.MakeTable(crc32.Castagnoli)) != le.Uint32(b[len(turnMagic)+4:]) {
		return nil, errTable
	}
	f.rows, f.strs = b[turnHeadSize:from], b[from:to]
	for r := f.rows; len(r) > 0; r = r[turnSize:] {
		for _, place := range []int{atSession, atText} {
			if uint64(le.Uint32(r[place:]))+uint64(le.Uint32(r[place+4:])) > size {
				return nil, errTable
			}
		}
	}
	idx, err := recall.Load(b[to:])
	if err != nil {
		return nil, err
	}
	f.idx = idx
	return f, nil
}

func (f *turnFile) len() int { return len(f.rows) / turnSize }

// turn takes one out; its strings are copies.
func (f *turnFile) turn(i int) turn {
	r, le := f.rows[i*turnSize:], binary.LittleEndian
	str := func(place int) string {
		from := le.Uint32(r[place:])
		return string(f.strs[from : from+le.Uint32(r[place+4:])])
	}
	t := turn{when: time.Unix(0, int64(le.Uint64(r[atWhen:]))).UTC(), line: int(le.Uint32(r[atLine:])), role: transcript.User, session: str(atSession), text: str(atText)}
	if le.Uint32(r[atRole:]) == 1 {
		t.role = transcript.Assistant
	}
	return t
}

// originOf is what a turn is worth: what tools gave is not among them.
func originOf(r transcript.Role) trust.Origin {
	if r == transcript.User {
		return trust.UserTurn
	}
	return trust.Agent
}
