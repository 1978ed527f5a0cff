package memorytool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxLines is how many lines a file may have to be viewed.
const maxLines = 999_999

func (t *Tool) view(ctx context.Context, path string, lines []int) (string, error) {
	rel, err := inside(path)
	if err != nil {
		return "", err
	}
	if rel == "" {
		return t.viewFolder(ctx, path, rel)
	}
	text, err := t.Folder.Read(ctx, rel)
	if errors.Is(err, fs.ErrNotExist) {
		return t.viewFolder(ctx, path, rel)
	}
	if err != nil {
		return "", err
	}
	all := splitLines(text)
	if len(all) > maxLines {
		return "", refuse("File %s exceeds maximum line limit of 999,999 lines.", path)
	}
	from, to := 1, len(all)
	if len(lines) > 0 {
		if from, to, err = ranged(lines, len(all)); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("Here's the content of %s with line numbers:\n%s", path, numbered(all[from-1:to], from)), nil
}

// ranged are the lines that view_range asks for, the first and the last; -1 is the end.
// Of one that reaches beyond the end there is what there is; the documentation has no
// words for one that makes no sense.
func ranged(lines []int, n int) (from, to int, err error) {
	if len(lines) != 2 || lines[0] < 1 || lines[1] != -1 && lines[1] < lines[0] || lines[0] > max(n, 1) {
		return 0, 0, refuse("Error: Invalid `view_range` parameter: %v. It should be [first, last] within the lines of the file: [1, %d], or -1 for the last", lines, n)
	}
	if lines[1] == -1 {
		return lines[0], n, nil
	}
	return lines[0], min(lines[1], n), nil
}

// splitLines are the lines of a text; a line break at its end begins none.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// numbered are lines with their numbers, right-aligned to six digits.
func numbered(lines []string, from int) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%6d\t%s", from+i, l)
	}
	return b.String()
}

// levels is how deep a folder is shown.
const levels = 2

func (t *Tool) viewFolder(ctx context.Context, path, rel string) (string, error) {
	files, err := t.Folder.List(ctx)
	if err != nil {
		return "", err
	}
	sizes, there := map[string]int64{"": 0}, rel == ""
	for _, f := range files {
		below, ok := strings.CutPrefix(f.Path, rel+"/")
		if rel == "" {
			below, ok = f.Path, true
		}
		if f.Dir && f.Path == rel {
			there = true
		}
		if !ok {
			continue
		}
		there = true
		if segments := strings.Split(below, "/"); !slices.ContainsFunc(segments, hidden) {
			sizes[""] += f.Size
			for n := 1; n <= min(levels, len(segments)); n++ {
				sizes[strings.Join(segments[:n], "/")] += f.Size
			}
		}
	}
	if !there {
		return "", refuse("The path %s does not exist. Please provide a valid path.", path)
	}
	top := strings.TrimSuffix(path, "/")
	var out []string
	for name, size := range sizes {
		if name == "" {
			continue
		}
		out = append(out, top+"/"+name+"\x00"+sized(size))
	}
	slices.Sort(out)
	for i, l := range out {
		name, size, _ := strings.Cut(l, "\x00")
		out[i] = size + "\t" + name
	}
	out = append([]string{sized(sizes[""]) + "\t" + top}, out...)
	return fmt.Sprintf("Here're the files and directories up to 2 levels deep in %s, excluding hidden items and node_modules:\n%s", path, strings.Join(out, "\n")), nil
}

func hidden(segment string) bool { return segment[0] == '.' || segment == "node_modules" }

// sized is a size as the documentation writes it: 0B, 5.5K, 1.2M; of a folder that of
// all that lies in it.
func sized(n int64) string {
	v, unit := float64(n), 0
	for v >= 1024 && unit < 4 {
		v, unit = v/1024, unit+1
	}
	if r := math.Round(v*10) / 10; r != math.Trunc(r) {
		return strconv.FormatFloat(r, 'f', 1, 64) + "BKMGT"[unit:unit+1]
	}
	return strconv.FormatFloat(math.Round(v), 'f', 0, 64) + "BKMGT"[unit:unit+1]
}
