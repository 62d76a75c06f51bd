package notes

import (
	"svc/gen"
	"svc/server/domain/discussion/note"
	"svc/store"
)

// filter builds the note filter from the query parameters.
func filter(p note.Item, sort *gen.Sort, order *gen.NoteOrder, activity *gen.NoteActivity) store.NoteFilter {
	f := p.Filter()
	f.Asc = sort != nil && *sort == gen.SortAsc
	if order != nil {
		f.OrderBy = string(*order)
	}
	if activity != nil {
		f.Activity = string(*activity)
	}
	return f
}
