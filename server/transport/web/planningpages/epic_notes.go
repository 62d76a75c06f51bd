package planningpages

import (
	"fmt"
	"time"

	"svc/openapi/wire"
	"svc/server/domain/epic"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// talk returns an epic as the caller comments on it.
func talk(v *page.Visit, row model.EpicRow) epic.Talk {
	return epic.Talk{Epic: row, Role: v.Group.Role}
}

// addEpicThreads adds one page of the threads on an epic.
func (p *Pages) addEpicThreads(v *page.Visit, row model.EpicRow, texts *issuablepages.Texts, view *epicView) error {
	view.Pager = v.Pager()
	threads, total, err := p.store.EpicNotes.Threads(v.Request().Context(), talk(v, row).Filter(), view.Pager.Page)
	if err != nil {
		return err
	}
	view.Pager = view.Pager.Of(total.More)
	for _, t := range threads {
		shown := issuablepages.Thread{ID: t.ID, Token: view.Token, Base: view.Base, MayReply: view.MayComment && !t.Notes[0].Note.System}
		for _, n := range t.Notes {
			one, err := epicNote(n, texts, view.Base)
			if err != nil {
				return err
			}
			shown.Notes = append(shown.Notes, one)
		}
		view.Threads = append(view.Threads, shown)
	}
	return nil
}

// epicNote prepares a note on an epic for a page.
func epicNote(row model.EpicNoteRow, texts *issuablepages.Texts, base string) (issuablepages.Note, error) {
	n := row.Note
	shown := issuablepages.Note{
		ID: n.ID, Author: row.Author, System: n.System, Internal: n.Internal, CreatedAt: n.CreatedAt,
		Path: fmt.Sprintf("%s/notes/%d", base, n.ID),
	}
	if !n.System && n.UpdatedAt.Sub(n.CreatedAt) > time.Second {
		shown.EditedAt = &n.UpdatedAt
	}
	var err error
	shown.Text, err = texts.Render(n.Body)
	return shown, err
}

// epicText sends the whole description of an epic as text.
// GET /groups/{group}/-/epics/{iid}/text
func (p *Pages) epicText(v *page.Visit) error {
	row, err := p.findEpic(v)
	if err != nil {
		return err
	}
	return issuablepages.SendText(v, wire.Value(row.Epic.Description))
}

// epicNoteText sends the whole text of a note on an epic.
// GET /groups/{group}/-/epics/{iid}/notes/{note}
func (p *Pages) epicNoteText(v *page.Visit) error {
	row, err := p.findEpic(v)
	if err != nil {
		return err
	}
	id, err := v.Number("note")
	if err != nil {
		return page.NotFound()
	}
	found, err := p.store.EpicNotes.Get(v.Request().Context(), talk(v, row).Filter(), id)
	if store.IsNotFound(err) {
		err = page.NotFound()
	}
	if err != nil {
		return err
	}
	return issuablepages.SendText(v, found.Note.Body)
}

// createEpicNote writes a comment on an epic.
// POST /groups/{group}/-/epics/{iid}/notes
func (p *Pages) createEpicNote(v *page.Visit) error {
	return p.writeEpicNote(v, epic.NewNote{Opens: true, Internal: v.Value("internal") != ""})
}

// replyOnEpic replies to a thread on an epic.
// POST /groups/{group}/-/epics/{iid}/discussions/{discussion}/notes
func (p *Pages) replyOnEpic(v *page.Visit) error {
	return p.writeEpicNote(v, epic.NewNote{Thread: v.Param("discussion")})
}

// writeEpicNote writes a note with the text of the form. A refused text is shown again.
func (p *Pages) writeEpicNote(v *page.Visit, n epic.NewNote) error {
	row, err := p.findEpic(v)
	if err != nil {
		return err
	}
	n.Body = v.Text("body")
	at := fmt.Sprintf("%sepics/%d", here(v).root, row.Epic.IID)
	made, err := p.epics.CreateNote(v.Request().Context(), talk(v, row), n)
	if err == nil {
		return v.Done(fmt.Sprintf("%s#note_%d", at, made.Note.ID), "The comment was saved.")
	}
	form := formView{Form: page.Form{Action: v.Request().URL.Path, Submit: "Save the comment", Fields: []page.Field{{
		Name: "body", Label: "Comment", Type: "textarea", Rows: 10, Value: n.Body, Required: true, Focus: true, Hint: "Markdown.",
	}}}}
	return p.showForm(v, err, form, page.View{
		Title: "The comment was not saved", Tab: page.TabEpics, Crumbs: append(epicCrumbs(v), page.Link{Path: at, Label: row.Epic.Title}),
	})
}
