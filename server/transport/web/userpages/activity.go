package userpages

import (
	"context"
	"strconv"
	"strings"
	"time"

	"svc/server/transport/web/page"
	"svc/store/model"
)

// eventLine is an event as a sentence: "pushed to main in group/project".
type eventLine struct {
	Verb    string
	Object  string // what it is about; empty if the project itself
	Link    string // of the object
	Title   string
	Project string // full path; empty if it is unknown
	At      time.Time
}

// describe turns events into sentences. One query reads the paths of their projects.
func (p *Pages) describe(ctx context.Context, rows []model.EventRow) ([]eventLine, error) {
	var ids []int64
	for _, row := range rows {
		if row.Event.ProjectID != nil {
			ids = append(ids, *row.Event.ProjectID)
		}
	}
	paths, err := p.Store.Projects.Paths(ctx, ids)
	if err != nil {
		return nil, err
	}
	lines := make([]eventLine, len(rows))
	for i, row := range rows {
		lines[i] = eventLine{Verb: row.Event.Action, At: row.Event.CreatedAt}
		if row.Event.ProjectID != nil {
			lines[i].Project = paths[*row.Event.ProjectID]
		}
		lines[i].describe(row)
	}
	return lines, nil
}

// describe sets the verb and the object of an event.
func (l *eventLine) describe(row model.EventRow) {
	if row.Title != nil {
		l.Title = *row.Title
	}
	switch {
	case row.Event.Action == model.EventPushed:
		l.describePush(row.Event)
	case row.Note != nil:
		l.Verb = "commented on"
		l.name(row.Note.NoteableType, row.NoteableIID, row.Note.CommitID)
		if l.Link != "" {
			l.Link += "#note_" + strconv.FormatInt(row.Note.ID, 10)
		}
	case row.WikiPage != nil:
		l.Object, l.Link = "wiki page", "/"+l.Project+"/-/wikis/"+page.EscapePath(row.WikiPage.Slug)
	case row.Event.TargetType != nil && *row.Event.TargetType != "Project":
		l.name(*row.Event.TargetType, row.IID, nil)
	default:
		l.Title = "" // the name of the project, which follows
	}
}

// describePush sets the words for a push.
func (l *eventLine) describePush(e model.Event) {
	verbs := map[string]string{"created": "created", "removed": "deleted", "pushed": "pushed to"}
	if e.PushAction != nil {
		l.Verb = verbs[*e.PushAction]
	}
	if e.CommitTitle != nil {
		l.Title = *e.CommitTitle
	}
	if e.Ref == nil {
		return
	}
	kind := "branch"
	if e.RefType != nil {
		kind = *e.RefType
	}
	l.Object = kind + " " + *e.Ref
	if e.PushAction != nil && *e.PushAction != "removed" {
		l.Link = "/" + l.Project + "/-/tree/" + page.EscapePath(*e.Ref)
	}
}

// targets are the words and addresses of the things that events are about.
var targets = map[string]struct{ word, mark, path string }{
	model.OnIssue:        {"issue", "#", "/-/issues/"},
	model.OnMergeRequest: {"merge request", "!", "/-/merge_requests/"},
	model.OnMilestone:    {"milestone", "%", "/-/milestones/"},
	model.OnSnippet:      {"snippet", "$", "/-/snippets/"},
}

// name sets the object of an event: an issue, a merge request, a commit …
func (l *eventLine) name(kind string, iid *int64, commit *string) {
	switch t, known := targets[kind]; {
	case known && iid != nil:
		number := strconv.FormatInt(*iid, 10)
		l.Object, l.Link = t.word+" "+t.mark+number, "/"+l.Project+t.path+number
	case commit != nil:
		l.Object, l.Link = "commit "+page.Short(*commit), "/"+l.Project+"/-/commit/"+*commit
	default:
		l.Object = strings.ToLower(kind)
	}
}
