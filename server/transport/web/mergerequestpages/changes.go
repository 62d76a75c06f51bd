package mergerequestpages

import (
	"net/url"
	"strconv"

	"svc/server/domain/discussion/note"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// What a page of changes shows at most.
const (
	diffFiles   = 30
	diffBytes   = 45_000 // of all files; a file beyond has a link that shows it alone
	oneDiff     = 70_000 // of a file that is shown alone; the rest of it is on further pages
	threadTexts = 20_000
	maxThreads  = 100
)

// changesView is the content of the page with the changes of a merge request.
type changesView struct {
	heading
	Diff  page.Diff
	Pager page.Pager
	Only  string // the only file that is shown
	All   string // the address of all files
	Next  string // the address of the next lines of a long file
	Token string
	Head  string   // the commit that is shown
	Files []string // on whose lines the caller may comment; none if the caller may not comment
	More  bool     // there are more threads than the page shows
	Patch string   // the command that shows everything
}

// changes shows the changed files of a merge request, with the threads on their lines.
// GET /{project}/-/merge_requests/{iid}/diffs
func (p *Pages) changes(v *page.Visit) error {
	item, err := p.Item(v, kind)
	if err != nil {
		return err
	}
	mr, err := p.find(v)
	if err != nil {
		return err
	}
	view := changesView{Token: v.Token()}
	if view.heading, err = p.heading(v, mr, partChanges); err != nil {
		return err
	}
	revision, err := p.viewer.Revision(v.Request().Context(), v.Project.Project, mr)
	if err != nil {
		return err
	}
	view.All, view.Head, view.Patch = view.Base+partChanges, revision.Head, "git diff "+revision.From+" "+revision.Head
	if err := view.readFiles(v, revision); err != nil {
		return err
	}
	if err := p.addThreads(v, item, revision, &view); err != nil {
		return err
	}
	if v.Actor != nil && v.May(access.CreateNote) && item.CheckMayComment() == nil {
		for _, f := range view.Diff.Files {
			if len(f.Lines) > 0 {
				view.Files = append(view.Files, f.New)
			}
		}
	}
	v.Policy += page.Fetching
	return p.show(v, mr, page.View{Name: "changes", Title: "Changes of ", Wide: true, Scripts: []string{"diff.js"}, Data: view})
}

// readFiles reads one page of the changed files, or the file that the address names.
func (view *changesView) readFiles(v *page.Visit, r mergerequest.Revision) error {
	ctx := v.Request().Context()
	blob := "/" + v.Project.Project.FullPath + "/-/blob/" + r.Head + "/"
	options := page.DiffOptions{Bytes: diffBytes, Browse: func(path string) string { return blob + page.EscapePath(path) }}
	only, ok := git.CleanPath(v.QueryParam("file"))
	if view.Pager = v.PagerOf(diffFiles); only == "" || !ok {
		options.More = func(path string) string { return view.All + "?" + url.Values{"file": {path}}.Encode() }
		files, total, err := r.Repo.FileDiffs(ctx, r.From, r.Head, view.Pager.Page.Offset, diffFiles)
		view.Diff = page.Diff{Files: page.DiffFiles(files, options), Total: total}
		view.Pager = view.Pager.Of(total > view.Pager.Page.Offset+len(files))
		return err
	}
	view.Only = only
	files, err := fileDiff(ctx, r, only, v.QueryParam("old"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return page.NotFound()
	}
	options.Bytes = oneDiff
	options.From, _ = strconv.Atoi(v.QueryParam("from")) // 0 for anything that is not a number
	options.Next = func(line int) string { return v.With(url.Values{"from": {strconv.Itoa(line)}}, "file", "old") }
	view.Diff = page.Diff{Files: page.DiffFiles(files, options), Total: len(files)}
	return nil
}

// addThreads adds the threads on lines below these lines. Threads on lines that are not shown any more are below their file.
func (p *Pages) addThreads(v *page.Visit, item note.Item, r mergerequest.Revision, view *changesView) error {
	filter := item.Filter()
	filter.Diff = true
	rows, total, err := p.Store.Notes.Threads(v.Request().Context(), filter, store.Page{Limit: maxThreads})
	if err != nil {
		return err
	}
	view.More = total.More
	shown := map[string]int{}
	for i, f := range view.Diff.Files {
		shown[f.New] = i
	}
	var wanted []model.Thread
	for _, row := range rows {
		if at, ok := note.PositionOf(row.Notes[0].Note.Position); ok {
			if _, there := shown[at.NewPath]; there {
				wanted = append(wanted, row)
			}
		}
	}
	threads, err := p.Threads(v, kind, item, issuablepages.NewTextsOf(v.Project.Project.FullPath, threadTexts), wanted)
	for i, t := range threads {
		at, _ := note.PositionOf(wanted[i].Notes[0].Note.Position)
		t.File = at.NewPath
		place(&view.Diff.Files[shown[at.NewPath]], t, at, r)
	}
	return err
}

// place puts a thread below its line, or below its file.
func place(f *page.DiffFile, t issuablepages.Thread, at note.Position, r mergerequest.Revision) {
	if at.HeadSHA == r.Head {
		for i := range f.Lines {
			if isAt(f.Lines[i], at) {
				f.Lines[i].Below = with(f.Lines[i].Below, t)
				return
			}
		}
	}
	f.Foot = with(f.Foot, t)
}

// with adds a thread to those of a line or file, which are nil before the first.
func with(threads any, t issuablepages.Thread) []issuablepages.Thread {
	all, _ := threads.([]issuablepages.Thread)
	return append(all, t)
}

// isAt reports whether a position is at a line.
func isAt(line page.DiffLine, at note.Position) bool {
	if line.Kind == "h" || at.OldLine == nil && at.NewLine == nil {
		return false
	}
	return (at.OldLine == nil || *at.OldLine == int64(line.Old)) && (at.NewLine == nil || *at.NewLine == int64(line.New)) &&
		(at.OldLine != nil || line.Kind == "a" || line.Old == 0) && (at.NewLine != nil || line.Kind == "d")
}
