package snippetpages

import (
	"bytes"
	"errors"
	"html/template"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"svc/server/domain/snippet"
	"svc/server/platform/apierr"
	"svc/server/platform/markdown"
	"svc/server/platform/respond"
	"svc/server/transport/web/page"
	"svc/store/git"
	"svc/store/model"
)

const (
	maxShown = 80_000   // bytes of HTML of all files that the page of a snippet shows
	maxText  = 20_000   // bytes of HTML of a description; a longer one is cut, and shown as it is
	perLine  = 80       // bytes of HTML around each line
	maxRead  = 32 << 20 // bytes of a file that is sent; nobody can write a larger one
)

// showView is the content of the page of a snippet.
type showView struct {
	model.SnippetRow
	Address     string
	Description template.HTML
	Plain       string // the beginning of a description that is too long to be rendered
	Files       []shownFile
	MayChange   bool
	Delete      page.Button
}

// shownFile is a file of a snippet.
type shownFile struct {
	Path  string
	Raw   string // address of the file as it is
	Lines []template.HTML
	Note  string // why the file is not shown
}

// show shows a snippet with its files.
// GET /-/snippets/{id}, GET /{project}/-/snippets/{id}
func (p *Pages) show(v *page.Visit) error {
	row, in, err := p.find(v)
	if err != nil {
		return err
	}
	to := address(row)
	if in != nil && v.Project == nil {
		return v.Redirect(to)
	}
	ctx := v.Request().Context()
	view := showView{
		SnippetRow: row, Address: to, MayChange: snippet.MayChange(ctx, row, in) == nil && (in == nil || !in.Project.Archived),
		Delete: page.Button{Action: to + "/delete", Label: "Delete this snippet", Class: "danger", Confirm: "Delete it with all its files"},
	}
	if text := row.Snippet.Description; text != nil && *text != "" {
		rendered, err := markdown.Render([]byte(*text), markdown.Options{Below: 1})
		if err != nil {
			return err
		}
		if view.Description = rendered.HTML; len(view.Description) > maxText {
			view.Description, view.Plain = "", page.Clip(maxText/4, *text)
		}
	}
	left := maxShown
	for _, name := range row.Snippet.Paths() {
		file, size, err := p.readFile(v, row, name, left)
		if err != nil {
			return err
		}
		left -= size
		view.Files = append(view.Files, file)
	}
	return v.Show(p.view(v, "show", row.Snippet.Title, view))
}

// readFile reads a file for the page, if it has at most a number of bytes and is text.
func (p *Pages) readFile(v *page.Visit, row model.SnippetRow, name string, most int) (shownFile, int, error) {
	ctx := v.Request().Context()
	shown := shownFile{Path: name, Raw: address(row) + "/raw/" + page.EscapePath(name)}
	found, err := p.Snippets.Find(ctx, row, "", name)
	if err != nil {
		shown.Note = "This file does not exist any more."
		return shown, 0, notMissing(err)
	}
	data, err := found.Read(ctx, int64(most))
	switch {
	case errors.Is(err, git.ErrTooLarge):
		shown.Note = tooLarge
		return shown, 0, nil
	case err != nil:
		return shown, 0, err
	case isBinary(data):
		shown.Note = "This file is not text."
		return shown, 0, nil
	}
	lines, err := p.Highlight.File(ctx, found.ID, name, string(data))
	if err != nil {
		return shown, 0, err
	}
	size := perLine * len(lines)
	for _, line := range lines {
		size += len(line)
	}
	if size > most {
		shown.Note = tooLarge
		return shown, 0, nil
	}
	shown.Lines = lines
	return shown, size, nil
}

const tooLarge = "This file is too large to be shown here."

// notMissing returns nil for a missing file, and every other error as it is.
func notMissing(err error) error {
	var e *apierr.Error
	if errors.As(err, &e) {
		return nil
	}
	return err
}

func isBinary(data []byte) bool { return !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 }

// raw sends a file of a snippet as it is.
// GET /-/snippets/{id}/raw/{path}, GET /{project}/-/snippets/{id}/raw/{path}
func (p *Pages) raw(v *page.Visit) error {
	row, _, err := p.find(v)
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	found, err := p.Snippets.Find(ctx, row, "", fileParam(v))
	if err != nil {
		return page.Hide(err)
	}
	data, err := found.Read(ctx, maxRead)
	if err != nil {
		return err
	}
	return respond.Stream{
		Context: ctx, Type: "text/plain; charset=utf-8", Disposition: respond.Inline(path.Base(found.Path)),
		CacheControl: respond.NoCache, ETag: `"` + found.ID + `"`, Size: int64(len(data)), Sandboxed: true, Write: respond.Bytes(data),
	}.Send(v.Response())
}

// fileParam returns the path of a file at the end of an address. A fixed route leaves escapes that are not usual.
func fileParam(v *page.Visit) string {
	name := v.Param("*")
	if v.Project == nil && v.Request().URL.RawPath != "" {
		if plain, err := url.PathUnescape(name); err == nil {
			return plain
		}
	}
	return strings.TrimPrefix(name, "/")
}
