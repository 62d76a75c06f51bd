package issuablepages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// Names are the parameters of the addresses of lists.
var Names = []string{
	"state", "search", "labels", "author_username", "assignee_username", "reviewer_username", "milestone", "release_tag", "scope",
	"sort", "source_branch", "target_branch",
}

// order is a way to sort a list.
type order struct {
	value, label, by string
	asc              bool
}

var orders = []order{
	{"created_desc", "Newest first", "created_at", false},
	{"created_asc", "Oldest first", "created_at", true},
	{"updated_desc", "Last updated first", "updated_at", false},
	{"updated_asc", "Longest not updated first", "updated_at", true},
	{"due_date_asc", "Due first", "due_date", true},
	{"milestone_due_asc", "Milestone due first", "milestone_due", true},
	{"priority_asc", "Highest priority first", "priority", true},
	{"popularity_desc", "Most popular first", "popularity", false},
	{"title_asc", "By title", "title", true},
}

// filterLabels is the maximum number of labels in a filter.
const filterLabels = 20

// ReadFilter reads the filter of a list from the address of the page. A value that no list knows is refused.
func ReadFilter(v *page.Visit, k Kind) (store.IssuableFilter, error) {
	f := store.IssuableFilter{
		State: model.Opened, Search: strings.TrimSpace(v.QueryParam("search")), Author: name(v.QueryParam("author_username")),
		Milestone: v.QueryParam("milestone"), ReleaseTag: v.QueryParam("release_tag"), Labels: labelNames(v.QueryParams()),
	}
	if len(f.Labels) > filterLabels {
		return f, apierr.BadRequest("The filter has too many labels")
	}
	switch state := v.QueryParam("state"); state {
	case "", model.Opened:
	case model.Closed:
		f.State = state
	case model.Merged:
		if f.State = state; k.Type == model.OnIssue {
			return f, apierr.BadRequest("Issues cannot be merged. The states are opened, closed and all")
		}
	case "all":
		f.State = ""
	default:
		return f, apierr.BadRequest("The state is unknown")
	}
	readAssignee(&f, v.QueryParam("assignee_username"))
	if sort := v.QueryParam("sort"); sort != "" {
		at := slices.IndexFunc(orders, func(o order) bool { return o.value == sort })
		if at < 0 {
			return f, apierr.BadRequest("The list cannot be sorted in this way")
		}
		f.OrderBy, f.Asc = orders[at].by, orders[at].asc
	}
	return f, readScope(v, &f)
}

// labelNames reads the labels of a filter: several parameters, or one with commas.
func labelNames(query url.Values) []string {
	var names []string
	for _, value := range append(query["labels"], query["label_name[]"]...) {
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.TrimSpace(part); part != "" {
				names = append(names, part)
			}
		}
	}
	return names
}

// readAssignee reads the assignee of a filter: a username, None or Any.
func readAssignee(f *store.IssuableFilter, value string) {
	switch value = name(value); {
	case value == "":
	case strings.EqualFold(value, store.None), strings.EqualFold(value, store.Any):
		f.Assignee = value
	default:
		f.Assignees = []string{value}
	}
}

// name returns a username as people write it, with or without an @.
func name(value string) string { return strings.TrimPrefix(strings.TrimSpace(value), "@") }

// readScope limits a list to the items of the caller.
func readScope(v *page.Visit, f *store.IssuableFilter) error {
	scope := v.QueryParam("scope")
	switch scope {
	case "", "all":
		return nil
	case "created_by_me", "assigned_to_me", "reviews_for_me":
	default:
		return apierr.BadRequest("The scope is unknown")
	}
	if v.Actor == nil {
		return apierr.Unauthorized()
	}
	switch id := v.Actor.User.ID; scope {
	case "created_by_me":
		f.AuthorID = &id
	case "assigned_to_me":
		f.Assignee = strconv.FormatInt(id, 10)
	}
	return nil
}

// FilterForm is the form above a list.
type FilterForm struct {
	Action string
	Hidden []page.Field // what the links beside the form set
	Fields []page.Field
	Clear  string // the address without filters; empty if there are none
}

// NewFilterForm returns the form above a list, as the address fills it in.
func NewFilterForm(v *page.Visit, k Kind) FilterForm {
	form := FilterForm{Action: v.Request().URL.EscapedPath()}
	for _, name := range []string{"state", "scope", "release_tag", "source_branch", "target_branch"} {
		if value := v.QueryParam(name); value != "" {
			form.Hidden = append(form.Hidden, page.Field{Name: name, Value: value})
		}
	}
	text := func(name, label, hint string) page.Field {
		return page.Field{Name: name, Label: label, Type: "text", Value: v.QueryParam(name), Hint: hint, Autocomplete: "off"}
	}
	form.Fields = []page.Field{
		{Name: "search", Label: "Search", Type: "search", Value: v.QueryParam("search")},
		text("labels", "Labels", ""), text("author_username", "Author", ""), text("assignee_username", "Assignee", ""),
	}
	form.Fields[1].Value = strings.Join(labelNames(v.QueryParams()), ", ")
	if k.Type == model.OnMergeRequest {
		form.Fields = append(form.Fields, text("reviewer_username", "Reviewer", ""))
	}
	sort := page.Field{Name: "sort", Label: "Sort", Type: "select"}
	for _, o := range orders {
		if k.Type == model.OnMergeRequest && o.by == "due_date" {
			continue
		}
		sort.Options = append(sort.Options, page.Option{Value: o.value, Label: o.label, Chosen: o.value == v.QueryParam("sort")})
	}
	form.Fields = append(form.Fields, text("milestone", "Milestone", ""), sort)
	for _, name := range Names {
		if name != "state" && v.QueryParam(name) != "" {
			form.Clear = v.With(nil, "state")
		}
	}
	return form
}

// States returns the links to the same list in other states.
func States(v *page.Visit, k Kind, counts map[string]int64) []page.Link {
	all := []struct{ state, label string }{{model.Opened, "Open"}, {model.Merged, "Merged"}, {model.Closed, "Closed"}, {"all", "All"}}
	now := v.QueryParam("state")
	if now == "" {
		now = model.Opened
	}
	var links []page.Link
	for _, s := range all {
		if s.state == model.Merged && k.Type == model.OnIssue {
			continue
		}
		label := s.label
		if n, ok := counts[s.state]; ok {
			label += " (" + strconv.FormatInt(n, 10) + ")"
		}
		links = append(links, page.Link{Path: v.With(url.Values{"state": {s.state}}, Names...), Label: label, Here: s.state == now})
	}
	return links
}
