package evidence

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"
)

// seen is where a word was found.
type seen uint32

const (
	inProse seen = 1 << iota // in documents only
	inCode
	inNotes // in an agent's own notes
)

// wordSet is the identifiers and hosts that are looked for. It is read by several
// goroutines, which only set bits of found.
type wordSet struct {
	index map[string]int
	found []atomic.Uint32
	short uint64       // lengths that occur, up to 63
	first [256]bool    // first bytes that occur
	left  atomic.Int64 // words not yet found in code
}

func newWordSet(words []string) *wordSet {
	w := &wordSet{index: make(map[string]int, len(words)), found: make([]atomic.Uint32, len(words))}
	for i, s := range words {
		w.index[s] = i
		w.short |= 1 << min(len(s), 63)
		w.first[s[0]] = true
	}
	w.left.Store(int64(len(words)))
	return w
}

func (w *wordSet) mark(i int, s seen) {
	old := w.found[i].Load()
	if old&uint32(s) != 0 {
		return
	}
	old = w.found[i].Or(uint32(s))
	if s == inCode && old&uint32(inCode) == 0 {
		w.left.Add(-1)
	}
}

func (w *wordSet) has(word string, s seen) bool {
	i, ok := w.index[word]
	return ok && w.found[i].Load()&uint32(s) != 0
}

// identifiers calls hit for each identifier of b that is in the set.
func (w *wordSet) identifiers(b []byte, hit func(i, at, n int)) {
	for i := 0; i < len(b); {
		if class[b[i]] == 0 {
			i++
			continue
		}
		start := i
		for i < len(b) && class[b[i]] != 0 {
			i++
		}
		n := i - start
		if !w.first[b[start]] || w.short&(1<<min(n, 63)) == 0 {
			continue
		}
		if k, ok := w.index[string(b[start:i])]; ok {
			hit(k, start, n)
		}
	}
}

// class tells the bytes of identifiers: those of identByte and of other scripts.
var class = [256]uint8{
	'0': 1, '1': 1, '2': 1, '3': 1, '4': 1, '5': 1, '6': 1, '7': 1, '8': 1, '9': 1, '_': 1,
	'a': 1, 'b': 1, 'c': 1, 'd': 1, 'e': 1, 'f': 1, 'g': 1, 'h': 1, 'i': 1, 'j': 1, 'k': 1, 'l': 1, 'm': 1,
	'n': 1, 'o': 1, 'p': 1, 'q': 1, 'r': 1, 's': 1, 't': 1, 'u': 1, 'v': 1, 'w': 1, 'x': 1, 'y': 1, 'z': 1,
	'A': 1, 'B': 1, 'C': 1, 'D': 1, 'E': 1, 'F': 1, 'G': 1, 'H': 1, 'I': 1, 'J': 1, 'K': 1, 'L': 1, 'M': 1,
	'N': 1, 'O': 1, 'P': 1, 'Q': 1, 'R': 1, 'S': 1, 'T': 1, 'U': 1, 'V': 1, 'W': 1, 'X': 1, 'Y': 1, 'Z': 1,
}

// hostNames calls hit for each host of b that is in the set, in whatever case.
func (w *wordSet) hostNames(b []byte, hit func(i, at, n int)) {
	for i := 0; i < len(b); {
		dot := bytes.IndexByte(b[i:], '.')
		if dot < 0 {
			return
		}
		start, end := i+dot, i+dot+1
		for start > i && hostByte(b[start-1]) {
			start--
		}
		for end < len(b) && hostByte(b[end]) {
			end++
		}
		i = end
		word := bytes.Trim(b[start:end], ".-")
		if len(word) == 0 || len(word) > 253 {
			continue
		}
		if k, ok := w.index[string(word)]; ok {
			hit(k, start, len(word))
		} else if k, ok := w.index[strings.ToLower(string(word))]; ok {
			hit(k, start, len(word))
		}
	}
}

func hostByte(c byte) bool { return class[c] != 0 && c != '_' || c == '.' || c == '-' }

// scanLimits of the pass over the tree's files.
const (
	maxSource   = 1 << 20 // bytes past which a file is not read
	maxHead     = 8000    // bytes in which a NUL makes a file binary, as git has it
	scanWorkers = 2
)

// scanTree reads the text files of the tree in that order, for symbols and hosts
// together, and stops as soon as all is found in code.
func (k *check) scanTree(ctx context.Context, order []int32, symbols, hosts *wordSet) {
	t := k.tree
	if symbols.left.Load()+hosts.left.Load() <= 0 {
		return
	}
	t.visit(ctx, order, maxSource+1, func(d *folders, buf []byte, i int32) bool {
		if symbols.left.Load()+hosts.left.Load() <= 0 {
			return false
		}
		e := &t.entries[i]
		if e.dir || e.link || e.sparse || e.there != notLooked || binaryName(e.path) {
			return true
		}
		n, there, ok := d.read(e.path, buf)
		e.there = isGone
		if there {
			e.there = isThere
		}
		if !ok || n > maxSource || bytes.IndexByte(buf[:min(n, maxHead)], 0) >= 0 {
			return true
		}
		where := inCode
		switch {
		case memoryFile(e.path):
			where = inNotes
		case prose(e.path):
			where = inProse
		}
		if len(symbols.index) > 0 {
			symbols.identifiers(buf[:n], func(i, _, _ int) { symbols.mark(i, where) })
		}
		if len(hosts.index) > 0 {
			hosts.hostNames(buf[:n], func(i, _, _ int) { hosts.mark(i, where) })
		}
		return true
	})
}

// binaryName saves opening what is no text.
func binaryName(name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return false
	}
	switch name[i:] {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".pdf", ".zip", ".gz", ".tgz", ".xz", ".zst", ".7z", ".jar", ".exe", ".dll", ".so", ".dylib", ".a", ".o", ".wasm", ".woff", ".woff2",
		".ttf", ".otf", ".mp3", ".mp4", ".mov", ".avi", ".sqlite", ".db", ".bin", ".pyc", ".class":
		return true
	}
	return false
}

// parts are the identifiers of a symbol that must be there: its last one, and
// those before it that look like types.
func parts(symbol string) []string {
	var out []string
	all := strings.FieldsFunc(symbol, func(r rune) bool { return r >= 0x80 || !identByte(byte(r)) })
	for i, p := range all {
		if len(p) > 1 && (i == len(all)-1 || p[0] >= 'A' && p[0] <= 'Z') {
			out = append(out, p)
		}
	}
	return out
}

// wanted is the identifiers and hosts that are asked for.
type wanted struct {
	names, hostNames []string
	symbols, hosts   *wordSet
}

func wordsOf(symbols, hosts map[string]verdict) *wanted {
	w := &wanted{}
	taken := make(map[string]bool, len(symbols))
	for text := range symbols {
		for _, p := range parts(text) {
			if !taken[p] {
				taken[p] = true
				w.names = append(w.names, p)
			}
		}
	}
	for h := range hosts {
		w.hostNames = append(w.hostNames, h)
	}
	w.symbols, w.hosts = newWordSet(w.names), newWordSet(w.hostNames)
	return w
}

// open reports whether something is not found in code yet.
func (w *wanted) open() bool { return w.symbols.left.Load()+w.hosts.left.Load() > 0 }

// judgeWords decides on symbols and hosts when all files are read.
func (k *check) judgeWords(ctx context.Context, w *wanted, symbols, hosts map[string]verdict) error {
	if len(symbols)+len(hosts) == 0 {
		return nil
	}
	names, hostNames, sset, hset := w.names, w.hostNames, w.symbols, w.hosts
	gone := &wordHistory{symbols: map[string]ending{}, hosts: map[string]ending{}}
	for _, n := range names {
		if !sset.has(n, inCode) {
			gone.symbols[n] = ending{}
		}
	}
	for _, h := range hostNames {
		if !hset.has(h, inCode) && !hset.has(h, inProse) {
			gone.hosts[strings.ToLower(h)] = ending{}
		}
	}
	if err := k.readWordHistory(ctx, gone); err != nil {
		return err
	}
	for text := range symbols {
		symbols[text] = gone.symbol(k, text, sset)
	}
	for text := range hosts {
		if _, missing := gone.hosts[strings.ToLower(text)]; !missing {
			hosts[text] = present()
			continue
		}
		hosts[text] = gone.host(k, text)
	}
	return nil
}

// ending is the commit that took a word away.
type ending struct {
	by        commit
	found     bool
	elsewhere bool
	now       string // the host in its place
}

// wordHistory is what the history says of words that are missing.
type wordHistory struct {
	symbols, hosts map[string]ending
	cut            bool
	why            string
}

func (h *wordHistory) symbol(k *check, text string, set *wordSet) verdict {
	elsewhere, missing := false, false
	for _, p := range parts(text) {
		e, gone := h.symbols[p]
		switch {
		case !gone:
		case e.found:
			why, stamp := e.by.says("removed")
			if p != text {
				why = p + " was " + why
			}
			return verdict{state: Gone, why: why, stamp: stamp}
		case set.has(p, inProse) && !e.elsewhere:
		default:
			missing, elsewhere = true, elsewhere || e.elsewhere
		}
	}
	switch {
	case !missing:
		return present()
	case elsewhere:
		return verdict{state: Elsewhere, why: "only on another branch"}
	}
	return unknown(h.reason(k, "in no text file of the repository, and no commit is known that removed it"))
}

func (h *wordHistory) host(k *check, text string) verdict {
	e := h.hosts[strings.ToLower(text)]
	if !e.found {
		return unknown(h.reason(k, "the repository never named it"))
	}
	if e.now != "" {
		why, stamp := e.by.says("changed to " + e.now)
		return verdict{state: Differs, now: e.now, why: why, stamp: stamp}
	}
	why, stamp := e.by.says("removed")
	return verdict{state: Gone, why: why, stamp: stamp}
}

func (h *wordHistory) reason(k *check, plain string) string {
	switch {
	case k.git == nil || k.git.head == "":
		return k.noHistory()
	case h.why != "":
		return h.why
	case k.git.shallow:
		return "not in the tree; the clone is shallow, so its history can't tell"
	case h.cut:
		return "not in the tree, and the history is too long to be read to its end"
	}
	return plain
}

// readWordHistory goes through the removed lines of the history once, for all
// missing words together, and through what other branches added.
func (k *check) readWordHistory(ctx context.Context, h *wordHistory) error {
	if len(h.symbols)+len(h.hosts) == 0 || k.git == nil || k.git.head == "" {
		return nil
	}
	names := make([]string, 0, len(h.symbols))
	for s := range h.symbols {
		names = append(names, s)
	}
	hosts := make([]string, 0, len(h.hosts))
	for s := range h.hosts {
		hosts = append(hosts, s)
	}
	w := &wordHunt{h: h, names: names, hostNames: hosts, symbols: newWordSet(names), hosts: newWordSet(hosts), open: len(names) + len(hosts)}
	full, err := k.git.diffLog(ctx, w.removed, []string{"--diff-filter=DMT", "HEAD"})
	if err != nil {
		h.why = refusal(err)
		return ctx.Err()
	}
	w.settle()
	h.cut = !full
	if w.open > 0 {
		_, err = k.git.diffLog(ctx, w.elsewhere, []string{"--diff-filter=AM", "--branches", "--remotes", "--not", "HEAD"})
	}
	if err != nil {
		return ctx.Err()
	}
	return nil
}

// wordHunt looks for words in changed lines.
type wordHunt struct {
	h                *wordHistory
	names, hostNames []string
	symbols, hosts   *wordSet
	open             int

	// A host that went in a hunk may have its successor in the lines added there.
	lost     string
	lostLine []byte
	lostIn   string
}

func (w *wordHunt) removed(d *diffLine) error {
	if d.added {
		w.successor(d)
		return nil
	}
	if w.open == 0 && w.lost == "" {
		return errEnough
	}
	if len(w.h.symbols) > 0 && !prose(d.file) {
		w.symbols.identifiers(d.text, func(i, at, n int) {
			if e := w.h.symbols[w.names[i]]; !e.found && defines(d.text, at, n) {
				w.h.symbols[w.names[i]] = ending{by: d.commit, found: true}
				w.open--
			}
		})
	}
	if len(w.h.hosts) > 0 && !memoryFile(d.file) {
		w.hosts.hostNames(d.text, func(i, at, n int) {
			if e := w.h.hosts[w.hostNames[i]]; !e.found {
				w.h.hosts[w.hostNames[i]] = ending{by: d.commit, found: true}
				w.open--
				w.lost, w.lostIn = w.hostNames[i], d.file
				w.lostLine = append(w.lostLine[:0], d.text[:at]...)
			}
		})
	}
	return nil
}

// successor looks whether an added line is the one from which a host went, with
// another host in its place.
func (w *wordHunt) successor(d *diffLine) {
	if w.lost == "" {
		return
	}
	e := w.h.hosts[w.lost]
	if d.file != w.lostIn || d.commit != e.by {
		w.lost = ""
		return
	}
	rest, ok := bytes.CutPrefix(d.text, w.lostLine)
	if !ok {
		return
	}
	n := hostLen(string(rest[:min(len(rest), 300)]))
	if host := string(rest[:n]); n > 0 && strings.IndexByte(host, '.') > 0 && !strings.EqualFold(host, w.lost) {
		e.now = host
		w.h.hosts[w.lost] = e
		w.lost = ""
	}
}

// settle ends the search for a successor.
func (w *wordHunt) settle() { w.lost = "" }

func (w *wordHunt) elsewhere(d *diffLine) error {
	if !d.added || prose(d.file) {
		return nil
	}
	w.symbols.identifiers(d.text, func(i, _, _ int) {
		if e := w.h.symbols[w.names[i]]; !e.found {
			w.h.symbols[w.names[i]] = ending{elsewhere: true}
		}
	})
	return nil
}
