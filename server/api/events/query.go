package events

import (
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store"
	"svc/store/model"
)

// query holds the parameters that all lists share.
type query struct {
	action *gen.EventAction
	target *gen.EventTargetFilter
	before *wire.Date
	after  *wire.Date
	sort   *gen.Sort
	paging *gen.Pagination
	number *int64
	size   *int64
}

// targets maps the target types of the API to the target types of events.
var targets = map[gen.EventTargetFilter]string{
	"issue": model.OnIssue, "milestone": model.OnMilestone, "merge_request": model.OnMergeRequest, "note": model.OnNote,
	"project": "Project", "snippet": model.OnSnippet, "user": "User",
	"wiki_page": model.OnWikiPage,
}

// narrow adds the parameters of the request to a filter.
func (q query) narrow(f store.EventFilter) store.EventFilter {
	if q.action != nil {
		f.Action = string(*q.action)
	}
	if q.target != nil {
		f.TargetType = targets[*q.target]
	}
	if q.before != nil {
		f.Until = startOfDay(*q.before, 0)
	}
	if q.after != nil {
		f.From = startOfDay(*q.after, 1) // after excludes the day itself
	}
	f.Asc = q.sort != nil && *q.sort == gen.SortAsc
	return f
}

// startOfDay returns the start of a day, or of a day that many days later.
func startOfDay(d wire.Date, later int) *time.Time {
	t := time.Date(d.Year(), d.Month(), d.Day()+later, 0, 0, 0, 0, time.UTC)
	return &t
}
