package gemini

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"dormouse/host/internal/look"
	"dormouse/internal/safefile"
	"dormouse/startup"
)

// importer follows the imports of one file.
type importer struct {
	*client
	root  string // imports lead nowhere outside of it
	first string // the file that all of it starts from
	once  map[string]bool
}

// importRoot is the folder that imports of a file in dir must stay in: the
// nearest one with a marker, or dir itself.
func (c *client) importRoot(dir string) string {
	if len(c.markers) > 0 {
		if marked := look.Marked(dir, c.markers); marked != "" {
			return marked
		}
	}
	return dir
}

// run returns the file and behind it, in the client's order, all that it
// imports. In the tree format an imported text stands in the place of its
// import; here each file keeps its own text, and the place shows the two lines
// that the client puts around the imported one. Measured.
func (im importer) run(f startup.File, text, format string) []startup.File {
	if format == "flat" {
		im.once = map[string]bool{filepath.Dir(f.Path): true} // the client takes the folder for the file; source
		return im.flat(f, text)
	}
	return im.tree(f, text, filepath.Dir(f.Path), nil)
}

func (im importer) tree(f startup.File, text, base string, chain []string) []startup.File {
	words, out := scan(text), []startup.File{f}
	if len(chain) >= importDepth {
		for _, w := range words {
			if !w.code {
				im.leave(f, w, startup.NotImportDepth, resolve(base, w.path), fmt.Sprintf("more than %d levels of imports", importDepth))
			}
		}
		out[0].Text = text
		return out
	}
	var own strings.Builder
	last := 0
	for _, w := range words {
		own.WriteString(text[last:w.start])
		last = w.end
		if w.code {
			own.WriteString("@" + w.path)
			im.leave(f, w, startup.NotImportText, "", "no import: it stands in code")
			continue
		}
		path, b, info, failed := im.open(f, w, base, chain)
		if failed != "" {
			own.WriteString("<!-- " + failed + " -->")
			continue
		}
		own.WriteString("<!-- Imported from: " + w.path + " -->\n<!-- End of import from: " + w.path + " -->")
		out = append(out, im.tree(im.child(f, w, path, b, info), look.Text(b), filepath.Dir(path), append(slices.Clip(chain), path))...)
	}
	own.WriteString(text[last:])
	out[0].Text = own.String()
	return out
}

// flat reads each file once, the last import of a file first, and leaves the
// texts as they are. Source, measured.
func (im importer) flat(f startup.File, text string) []startup.File {
	f.Text = trim(text)
	out := []startup.File{f}
	for _, w := range slices.Backward(scan(text)) {
		if w.code {
			im.leave(f, w, startup.NotImportText, "", "no import: it stands in code")
			continue
		}
		base := filepath.Dir(f.Path)
		if im.once[resolve(base, w.path)] {
			continue
		}
		path, b, info, failed := im.open(f, w, base, nil)
		if failed != "" {
			continue
		}
		im.once[path] = true
		out = append(out, im.flat(im.child(f, w, path, b, info), look.Text(b))...)
	}
	return out
}

func (im importer) child(f startup.File, w word, path string, b []byte, info fs.FileInfo) startup.File {
	return startup.File{
		Path: path, Scope: f.Scope, Reason: startup.ByImport, ImportedBy: f.Path, ImportLine: w.line,
		Why: fmt.Sprintf("imported by line %d of %s", w.line, f.Path), Bytes: int64(len(b)), Modified: info.ModTime(),
	}
}

func (im importer) leave(f startup.File, w word, reason startup.Reason, path, why string) {
	im.rep.Leave(startup.Left{Path: path, Scope: f.Scope, Reason: reason, From: f.Path, Line: w.line, Text: "@" + w.path, Why: why})
}

func resolve(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// open reads what a word imports. When that fails, it records why and returns
// the client's own words in failed.
func (im importer) open(f startup.File, w word, base string, chain []string) (path string, b []byte, info fs.FileInfo, failed string) {
	path = resolve(base, w.path)
	if !im.allowed(w.path, path) {
		im.leave(f, w, startup.NotImportExternal, path, "leads out of "+im.root+", and nothing outside of it is imported")
		return path, nil, nil, "Import failed: " + w.path + " - Path traversal attempt"
	}
	if slices.Contains(chain, path) {
		im.leave(f, w, startup.NotDuplicate, path, "it is among the files that import this one")
		return path, nil, nil, "File already processed: " + w.path
	}
	if im.imports >= maxImports || im.imported >= maxImported {
		im.leave(f, w, startup.NotImportDepth, path, "not followed here: too many imports")
		if !im.gaveUp {
			im.gaveUp = true
			im.rep.Problem(im.first, 0, fmt.Sprintf("more than %d imports or %d bytes of them; the rest is not followed here, though Gemini CLI would", maxImports, maxImported))
		}
		return path, nil, nil, "Import failed: " + w.path + " - not followed"
	}
	b, info, err := safefile.Read(path, look.MaxFile)
	if err == nil {
		im.imports++
		im.imported += len(b)
		return path, b, info, ""
	}
	return path, nil, nil, "Import failed: " + w.path + " - " + im.miss(f, w, path, info, err)
}

// miss records why an import cannot be read, and returns Node's words for it.
func (im importer) miss(f startup.File, w word, path string, info fs.FileInfo, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		why, reason := "finds no file; any word behind an @ at the start or after white space is taken for an import", startup.NotImportMissing
		if short := strings.TrimRight(path, `.,:;)!?"'*_]}>`); short != path {
			if info, err := os.Stat(short); err == nil && !info.IsDir() {
				why, reason = "finds no file: what stands behind the name is taken as part of it; "+short+" is there", startup.NotImportPunct
			}
		}
		im.leave(f, w, reason, path, why)
		return "ENOENT: no such file or directory, access '" + path + "'"
	case errors.Is(err, syscall.ENOTDIR):
		im.leave(f, w, startup.NotImportMissing, path, "finds no file: a part of the path is no folder")
		return "ENOTDIR: not a directory, access '" + path + "'"
	case info != nil && info.IsDir():
		im.leave(f, w, startup.NotAFile, path, "an import of a folder loads nothing")
		return "EISDIR: illegal operation on a directory, read"
	}
	im.rep.Unread(startup.Left{Path: path, Scope: f.Scope, From: f.Path, Line: w.line, Text: "@" + w.path}, info, err)
	return "EACCES: permission denied, open '" + path + "'"
}

// allowed tells whether an import may be followed. The client judges the path
// with %XX decoded, but then reads it as it is written. Source.
func (im importer) allowed(word, path string) bool {
	for _, scheme := range []string{"file://", "http://", "https://"} {
		if strings.HasPrefix(word, scheme) {
			return false
		}
	}
	root, err1 := realPath(decoded(im.root), 0)
	real, err2 := realPath(decoded(path), 0)
	return err1 == nil && err2 == nil && look.Inside(root, real)
}

func decoded(path string) string {
	if d, err := url.PathUnescape(path); err == nil && utf8.ValidString(d) {
		return filepath.Clean(d)
	}
	return path
}

// realPath resolves links, also of a path whose end is not there.
func realPath(path string, links int) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) && !errors.Is(err, syscall.ENAMETOOLONG) {
		return real, err
	}
	const maxLinks = 40
	if target, lerr := os.Readlink(path); lerr == nil && links < maxLinks {
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		return realPath(target, links+1)
	}
	if filepath.Dir(path) == path {
		return path, nil
	}
	dir, err := realPath(filepath.Dir(path), links)
	return filepath.Join(dir, filepath.Base(path)), err
}
