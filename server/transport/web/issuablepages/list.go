package issuablepages

import (
	"net/url"
	"strconv"
	"time"

	"svc/server/domain/mergerequest/mergestatus"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// Row is an issue or a merge request in a list.
type Row struct {
	Path, Reference, Title, State string
	Draft, Confidential, Late     bool
	Author                        *model.User
	CreatedAt, UpdatedAt          time.Time
	Labels                        []Label
	Assignees                     []*model.User
	Milestone                     *page.Link
	Due                           *time.Time
	Comments                      int64
	Pipeline                      string // its status
	Conflict                      bool
}

// Label is a label with the address of the list of items that have it.
type Label struct{ Name, Color, Path string }

// How many labels and people a row of a list and the page of an item show, and how long a name can be.
const (
	rowLabels  = 6
	itemLabels = 40
	rowPeople  = 5
	labelName  = 60
)

// Labels returns the labels of an item with their addresses in a list.
func Labels(labels []model.Label, list string) []Label { return someLabels(labels, list, itemLabels) }

// RowLabels returns the first labels of an item for a row of a list.
func RowLabels(labels []model.Label, list string) []Label { return someLabels(labels, list, rowLabels) }

func someLabels(labels []model.Label, list string, most int) []Label {
	var all []Label
	for i, l := range labels {
		if i == most {
			return append(all, Label{Name: strconv.Itoa(len(labels)-i) + " more", Color: "none", Path: list})
		}
		path := list + "?" + url.Values{"labels": {l.Name}}.Encode()
		all = append(all, Label{Name: page.Clip(labelName, l.Name), Color: l.Color, Path: path})
	}
	return all
}

// MilestoneLink returns the link to a milestone of a project or a group.
func MilestoneLink(row *model.MilestoneRow) *page.Link {
	if row == nil {
		return nil
	}
	path := "/" + row.Place
	if row.Milestone.GroupID != nil {
		path = "/groups/" + row.Place
	}
	return &page.Link{Path: path + "/-/milestones/" + strconv.FormatInt(row.Milestone.IID, 10), Label: row.Milestone.Title}
}

// IssueRows prepares issues for a list. from is the path of the project of the page; issues of other projects are named
// with theirs.
func IssueRows(rows []model.IssueRow, from string, today time.Time) []Row {
	all := make([]Row, len(rows))
	for i := range rows {
		r := &rows[i]
		all[i] = Row{
			Path: Issue.Address(r.ProjectPath, r.Issue.IID), Reference: reference(Issue, r.ProjectPath, from, r.Issue.IID),
			Title: r.Issue.Title, State: r.Issue.State, Confidential: r.Issue.Confidential, Author: r.Author, CreatedAt: r.Issue.CreatedAt,
			UpdatedAt: r.Issue.UpdatedAt, Labels: someLabels(r.Labels, Issue.List(r.ProjectPath), rowLabels), Assignees: few(r.Assignees),
			Milestone: MilestoneLink(r.Milestone), Due: r.Issue.DueDate, Comments: r.Issue.UserNotesCount,
			Late: Late(r.Issue, today),
		}
	}
	return all
}

// Late reports whether an issue is open after its due date.
func Late(i model.Issue, now time.Time) bool {
	return i.DueDate != nil && i.State == model.Opened && i.DueDate.AddDate(0, 0, 1).Before(now)
}

// MergeRequestRows prepares merge requests for a list. pipelines is the ID of the project whose pipelines the caller sees, or 0.
func MergeRequestRows(rows []model.MergeRequestRow, from string, pipelines int64) []Row {
	all := make([]Row, len(rows))
	for i := range rows {
		r, m := &rows[i], &rows[i].MergeRequest
		project := ""
		if r.Project != nil {
			project = r.Project.FullPath
		}
		all[i] = Row{
			Path: MergeRequest.Address(project, m.IID), Reference: reference(MergeRequest, project, from, m.IID),
			Title: m.Title, State: m.State, Draft: m.Draft, Author: r.Author, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt,
			Labels: someLabels(r.Labels, MergeRequest.List(project), rowLabels), Assignees: few(r.Assignees),
			Milestone: MilestoneLink(r.Milestone),
			Comments:  m.UserNotesCount,
		}
		if r.Pipeline != nil && r.Pipeline.ProjectID == pipelines {
			all[i].Pipeline = r.Pipeline.Status
		}
		facts := mergestatus.Facts{Pipeline: r.Pipeline, Unresolved: r.Unresolved}
		if r.Project != nil {
			facts.Project = *r.Project
		}
		all[i].Conflict = mergestatus.Detailed(*m, facts) == mergestatus.Conflict
	}
	return all
}

// few returns the first of many users.
func few(users []*model.User) []*model.User { return users[:min(len(users), rowPeople)] }

func reference(k Kind, project, from string, iid int64) string {
	if project == from {
		return k.Reference(iid)
	}
	return project + k.Reference(iid)
}
