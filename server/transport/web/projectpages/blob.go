package projectpages

import (
	"errors"
	"html/template"
	"path"
	"strconv"
	"strings"

	"svc/server/domain/repository/browse"
	"svc/server/platform/respond"
	"svc/server/transport/web/page"
	"svc/store/git"
	"svc/store/lfs"
)

const (
	// maxBlob is the size up to which the lines of a file are shown, in bytes.
	maxBlob = 2 << 20
	// pageBytes is how many bytes of lines one page shows.
	pageBytes = 85_000
	// lineCost is what a line adds to a page besides its text.
	lineCost = 60
	// maxHTML is the length of the HTML of a line that is shown whole.
	maxHTML = 10_000
	// maxLine is how much of a longer line is shown, in bytes.
	maxLine = 5000
)

// blobView is the content of the page of a file.
type blobView struct {
	At       place
	Size     int64
	Note     string // why the content is not shown, or how it is
	Target   string // of a symbolic link
	Picture  bool
	Lines    []template.HTML
	First    int    // number of the first line that is shown
	Starts   string // first lines of all pages, for links to lines
	Count    int    // lines of the file
	Pager    page.Pager
	Markdown template.HTML
	Source   bool   // the source of a file that could be rendered is shown
	Other    string // the address of the source, or of the rendered file
	Text     bool   // blame is possible
}

// blob shows a file.
// GET /{project}/-/blob/{ref}/{path}
func (p *Pages) blob(v *page.Visit) error {
	ctx := v.Request().Context()
	at, err := p.place(v, "blob")
	if err != nil {
		return err
	}
	entry, err := at.repo.TreeAt(ctx, at.Commit, at.Path)
	if err != nil {
		return orNotFound(err)
	}
	switch {
	case entry.Kind() == git.KindTree:
		return v.Redirect(at.To("tree"))
	case entry.Kind() != git.KindBlob:
		return page.NotFound()
	}
	view := blobView{At: at}
	if err := p.fill(v, entry, &view); err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "blob", Title: path.Base(at.Path), Tab: page.TabFiles, Crumbs: at.crumbs(), Wide: true,
		Scripts: []string{"lines.js"}, Data: view,
	})
}

// fill reads a file and decides how it is shown.
func (p *Pages) fill(v *page.Visit, entry git.Entry, view *blobView) error {
	ctx := v.Request().Context()
	info, data, err := view.At.repo.Object(ctx, entry.ID, maxBlob)
	view.Size = info.Size
	view.Picture = respond.PictureType(view.At.Path) != "" && !isLink(entry)
	if errors.Is(err, git.ErrTooLarge) {
		if !view.Picture {
			view.Note = "The file is too large to show. Download it to read it."
		}
		return nil
	}
	if err != nil {
		return err
	}
	text, encoding, isText := browse.Text(data)
	pointer, large := lfs.ReadPointer(data)
	switch {
	case isLink(entry):
		view.Target = text
	case large:
		view.Note = "The content is in LFS, with " + page.Size(pointer.Size) + ". Download it to read it."
	case view.Picture && v.QueryParam("plain") == "":
		view.Other = plainAddress(view.At, isText)
	case !isText:
		view.Note = "The file is not text. Download it to read it."
	default:
		view.Picture, view.Text = false, true
		if encoding != browse.UTF8 {
			view.Note = "The file is not UTF-8. It is shown as " + encoding + "."
		}
		return p.showText(v, entry.ID, text, view)
	}
	return nil
}

// plainAddress returns the address of the source of a picture that is text.
func plainAddress(at place, isText bool) string {
	if !isText {
		return ""
	}
	return at.To("blob") + "?plain=1"
}

// showText shows text: Markdown rendered, unless the caller wants its source, and anything else in lines.
func (p *Pages) showText(v *page.Visit, id, text string, view *blobView) error {
	ctx := v.Request().Context()
	if isMarkdown(view.At.Path) && len(text) <= maxMarkdown {
		shown, err := p.render(ctx, view.At, id, view.At.Path, text)
		if err != nil {
			return err
		}
		view.Source = shown != "" && v.QueryParam("plain") == "1"
		switch {
		case view.Source:
			view.Other = view.At.To("blob")
		case shown != "":
			view.Markdown, view.Other = shown, plainAddress(view.At, true)
			return nil
		}
	}
	lines, err := p.Highlighter.File(ctx, id, view.At.Path, text)
	if err != nil {
		return err
	}
	starts := linePages(lines)
	view.Count, view.Starts = len(lines), joinNumbers(starts)
	view.Pager = v.PagerOf(1, "plain")
	number := min(view.Pager.Number(), len(starts))
	view.First = starts[number-1]
	end := len(lines)
	if number < len(starts) {
		end = starts[number] - 1
	}
	view.Lines = shortened(lines[view.First-1 : end])
	view.Pager = view.Pager.Of(number < len(starts))
	return nil
}

// linePages splits lines into pages of limited size. It returns the number of the first line of each page.
func linePages(lines []template.HTML) []int {
	starts, size := []int{1}, 0
	for i, line := range lines {
		cost := min(len(line), maxHTML) + lineCost
		if size += cost; size > pageBytes && i > 0 {
			starts, size = append(starts, i+1), cost
		}
	}
	return starts
}

// shortened returns lines, and of lines that are too long only the beginning. These are not highlighted, so any cut between
// characters is good.
func shortened(lines []template.HTML) []template.HTML {
	all := make([]template.HTML, len(lines))
	for i, line := range lines {
		if all[i] = line; len(line) > maxHTML && !strings.Contains(string(line), "<") {
			begin := strings.ToValidUTF8(string(line[:maxLine]), "")
			if at := strings.LastIndexByte(begin, '&'); at > len(begin)-8 { // an entity that was cut
				begin = begin[:at]
			}
			all[i] = template.HTML(begin + " …") //nolint:gosec // a part of safe HTML without tags
		}
	}
	return all
}

func joinNumbers(numbers []int) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, " ")
}
