package issuablepages

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// maxComment is the size of the form of a comment: a text of a million characters, escaped.
const maxComment = 12 << 20

// Item finds the item of a page.
func (p *Parts) Item(v *page.Visit, k Kind) (note.Item, error) {
	iid, err := v.Number("iid")
	if err != nil {
		return note.Item{}, page.NotFound()
	}
	item, err := p.Notes.In(v.Request().Context(), *v.Project, k.Type, iid)
	return item, page.Hide(err)
}

// create writes a comment, carries out its quick actions, and closes or reopens the item if the caller asks for it.
// POST /{project}/-/issues/{iid}/notes
func (p *Parts) create(k Kind) page.Handler {
	return func(v *page.Visit) error {
		item, err := p.Item(v, k)
		if err != nil {
			return err
		}
		body := lines(v.Value("body"))
		if command := v.Value("state"); command == "close" || command == "reopen" {
			body += "\n\n/" + command
		}
		base := k.Address(v.Project.Project.FullPath, item.On.IID)
		row, result, err := p.Notes.CreateOrRun(v.Request().Context(), item, note.NewNote{Body: body, Internal: v.Value("internal") != ""})
		if err != nil {
			return p.refuse(v, k, item, err, commentForm(base+"/notes", v.Value("body"), access.ReadsInternal(item.Row)))
		}
		text := "The comment was saved."
		if result != nil && len(result.Summary) > 0 {
			text = strings.Join(result.Summary, " ")
		}
		if row.Note.ID == 0 {
			return v.Done(base, text)
		}
		return v.Done(noteAddress(base, row.Note.ID), text)
	}
}

// noteAddress returns an address that leads to a note, whichever page of the timeline it is on.
func noteAddress(base string, id int64) string {
	text := strconv.FormatInt(id, 10)
	return base + "?note=" + text + "#note_" + text
}

// lines returns a text with the line ends of the API: browsers send others.
func lines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// commentForm is the form of a comment.
func commentForm(action, text string, internal bool) page.Form {
	form := page.Form{Action: action, Submit: "Save the comment", Fields: []page.Field{{
		Name: "body", Label: "Comment", Type: "textarea", Rows: 10, Value: text, Required: true, Focus: true,
		Hint: "Markdown, and quick actions such as /close and /label ~name.",
	}}}
	if internal {
		form.Fields = append(form.Fields, page.Field{
			Name: "internal", Label: "Internal: only members of the project see it", Type: "checkbox",
		})
	}
	return form
}

// refuse shows the form of a comment again with the reason of a refusal.
func (p *Parts) refuse(v *page.Visit, k Kind, item note.Item, refused error, form page.Form) error {
	status, err := v.Fill(refused, &form)
	if err != nil {
		return err
	}
	return p.ShowForm(v, k, item, status, "The comment was not saved", form)
}

// ShowForm shows a form about an item on a page of its own.
func (p *Parts) ShowForm(v *page.Visit, k Kind, item note.Item, status int, title string, form page.Form) error {
	return v.Show(page.View{
		Name: "form_page", Status: status, Title: title, Tab: k.Tab, Crumbs: k.Crumbs(v.Project.Project.FullPath, item.On.IID),
		Data: page.FormPage{Form: form, Links: []page.Link{back(v, k, item)}},
	})
}

// back returns the link from a form to its item.
func back(v *page.Visit, k Kind, item note.Item) page.Link {
	return page.Link{
		Path: k.Address(v.Project.Project.FullPath, item.On.IID), Label: "Back to " + k.Noun + " " + k.Reference(item.On.IID),
	}
}

// Crumbs returns where the page of an item is.
func (k Kind) Crumbs(project string, iid int64) []page.Link {
	label := strings.ToUpper(k.Noun[:1]) + k.Noun[1:] + "s"
	crumbs := []page.Link{{Path: k.List(project), Label: label}}
	if iid != 0 {
		crumbs = append(crumbs, page.Link{Path: k.Address(project, iid), Label: k.Reference(iid)})
	}
	return crumbs
}

// reply adds a note to a thread.
// POST /{project}/-/issues/{iid}/discussions/{thread}/notes
func (p *Parts) reply(k Kind) page.Handler {
	return func(v *page.Visit) error {
		item, err := p.Item(v, k)
		if err != nil {
			return err
		}
		base := k.Address(v.Project.Project.FullPath, item.On.IID)
		n := note.NewNote{Body: lines(v.Value("body")), Thread: v.Param("thread")}
		row, err := p.Notes.Create(v.Request().Context(), item, n)
		if err != nil {
			return p.refuse(v, k, item, err, commentForm(v.Request().URL.Path, v.Value("body"), false))
		}
		return v.Done(p.backTo(v, base, row.Note.ID), "The comment was saved.")
	}
}

// backTo returns the page that a form about a note was on: the changes of a merge request, or the timeline.
func (p *Parts) backTo(v *page.Visit, base string, id int64) string {
	if file := v.Value("file"); file != "" {
		return base + "/diffs?file=" + url.QueryEscape(file) + "#note_" + strconv.FormatInt(id, 10)
	}
	return noteAddress(base, id)
}

// resolve resolves or reopens a thread.
// POST /{project}/-/merge_requests/{iid}/discussions/{thread}/resolve
func (p *Parts) resolve(k Kind) page.Handler {
	return func(v *page.Visit) error {
		item, err := p.Item(v, k)
		if err != nil {
			return err
		}
		ctx, resolved := v.Request().Context(), v.Value("resolved") == "true"
		thread, err := p.Notes.Thread(ctx, item, v.Param("thread"))
		if err != nil {
			return page.Hide(err)
		}
		if err := p.Notes.ResolveThread(ctx, item, thread.ID, resolved); err != nil {
			return err
		}
		text := "The thread is open again."
		if resolved {
			text = "The thread is resolved."
		}
		return v.Done(p.backTo(v, k.Address(v.Project.Project.FullPath, item.On.IID), thread.Notes[0].Note.ID), text)
	}
}

// findNote finds the note of a page.
func (p *Parts) findNote(v *page.Visit, k Kind) (note.Item, model.NoteRow, error) {
	item, err := p.Item(v, k)
	if err != nil {
		return item, model.NoteRow{}, err
	}
	id, err := v.Number("note")
	if err != nil {
		return item, model.NoteRow{}, page.NotFound()
	}
	row, err := p.Notes.Note(v.Request().Context(), item, id)
	return item, row, page.Hide(err)
}

// raw sends the whole text of a note.
// GET /{project}/-/issues/{iid}/notes/{note}
func (p *Parts) raw(k Kind) page.Handler {
	return func(v *page.Visit) error {
		_, row, err := p.findNote(v, k)
		if err != nil {
			return err
		}
		return SendText(v, row.Note.Body)
	}
}

// SendText sends a text that is too long for a page. Browsers show it and execute nothing in it.
func SendText(v *page.Visit, text string) error {
	h := v.Response().Header()
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	return v.Blob(http.StatusOK, "text/plain; charset=utf-8", []byte(text))
}

// edit shows the form that changes a note.
// GET /{project}/-/issues/{iid}/notes/{note}/edit
func (p *Parts) edit(k Kind) page.Handler {
	return func(v *page.Visit) error {
		item, row, err := p.findNote(v, k)
		if err == nil && item.CheckMayChange(row.Note) != nil {
			err = page.NotFound()
		}
		if err == nil {
			err = page.CheckEditable(row.Note.Body, page.UseAPI)
		}
		if err != nil {
			return err
		}
		return p.showEdit(v, k, item, http.StatusOK, commentForm(notePath(v, k, item, row.Note.ID), row.Note.Body, false))
	}
}

// editView is the content of the page that changes a note.
type editView struct {
	Form   page.Form
	Delete page.Button
	Back   page.Link
}

// showEdit shows the form that changes a note, and the button that deletes it.
func (p *Parts) showEdit(v *page.Visit, k Kind, item note.Item, status int, form page.Form) error {
	return v.Show(page.View{
		Templates: ownTemplates, Name: "note_edit", Status: status, Title: "Edit the comment", Tab: k.Tab,
		Crumbs: k.Crumbs(v.Project.Project.FullPath, item.On.IID),
		Data: editView{
			Form: form, Back: back(v, k, item),
			Delete: page.Button{
				Action: form.Action + "/delete", Label: "Delete the comment", Class: "danger", Confirm: "Delete it for good",
			},
		},
	})
}

// notePath returns the path of a note.
func notePath(v *page.Visit, k Kind, item note.Item, id int64) string {
	return k.Address(v.Project.Project.FullPath, item.On.IID) + "/notes/" + strconv.FormatInt(id, 10)
}

// update changes the text of a note.
// POST /{project}/-/issues/{iid}/notes/{note}
func (p *Parts) update(k Kind) page.Handler {
	return func(v *page.Visit) error {
		item, row, err := p.findNote(v, k)
		if err != nil {
			return err
		}
		if err := item.CheckMayChange(row.Note); err != nil {
			return err
		}
		if _, err := p.Notes.Rewrite(v.Request().Context(), item, row, lines(v.Value("body"))); err != nil {
			form := commentForm(notePath(v, k, item, row.Note.ID), v.Value("body"), false)
			status, err := v.Fill(err, &form)
			if err != nil {
				return err
			}
			return p.showEdit(v, k, item, status, form)
		}
		return v.Done(noteAddress(k.Address(v.Project.Project.FullPath, item.On.IID), row.Note.ID), "The comment was changed.")
	}
}

// remove deletes a note.
// POST /{project}/-/issues/{iid}/notes/{note}/delete
func (p *Parts) remove(k Kind) page.Handler {
	return func(v *page.Visit) error {
		item, row, err := p.findNote(v, k)
		if err != nil {
			return err
		}
		if err := p.Notes.Remove(v.Request().Context(), item, row, nil); err != nil {
			return err
		}
		return v.Done(k.Address(v.Project.Project.FullPath, item.On.IID), "The comment was deleted.")
	}
}
