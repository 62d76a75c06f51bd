package present

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/naming"
	"svc/store/model"
)

// IssuePresenter presents issues at a time.
type IssuePresenter struct {
	Presenter
	Now     time.Time
	From    string // full path of the requested project or group; empty for none
	Details bool   // present labels with all details
}

// Issue presents an issue.
func (s IssuePresenter) Issue(r model.IssueRow) gen.Issue {
	i := r.Issue
	path := s.projectURL(i.ProjectID)
	self := path + "/issues/" + strconv.FormatInt(i.IID, 10)
	shown := gen.Issue{
		ID: i.ID, Iid: i.IID, ProjectID: i.ProjectID, Title: i.Title, Description: i.Description, State: gen.IssueState(i.State),
		CreatedAt: wire.NewTime(i.CreatedAt), UpdatedAt: wire.NewTime(i.UpdatedAt), ClosedAt: wire.TimePtr(i.ClosedAt),
		ClosedBy: s.person(r.ClosedBy),
		Labels:   labels(r.Labels, s.Details), Assignees: s.Users(r.Assignees), Type: gen.IssueTypeUpper(strings.ToUpper(i.IssueType)),
		UserNotesCount: i.UserNotesCount, MergeRequestsCount: r.MergeRequestsCount, Upvotes: i.Upvotes,
		Downvotes: i.Downvotes, DueDate: wire.DatePtr(i.DueDate),
		Confidential: i.Confidential, DiscussionLocked: i.DiscussionLocked, IssueType: gen.IssueType(i.IssueType),
		WebURL:               naming.IssueURL(s.Base, r.ProjectPath, i.IID),
		TimeStats:            TimeStats(i.TimeEstimate, i.TotalTimeSpent),
		TaskCompletionStatus: Tasks(i.Description), BlockingIssuesCount: r.BlockingCount,
		UnderscoreLinks: gen.IssueURLs{Self: self, Notes: self + "/notes", AwardEmoji: self + "/award_emoji", Project: path},
		References:      References("#", i.IID, r.ProjectPath, s.From), Severity: i.Severity, MovedToID: i.MovedToID,
	}
	if s.Paid {
		shown.Weight = wire.Maybe(i.Weight)
		shown.EpicIid, shown.Epic = wire.Null[int64](), wire.Null[gen.EpicBasic]()
		if e := r.Epic; e != nil {
			shown.EpicIid, shown.Epic = wire.Maybe(&e.IID), wire.Maybe(ptr(epicBasic(*e)))
		}
	}
	if d := r.DuplicateOf; d != nil {
		shown.UnderscoreLinks.ClosedAsDuplicateOf = ptr(s.projectURL(d.ProjectID) + "/issues/" + strconv.FormatInt(d.IID, 10))
	}
	if r.Author != nil {
		shown.Author = s.UserBasic(*r.Author)
	}
	if len(shown.Assignees) > 0 {
		shown.Assignee = &shown.Assignees[0]
	}
	if r.Milestone != nil {
		shown.Milestone = ptr(s.Milestone(s.Now)(*r.Milestone))
	}
	if r.Iteration != nil {
		shown.Iteration = ptr(s.Iteration(*r.Iteration, s.Now))
	}
	if tasks := shown.TaskCompletionStatus; tasks.Count > 0 {
		shown.HasTasks = true
		shown.TaskStatus = ptr(fmt.Sprintf("%d of %d checklist items completed", tasks.CompletedCount, tasks.Count))
	}
	return shown
}

// projectURL returns the URL of a project in the API.
func (p Presenter) projectURL(id int64) string {
	return p.Base + "/api/v4/projects/" + strconv.FormatInt(id, 10)
}

func (p Presenter) person(u *model.User) *gen.UserBasic {
	if u == nil {
		return nil
	}
	return ptr(p.UserBasic(*u))
}

// Users presents the public members of users.
func (p Presenter) Users(users []*model.User) []gen.UserBasic {
	return All(users, func(u *model.User) gen.UserBasic { return p.UserBasic(*u) })
}

// LinkedIssue presents an issue that is linked to another one.
func (s IssuePresenter) LinkedIssue(l model.LinkedIssue) gen.LinkedIssue {
	i := s.Issue(l.IssueRow)
	return gen.LinkedIssue{
		ID: i.ID, Iid: i.Iid, ProjectID: i.ProjectID, Title: i.Title, Description: i.Description, State: i.State,
		CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
		ClosedAt: i.ClosedAt, ClosedBy: i.ClosedBy, Labels: i.Labels, Milestone: i.Milestone, Assignees: i.Assignees,
		Author: i.Author, Type: i.Type,
		Assignee: i.Assignee, UserNotesCount: i.UserNotesCount, MergeRequestsCount: i.MergeRequestsCount,
		Upvotes: i.Upvotes, Downvotes: i.Downvotes,
		DueDate: i.DueDate, Confidential: i.Confidential, DiscussionLocked: i.DiscussionLocked, IssueType: i.IssueType,
		WebURL: i.WebURL, TimeStats: i.TimeStats,
		TaskCompletionStatus: i.TaskCompletionStatus, BlockingIssuesCount: i.BlockingIssuesCount, HasTasks: i.HasTasks,
		TaskStatus:      i.TaskStatus,
		UnderscoreLinks: i.UnderscoreLinks, References: i.References, Severity: i.Severity, MovedToID: i.MovedToID,
		Weight: i.Weight, EpicIid: i.EpicIid, Epic: i.Epic, ServiceDeskReplyTo: i.ServiceDeskReplyTo,
		IssueLinkID: l.LinkID, LinkType: gen.LinkType(l.LinkType), LinkCreatedAt: wire.NewTime(l.LinkCreatedAt),
		LinkUpdatedAt: wire.NewTime(l.LinkUpdatedAt),
	}
}

// Todo presents a to-do item. The item that it is about must be loaded.
func (s IssuePresenter) Todo(r model.TodoRow) gen.Todo {
	t := r.Todo
	shown := gen.Todo{
		ID: t.ID, Project: TodoProject(*r.Project), ActionName: gen.TodoAction(t.ActionName), TargetType: gen.TodoTargetType(t.TargetType),
		State: gen.TodoState(t.State), CreatedAt: wire.NewTime(t.CreatedAt), UpdatedAt: wire.NewTime(t.UpdatedAt), Target: struct{}{},
	}
	if r.Author != nil {
		shown.Author = s.UserBasic(*r.Author)
	}
	switch {
	case r.Issue != nil:
		issue := s.Issue(*r.Issue)
		shown.Target, shown.TargetURL, shown.Body = issue, issue.WebURL, issue.Title
	case r.Request != nil:
		m := r.Request
		shown.TargetURL, shown.Body = naming.MergeRequestURL(s.Base, r.Project.FullPath, m.IID), m.Title
		shown.Target = map[string]any{
			"id": m.ID, "iid": m.IID, "project_id": m.ProjectID, "title": m.Title, "description": m.Description,
			"state": m.State, "web_url": shown.TargetURL,
			"source_branch": m.SourceBranch, "target_branch": m.TargetBranch, "created_at": wire.NewTime(m.CreatedAt),
			"updated_at": wire.NewTime(m.UpdatedAt),
		}
	}
	if r.Note != nil {
		shown.Body = *r.Note
	}
	if t.NoteID != nil {
		shown.TargetURL += "#note_" + strconv.FormatInt(*t.NoteID, 10)
	}
	return shown
}
