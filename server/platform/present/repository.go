package present

import (
	"net/url"
	"strings"

	"svc/gen"
	"svc/store/git"
	"svc/store/model"
)

// TreeEntry presents an entry of a folder.
func TreeEntry(e git.ListEntry) gen.TreeEntry {
	return gen.TreeEntry{ID: e.ID, Name: e.Name, Type: gen.TreeEntryType(e.Kind()), Path: e.Path, Mode: e.ModeText()}
}

// Diff presents the changes of a file. If unified is set, the text begins with the lines that name the file.
func Diff(f git.FileDiff, unified bool) gen.Diff {
	text := f.Text
	if unified && text != "" {
		text = f.Head + text
	}
	return gen.Diff{
		Diff: text, NewPath: f.NewPath, OldPath: f.OldPath, AMode: mode(f.OldMode), BMode: mode(f.NewMode), NewFile: f.Status == 'A',
		RenamedFile: f.Status == 'R', DeletedFile: f.Status == 'D', Collapsed: f.Collapsed, TooLarge: f.TooLarge,
	}
}

// mode returns git's mode of a file, or "0" for a missing file.
func mode(text string) string {
	if text == "000000" {
		return "0"
	}
	return text
}

// ComparisonInput describes what is compared.
type ComparisonInput struct {
	Project  model.Project
	From, To string // as written by the caller
	Straight bool
	Same     bool // both are the same commit
	Unified  bool
}

// Comparison presents the commits and changes between two commits.
func (p Presenter) Comparison(of ComparisonInput, c git.Comparison) gen.Comparison {
	dots := "..."
	if of.Straight {
		dots = ".."
	}
	shown := gen.Comparison{
		Commits:        All(c.Commits, func(c git.Commit) gen.Commit { return p.Commit(of.Project, c) }),
		Diffs:          All(c.Files, func(f git.FileDiff) gen.Diff { return Diff(f, of.Unified) }),
		CompareTimeout: c.Cut, CompareSameRef: of.Same,
		WebURL: p.Base + "/" + of.Project.FullPath + "/-/compare/" + escaped(of.From) + dots + escaped(of.To),
	}
	if n := len(shown.Commits); n > 0 {
		shown.Commit = &shown.Commits[n-1]
	}
	return shown
}

// escaped escapes a ref for the path of a URL; its slashes stay.
func escaped(ref string) string { return strings.ReplaceAll(url.PathEscape(ref), "%2F", "/") }

// Contributor presents an author with their added and deleted lines.
func Contributor(a git.Author, additions, deletions int64) gen.Contributor {
	return gen.Contributor{Name: a.Name, Email: a.Email, Commits: a.Commits, Additions: additions, Deletions: deletions}
}
