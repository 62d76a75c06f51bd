package mergerequestpages

import (
	"context"
	"math"
	"net/url"
	"strconv"

	"svc/server/domain/discussion/note"
	"svc/server/domain/mergerequest"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/git"
	"svc/store/model"
)

// fileDiff reads how one file differs, by its path after the change and, for a renamed file, its old path if that is known.
func fileDiff(ctx context.Context, r mergerequest.Revision, path, old string) ([]git.FileDiff, error) {
	paths := []string{path}
	if before, ok := git.CleanPath(old); ok && before != "" {
		paths = append(paths, before)
	}
	files, _, err := r.Repo.FileDiffs(ctx, r.From, r.Head, 0, 1, paths...)
	if err != nil || len(files) == 0 || files[0].Status != 'A' {
		return files, err
	}
	all, _, err := r.Files(ctx) // git finds out that a file was renamed only if it sees all files
	for _, f := range all {
		if f.NewPath == path && !f.Collapsed {
			return []git.FileDiff{f}, err
		}
	}
	return files, err
}

// lineForm is the form of a comment on a line, which is shown again after a mistake.
func lineForm(action string) page.Form {
	return page.Form{Action: action, Submit: "Save the comment", Fields: []page.Field{
		{Name: "file", Label: "File", Type: "text", Required: true},
		{Name: "line", Label: "Line", Type: "number", Required: true},
		{Name: "side", Label: "Side", Type: "select", Options: []page.Option{
			{Value: "new", Label: "After the change"}, {Value: "old", Label: "Before the change"},
		}},
		{Name: "body", Label: "Comment", Type: "textarea", Rows: 8, Required: true, Focus: true},
	}}
}

// commentOnLine starts a thread on a line of a changed file.
// POST /{project}/-/merge_requests/{iid}/diffs
func (p *Pages) commentOnLine(v *page.Visit) error {
	item, err := p.Item(v, kind)
	if err != nil {
		return err
	}
	mr, err := p.find(v)
	if err != nil {
		return err
	}
	row, refused := p.writeOnLine(v, item, mr)
	base := kind.Address(v.Project.Project.FullPath, mr.IID)
	if refused != nil {
		form := lineForm(base + partChanges)
		status, err := v.Fill(refused, &form)
		if err != nil {
			return err
		}
		return p.ShowForm(v, kind, item, status, "The comment was not saved", form)
	}
	at := "?" + url.Values{"file": {v.Value("file")}}.Encode() + "#note_" + strconv.FormatInt(row.Note.ID, 10)
	return v.Done(base+partChanges+at, "The comment was saved.")
}

// writeOnLine writes the note of commentOnLine.
func (p *Pages) writeOnLine(v *page.Visit, item note.Item, mr model.MergeRequest) (model.NoteRow, error) {
	ctx := v.Request().Context()
	revision, err := p.viewer.Revision(ctx, v.Project.Project, mr)
	if err != nil {
		return model.NoteRow{}, err
	}
	if head := v.Value("head"); head != "" && head != revision.Head {
		return model.NoteRow{}, apierr.Conflict("The merge request has new commits. Look at the new changes before you comment.")
	}
	at, err := findLine(ctx, v, revision)
	if err != nil {
		return model.NoteRow{}, err
	}
	position, err := at.Encode()
	if err != nil {
		return model.NoteRow{}, err
	}
	return p.Notes.Create(ctx, item, note.NewNote{Body: v.Value("body"), Opens: true, Position: position})
}

// findLine returns the position of the line that a form names. The line must be one that the changes show.
func findLine(ctx context.Context, v *page.Visit, r mergerequest.Revision) (note.Position, error) {
	at := note.Position{BaseSHA: r.Base, StartSHA: r.Start, HeadSHA: r.Head, Type: note.TextPosition}
	path, ok := git.CleanPath(v.Value("file"))
	if !ok || path == "" {
		return at, apierr.Invalid("file", "is not a path")
	}
	number, err := strconv.Atoi(v.Value("line"))
	if err != nil || number < 1 {
		return at, apierr.Invalid("line", "must be a number")
	}
	files, err := fileDiff(ctx, r, path, "")
	if err != nil {
		return at, err
	}
	if len(files) == 0 {
		return at, apierr.Invalid("file", "is not among the changed files")
	}
	f := page.DiffFiles(files, page.DiffOptions{Bytes: math.MaxInt32})[0]
	at.OldPath, at.NewPath = f.Old, f.New
	for _, line := range f.Lines {
		shown := line.New
		if v.Value("side") == "old" {
			shown = line.Old
		}
		if shown != number || line.Kind == "h" {
			continue
		}
		if line.Old > 0 {
			old := int64(line.Old)
			at.OldLine = &old
		}
		if line.New > 0 {
			after := int64(line.New)
			at.NewLine = &after
		}
		return at, nil
	}
	return at, apierr.Invalid("line", "is not among the changes of the file")
}
