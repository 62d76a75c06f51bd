// Package wiki reads and changes the pages of a wiki in its repository. Each page is a file, and the file name is the
// name of the page. wiki.go knows pages and files, read.go reads them at a version, service.go commits changes and
// records their events, and attach.go adds files.
package wiki

import (
	"context"
	"errors"
	"path"
	"strings"
	"unicode/utf8"

	"svc/store/git"
)

// The formats of pages.
const (
	Markdown = "markdown"
	RDoc     = "rdoc"
	AsciiDoc = "asciidoc"
	Org      = "org"
)

// endings are the file extensions of each format. New pages get the first one.
var endings = map[string][]string{
	Markdown: {".md", ".markdown", ".mkd", ".mkdn", ".mdown"}, RDoc: {".rdoc"}, AsciiDoc: {".asciidoc", ".adoc", ".asc"}, Org: {".org"},
}

// formats maps file extensions to formats.
var formats = func() map[string]string {
	all := map[string]string{}
	for format, list := range endings {
		for _, ending := range list {
			all[ending] = format
		}
	}
	return all
}()

// The limits of a page.
const (
	MaxContent = 16 << 20 // bytes that are read; requests are smaller
	maxTitle   = 1024     // bytes, with the folders
	maxName    = 200      // bytes of one folder or file; a file system allows 255, including the extension
	maxDepth   = 20
)

var (
	// ErrNotFound means that the page does not exist.
	ErrNotFound = errors.New("no such page")
	// ErrTaken means that another page has the title.
	ErrTaken = errors.New("a page with that title already exists")
	// ErrBadTitle means that no page can have the title.
	ErrBadTitle = errors.New("not a valid page title")
)

// Page is a page without its content.
type Page struct {
	Slug   string // the path of the file without its extension
	Title  string
	Format string
	Path   string // of the file
}

// page returns the page of a file, or false if the file is not a page.
func page(file string) (Page, bool) {
	ending := path.Ext(file)
	format, ok := formats[strings.ToLower(ending)]
	slug := strings.TrimSuffix(file, ending)
	if !ok || slug == "" || strings.HasSuffix(slug, "/") {
		return Page{}, false
	}
	return Page{Slug: slug, Title: title(slug), Format: format, Path: file}, true
}

// IsPage reports whether a file is a page.
func IsPage(file string) bool {
	_, ok := page(file)
	return ok
}

// title returns the title for a slug.
func title(slug string) string { return strings.ReplaceAll(path.Base(slug), "-", " ") }

// Slug returns the slug of a title. Slashes in the title separate folders. It returns ErrBadTitle if the title is not
// valid.
func Slug(title string) (string, error) {
	title = strings.Trim(strings.TrimSpace(title), "/")
	if title == "" || len(title) > maxTitle || !utf8.ValidString(title) {
		return "", ErrBadTitle
	}
	parts := strings.Split(title, "/")
	if len(parts) > maxDepth {
		return "", ErrBadTitle
	}
	for i, part := range parts {
		part = strings.ReplaceAll(strings.TrimSpace(part), " ", "-")
		if part == "" || strings.HasPrefix(part, ".") || len(part) > maxName {
			return "", ErrBadTitle
		}
		parts[i] = part
	}
	slug, ok := git.CleanPath(strings.Join(parts, "/"))
	if !ok || strings.ContainsFunc(slug, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", ErrBadTitle
	}
	return slug, nil
}

// List returns the pages in a commit, ordered by path. For an empty commit id it returns none.
func List(ctx context.Context, repo git.Repo, commit string) ([]Page, error) {
	if commit == "" {
		return nil, nil
	}
	files, err := repo.Paths(ctx, commit)
	if err != nil {
		return nil, err
	}
	pages := make([]Page, 0, len(files))
	for _, file := range files {
		if p, ok := page(file); ok {
			pages = append(pages, p)
		}
	}
	return pages, nil
}

// Find returns the page with a slug in a commit.
func Find(ctx context.Context, repo git.Repo, commit, slug string) (Page, error) {
	slug, ok := git.CleanPath(slug)
	if commit == "" || !ok || slug == "" {
		return Page{}, ErrNotFound
	}
	folder := path.Dir(slug)
	if folder == "." {
		folder = ""
	}
	at, err := repo.TreeAt(ctx, commit, folder)
	if errors.Is(err, git.ErrNotFound) || (err == nil && at.Kind() != git.KindTree) {
		return Page{}, ErrNotFound
	}
	if err != nil {
		return Page{}, err
	}
	entries, err := repo.Tree(ctx, at.ID)
	if err != nil {
		return Page{}, err
	}
	for _, e := range entries {
		if p, ok := page(path.Join(folder, e.Name)); ok && p.Slug == slug && e.Kind() == git.KindBlob {
			return p, nil
		}
	}
	return Page{}, ErrNotFound
}

// Content returns the text of a page in a commit.
func Content(ctx context.Context, repo git.Repo, commit string, p Page) (string, error) {
	e, err := repo.TreeAt(ctx, commit, p.Path)
	if err != nil {
		return "", err
	}
	_, data, err := repo.Object(ctx, e.ID, MaxContent)
	return strings.ToValidUTF8(string(data), "\uFFFD"), err
}

// Create returns the change that creates a page.
func Create(ctx context.Context, repo git.Repo, commit, title, format, content string) (Page, []git.Change, error) {
	slug, err := Slug(title)
	if err != nil {
		return Page{}, nil, err
	}
	if _, err := Find(ctx, repo, commit, slug); !errors.Is(err, ErrNotFound) {
		if err == nil {
			err = ErrTaken
		}
		return Page{}, nil, err
	}
	file := slug + endings[format][0]
	p, ok := page(file)
	if !ok {
		return Page{}, nil, ErrBadTitle
	}
	return p, []git.Change{{Action: git.ActionCreate, Path: file, Content: []byte(content)}}, nil
}

// Update returns the change that gives a page another title, format or content. Nil fields stay as they are.
func Update(ctx context.Context, repo git.Repo, commit, slug string, title, format, content *string) (Page, []git.Change, error) {
	old, err := Find(ctx, repo, commit, slug)
	if err != nil {
		return Page{}, nil, err
	}
	file, err := newPath(ctx, repo, commit, old, title, format)
	if err != nil {
		return Page{}, nil, err
	}
	p, ok := page(file)
	if !ok {
		return Page{}, nil, ErrBadTitle
	}
	change := git.Change{Action: git.ActionUpdate, Path: file}
	if file != old.Path {
		change.Action, change.Previous = git.ActionMove, old.Path
	}
	if content != nil {
		change.Content = []byte(*content)
	}
	if change.Action == git.ActionUpdate && content == nil {
		return p, nil, nil
	}
	return p, []git.Change{change}, nil
}

// newPath returns the path of a page after a change of its title and format, which are nil if they stay.
func newPath(ctx context.Context, repo git.Repo, commit string, old Page, title, format *string) (string, error) {
	reformat := format != nil && *format != old.Format
	if title == nil && !reformat {
		return old.Path, nil
	}
	next, ending := old.Slug, path.Ext(old.Path)
	if title != nil {
		var err error
		if next, err = Slug(*title); err != nil {
			return "", err
		}
	}
	if reformat {
		ending = endings[*format][0]
	}
	if next == old.Slug {
		return next + ending, nil
	}
	_, err := Find(ctx, repo, commit, next)
	switch {
	case err == nil:
		return "", ErrTaken
	case !errors.Is(err, ErrNotFound):
		return "", err
	}
	return next + ending, nil
}

// Delete returns the change that deletes a page.
func Delete(ctx context.Context, repo git.Repo, commit, slug string) (Page, []git.Change, error) {
	p, err := Find(ctx, repo, commit, slug)
	if err != nil {
		return Page{}, nil, err
	}
	return p, []git.Change{{Action: git.ActionDelete, Path: p.Path}}, nil
}
