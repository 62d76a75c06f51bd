package page

import (
	"encoding/hex"
	"net/url"
	"strconv"
	"strings"

	"svc/store/git"
	"svc/store/secret"
)

// DiffBytes is how many bytes of changes a page shows. Files beyond have a link that shows only that file.
const DiffBytes = 60_000

// headBytes is about how many bytes the headings and links of all files of a page can have. The longest paths are shortened and have
// no links.
const headBytes = 35_000

// maxPath is the length of a path up to which pages link to a file, in bytes.
const maxPath = 500

// maxDiffLine is how much of a line of a diff is shown, in bytes.
const maxDiffLine = 2000

// Diff is the list of changed files of a page. The template "diff" shows it.
type Diff struct {
	Files []DiffFile
	Total int // number of files, of which the page may show only some
}

// DiffFile is a changed file.
type DiffFile struct {
	Anchor         string // identifies the file on the page
	Old, New       string // paths
	What           string // what happened to the file, such as "added"
	Note           string // why no lines are shown
	More           string // the address that shows the file alone
	Next           string // the address of the following lines, if not all are shown
	Browse         string // the address of the file after the change; empty if it was deleted
	Lines          []DiffLine
	Added, Removed int
	Foot           any // what the page shows below the file, with its own template "diff_foot"

	long bool // the path is too long for links
}

// DiffLine is a line of a changed file.
type DiffLine struct {
	Kind     string // a for added, d for deleted, h for the head of a hunk, empty for others
	Old, New int    // line numbers; 0 if the line is not in that file
	Text     string
	Below    any // what the page shows below the line, with its own template "diff_below"
}

// DiffOptions say how changed files are shown.
type DiffOptions struct {
	Bytes int // how many bytes of changes; DiffBytes unless it is set
	// More returns the address that shows one file alone; it has parameters. For a renamed file, «old» with the old path is added.
	More func(path string) string
	// Next returns the address that shows a file alone from a line on. It is for pages with one file, which show as much of it as
	// there is space for; the first line is From.
	Next   func(line int) string
	From   int
	Browse func(path string) string // the address of a file after the change
}

// DiffFiles prepares changed files for a page.
func DiffFiles(files []git.FileDiff, o DiffOptions) []DiffFile {
	left := o.Bytes
	if left == 0 {
		left = DiffBytes
	}
	all, most := make([]DiffFile, len(files)), (headBytes+left/2)/max(len(files), 1)
	heads := 0
	for i, f := range files {
		all[i] = o.describe(f, most)
		heads += headSize(all[i].Old, all[i].New)
	}
	left -= max(0, heads-headBytes)
	for i, f := range files {
		left -= all[i].fill(f, o, left)
	}
	return all
}

// headSize returns about how many bytes the HTML of a changed file has besides its lines: its path is in the list of files, in the
// heading, in labels and in two links.
func headSize(before, after string) int {
	size := 400 + 4*htmlSize(after) + 2*len(EscapePath(after))
	if before != after {
		size += htmlSize(before) + len(EscapePath(before))
	}
	return size
}

// describe returns a changed file without its lines, in at most the given number of bytes of HTML.
func (o DiffOptions) describe(f git.FileDiff, most int) DiffFile {
	shown := DiffFile{Anchor: DiffAnchor(f.NewPath), Old: f.OldPath, New: f.NewPath, What: whatChanged(f)}
	if shown.long = len(f.NewPath) > maxPath || headSize(f.OldPath, f.NewPath) > most; shown.long {
		shown.Old, shown.New = Fit(min(maxPath, most/6), f.OldPath), Fit(min(maxPath, most/6), f.NewPath)
		return shown
	}
	if o.Browse != nil && f.Status != 'D' && f.NewMode != submodule {
		shown.Browse = o.Browse(f.NewPath)
	}
	return shown
}

// fill adds the lines of a changed file if there is space for them, or says why they are not shown. It returns the bytes that it has
// used.
func (f *DiffFile) fill(from git.FileDiff, o DiffOptions, left int) int {
	size := diffSize(from.Text)
	switch {
	case from.TooLarge:
		f.Note = "The changes are too large to show."
	case strings.HasPrefix(from.Text, "Binary files "):
		f.Note = "The file is not text."
	case from.Collapsed || size > left && o.Next == nil:
		f.leaveOut(from, o)
	case from.Text == "":
		f.Note = "The content did not change."
	default:
		f.lines(from.Text)
		if o.Next != nil {
			f.window(o, left)
		}
		return size
	}
	return 0
}

// leaveOut says that the changes are not shown, and where they are.
func (f *DiffFile) leaveOut(from git.FileDiff, o DiffOptions) {
	if o.More == nil || f.long {
		f.Note = "The changes are too large to show."
		return
	}
	f.Note, f.More = "The changes are not shown, because this page would be too large.", o.More(from.NewPath)
	if from.OldPath != from.NewPath {
		f.More += "&" + url.Values{"old": {from.OldPath}}.Encode()
	}
}

// diffSize returns about how many bytes the HTML of changes has.
func diffSize(text string) int {
	return htmlSize(text) + 60*strings.Count(text, "\n")
}

// submodule is the mode of an entry that is a commit of another repository.
const submodule = "160000"

// DiffAnchor returns what identifies a changed file on a page.
func DiffAnchor(path string) string { return "diff-" + hex.EncodeToString(secret.Digest(path)[:6]) }

// whatChanged returns what happened to a file besides its content.
func whatChanged(f git.FileDiff) string {
	switch {
	case f.NewMode == submodule || f.OldMode == submodule:
		return "submodule"
	case f.Status == 'A':
		return "added"
	case f.Status == 'D':
		return "deleted"
	case f.Status == 'R':
		return "renamed"
	case f.OldMode != f.NewMode:
		return "mode changed from " + f.OldMode + " to " + f.NewMode
	}
	return "changed"
}

// lines reads the hunks of a diff.
func (f *DiffFile) lines(text string) {
	before, after := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "@@") {
			before, after = hunkStart(line)
			f.Lines = append(f.Lines, DiffLine{Kind: "h", Text: line})
			continue
		}
		shown := DiffLine{Text: Clip(maxDiffLine, line)}
		switch {
		case strings.HasPrefix(line, "+"):
			shown.Kind, shown.New = "a", after
			f.Added++
			after++
		case strings.HasPrefix(line, "-"):
			shown.Kind, shown.Old = "d", before
			f.Removed++
			before++
		case strings.HasPrefix(line, `\`):
			shown.Kind = "h"
		default:
			shown.Old, shown.New = before, after
			before++
			after++
		}
		f.Lines = append(f.Lines, shown)
	}
}

// window keeps the lines from one on that fit into a number of bytes, at least one.
func (f *DiffFile) window(o DiffOptions, bytes int) {
	from := max(0, min(o.From, len(f.Lines)-1))
	end := from
	for end < len(f.Lines) && (bytes > 0 || end == from) {
		bytes -= diffSize(f.Lines[end].Text + "\n")
		end++
	}
	if end < len(f.Lines) {
		f.Next = o.Next(end)
	}
	f.Lines = f.Lines[from:end]
}

// hunkStart reads the first line numbers of «@@ -1,2 +3,4 @@».
func hunkStart(line string) (before, after int) {
	for _, word := range strings.Fields(line) {
		number, _, _ := strings.Cut(strings.TrimLeft(word, "-+"), ",")
		n, err := strconv.Atoi(number)
		switch {
		case err != nil:
		case strings.HasPrefix(word, "-"):
			before = n
		case strings.HasPrefix(word, "+"):
			return before, n
		}
	}
	return before, after
}
