package projectpages

import (
	"errors"
	"html/template"
	"path"

	"svc/server/domain/repository/browse"
	"svc/server/transport/web/page"
	"svc/store/git"
)

// blameView is the content of a page that shows where the lines of a file come from.
type blameView struct {
	At    place
	Note  string
	Lines []blameLine
	Pager page.Pager
}

// blameLine is a line, and at the first line of a run the commit that it comes from.
type blameLine struct {
	Number int
	HTML   template.HTML
	Commit *git.Commit
	At     string // address of the commit
}

// blameLines is how many lines a page shows.
const blameLines = 400

// blame shows which commits the lines of a file come from.
// GET /{project}/-/blame/{ref}/{path}
func (p *Pages) blame(v *page.Visit) error {
	ctx := v.Request().Context()
	at, err := p.place(v, "blame")
	if err != nil {
		return err
	}
	entry, err := at.repo.TreeAt(ctx, at.Commit, at.Path)
	if err != nil || entry.Kind() != git.KindBlob {
		return orNotFound(errors.Join(err, notBlob(entry)))
	}
	view := blameView{At: at, Pager: v.PagerOf(blameLines)}
	_, data, err := at.repo.Object(ctx, entry.ID, maxBlob)
	text, _, isText := browse.Text(data)
	switch {
	case errors.Is(err, git.ErrTooLarge):
		view.Note = "The file is too large to show."
	case err != nil:
		return err
	case !isText || isLink(entry):
		view.Note = "The file is not text."
	default:
		if err := p.addBlame(v, entry.ID, text, &view); err != nil {
			return err
		}
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "blame", Title: path.Base(at.Path), Tab: page.TabFiles, Crumbs: at.crumbs(), Wide: true, Data: view,
	})
}

func notBlob(e git.Entry) error {
	if e.Kind() == git.KindBlob {
		return nil
	}
	return git.ErrNotFound
}

// addBlame adds one page of lines with their commits.
func (p *Pages) addBlame(v *page.Visit, id, text string, view *blameView) error {
	ctx := v.Request().Context()
	lines, err := p.Highlighter.File(ctx, id, view.At.Path, text)
	if err != nil {
		return err
	}
	first := view.Pager.Page.Offset + 1
	last := min(first+blameLines-1, len(lines))
	if first > last {
		return nil
	}
	if err := p.Limit(ctx); err != nil {
		return err
	}
	ranges, err := view.At.repo.Blame(ctx, view.At.Commit, view.At.Path, int64(first), int64(last))
	if err != nil {
		return orNotFound(err)
	}
	ids := make([]string, len(ranges))
	for i, r := range ranges {
		ids[i] = r.Commit
	}
	commits, err := byID(ctx, view.At.repo, ids)
	if err != nil {
		return err
	}
	shown, number := shortened(lines[first-1:last]), 0
	for _, r := range ranges {
		commit := commits[r.Commit]
		for i := 0; i < len(r.Lines) && number < len(shown); i++ {
			line := blameLine{Number: first + number, HTML: shown[number]}
			if i == 0 {
				line.Commit, line.At = &commit, view.At.Show(commit.ID)
			}
			view.Lines = append(view.Lines, line)
			number++
		}
	}
	view.Pager = view.Pager.Of(last < len(lines))
	return nil
}
