package issuablepages

import (
	"svc/server/domain/discussion/note"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// threadView is the content of the page of a thread.
type threadView struct {
	Thread Thread
	Pager  page.Pager
	Back   page.Link
}

// showThread shows the notes of a thread that has too many for the page of its item.
// GET /{project}/-/issues/{iid}/discussions/{thread}
func (p *Parts) showThread(k Kind) page.Handler {
	return func(v *page.Visit) error {
		item, err := p.Item(v, k)
		if err != nil {
			return err
		}
		row, err := p.Notes.Thread(v.Request().Context(), item, v.Param("thread"))
		if err != nil {
			return page.Hide(err)
		}
		project := v.Project.Project.FullPath
		view := threadView{Pager: v.PagerOf(perPage), Back: back(v, k, item)}
		from := min(view.Pager.Page.Offset, len(row.Notes))
		to := min(from+perPage, len(row.Notes))
		if from == to {
			return page.NotFound()
		}
		view.Pager = view.Pager.Of(to < len(row.Notes))
		shown, err := p.oneThread(v, k, item, NewTexts(project), row, row.Notes[from:to])
		if err != nil {
			return err
		}
		view.Thread = shown
		return v.Show(page.View{
			Templates: ownTemplates, Name: "thread", Title: "Thread on " + k.Noun + " " + k.Reference(item.On.IID), Tab: k.Tab,
			Crumbs: k.Crumbs(project, item.On.IID), Data: view,
		})
	}
}

// oneThread prepares a thread with some of its notes.
func (p *Parts) oneThread(
	v *page.Visit, k Kind, item note.Item, texts *Texts, row model.Thread, notes []model.NoteRow,
) (Thread, error) {
	threads, err := p.Threads(v, k, item, texts, []model.Thread{{ID: row.ID, Notes: row.Notes[:1]}})
	if err != nil || len(threads) == 0 {
		return Thread{}, err
	}
	shown := threads[0]
	shown.Notes = nil
	base := k.Address(item.Row.Project.FullPath, item.On.IID)
	for _, n := range notes {
		one, err := showNote(v, item, texts, map[string]string{}, n, base)
		if err != nil {
			return shown, err
		}
		shown.Notes = append(shown.Notes, one)
	}
	return shown, nil
}
