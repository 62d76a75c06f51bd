package present

import (
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/naming"
	"svc/store/model"
)

// Epic presents an epic. from is the full path of the requested group; details asks for all details of the labels.
func (p Presenter) Epic(from string, details bool) func(model.EpicRow) gen.Epic {
	return func(r model.EpicRow) gen.Epic {
		e := r.Epic
		group := p.groupURL(e.GroupID)
		self := epicURL(group, e.IID)
		shown := gen.Epic{
			ID: e.ID, Iid: e.IID, GroupID: e.GroupID, Title: e.Title, Description: e.Description, State: gen.EpicState(e.State),
			Confidential: e.Confidential, WebURL: p.Base + naming.EpicPath(r.GroupPath, e.IID),
			References: References("&", e.IID, r.GroupPath, from), StartDateIsFixed: e.StartDateIsFixed,
			StartDateFixed: wire.DatePtr(e.StartDateFixed), StartDateFromInheritedSource: wire.DatePtr(r.InheritedStart),
			DueDateIsFixed: e.DueDateIsFixed, DueDateFixed: wire.DatePtr(e.DueDateFixed),
			DueDateFromInheritedSource: wire.DatePtr(r.InheritedDue), CreatedAt: wire.NewTime(e.CreatedAt),
			UpdatedAt: wire.NewTime(e.UpdatedAt), ClosedAt: wire.TimePtr(e.ClosedAt), Labels: labels(r.Labels, details),
			Upvotes: e.Upvotes, Downvotes: e.Downvotes, UserNotesCount: e.UserNotesCount, Color: e.Color,
			TextColor:       textColor(e.Color),
			UnderscoreLinks: gen.EpicURLs{Self: self, EpicIssues: self + "/issues", Group: group},
		}
		shown.WebEditURL, shown.Reference = shown.WebURL, shown.References.Short
		shown.StartDate, shown.DueDate = shown.StartDateFromInheritedSource, shown.DueDateFromInheritedSource
		if e.StartDateIsFixed {
			shown.StartDate = shown.StartDateFixed
		}
		if e.DueDateIsFixed {
			shown.DueDate = shown.DueDateFixed
		}
		shown.StartDateFromMilestones, shown.DueDateFromMilestones = shown.StartDateFromInheritedSource, shown.DueDateFromInheritedSource
		shown.EndDate = shown.DueDate
		if r.Author != nil {
			shown.Author = p.UserBasic(*r.Author)
		}
		if parent := r.Parent; parent != nil {
			shown.ParentID, shown.ParentIid = &parent.ID, &parent.IID
			shown.UnderscoreLinks.Parent = ptr(epicURL(p.groupURL(parent.GroupID), parent.IID))
		}
		return shown
	}
}

// groupURL returns the URL of a group in the API.
func (p Presenter) groupURL(id int64) string {
	return p.Base + "/api/v4/groups/" + strconv.FormatInt(id, 10)
}

// epicURL returns the URL of an epic in the API.
func epicURL(group string, iid int64) string { return group + "/epics/" + strconv.FormatInt(iid, 10) }

// epicBasic presents the epic of an issue.
func epicBasic(k model.EpicKey) gen.EpicBasic {
	return gen.EpicBasic{ID: k.ID, Iid: k.IID, Title: k.Title, URL: naming.EpicPath(k.GroupPath, k.IID), GroupID: k.GroupID}
}

// AssignedIssue presents an issue of an epic.
func (s IssuePresenter) AssignedIssue(a model.AssignedIssue) gen.EpicIssue {
	i := s.Issue(a.IssueRow)
	return gen.EpicIssue{
		ID: i.ID, Iid: i.Iid, ProjectID: i.ProjectID, Title: i.Title, Description: i.Description, State: i.State,
		CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt, ClosedAt: i.ClosedAt, ClosedBy: i.ClosedBy, Labels: i.Labels,
		Milestone: i.Milestone, Assignees: i.Assignees, Author: i.Author, Type: i.Type, Assignee: i.Assignee,
		UserNotesCount: i.UserNotesCount, MergeRequestsCount: i.MergeRequestsCount, Upvotes: i.Upvotes,
		Downvotes: i.Downvotes, DueDate: i.DueDate, Confidential: i.Confidential, DiscussionLocked: i.DiscussionLocked,
		IssueType: i.IssueType, WebURL: i.WebURL, TimeStats: i.TimeStats, TaskCompletionStatus: i.TaskCompletionStatus,
		BlockingIssuesCount: i.BlockingIssuesCount, HasTasks: i.HasTasks, TaskStatus: i.TaskStatus,
		UnderscoreLinks: i.UnderscoreLinks, References: i.References, Severity: i.Severity, MovedToID: i.MovedToID,
		Weight: i.Weight, EpicIid: i.EpicIid, Epic: i.Epic, ServiceDeskReplyTo: i.ServiceDeskReplyTo,
		EpicIssueID: a.Assignment.ID, RelativePosition: a.Assignment.RelativePosition,
	}
}
