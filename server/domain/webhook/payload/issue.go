package payload

import (
	"strings"
	"unicode"

	"svc/store/model"
)

// The actions of issues and merge requests.
const (
	ActionOpen   = "open"
	ActionClose  = "close"
	ActionReopen = "reopen"
	ActionUpdate = "update"
	ActionMerge  = "merge" // only of merge requests, like those below

	ActionApproved   = "approved"   // an approval that completes
	ActionUnapproved = "unapproved" // a removal that breaks the approval
	ActionApproval   = "approval"   // an approval that does not change the outcome
	ActionUnapproval = "unapproval"
)

// IssueInput is what the body of an issue is made of.
type IssueInput struct {
	Project    model.Project
	User       model.User     // who acted
	Issue      model.IssueRow // with assignees and labels, after the event
	Action     string         // empty if nothing was done to the issue
	TimeChange int64          // seconds that the event has added to the time spent
	Changes    Changes
}

// Issue is the body of an issue.
type Issue struct {
	ObjectKind       string          `json:"object_kind"`
	EventType        string          `json:"event_type"`
	User             User            `json:"user"`
	Project          Project         `json:"project"`
	ObjectAttributes IssueAttributes `json:"object_attributes"`
	Labels           []Label         `json:"labels"`
	Changes          Changes         `json:"changes"`
	Repository       Repository      `json:"repository"`
	Assignees        []User          `json:"assignees,omitempty"`
	Assignee         *User           `json:"assignee,omitempty"`
}

// IssueAttributes are the attributes of an issue. Notes and emoji contain them without an action.
type IssueAttributes struct {
	ID                        int64   `json:"id"`
	IID                       int64   `json:"iid"`
	ProjectID                 int64   `json:"project_id"`
	AuthorID                  int64   `json:"author_id"`
	Title                     string  `json:"title"`
	Description               *string `json:"description"`
	State                     string  `json:"state"`
	StateID                   int64   `json:"state_id"`
	Action                    string  `json:"action,omitempty"`
	AssigneeIDs               []int64 `json:"assignee_ids"`
	AssigneeID                *int64  `json:"assignee_id"`
	Labels                    []Label `json:"labels"`
	MilestoneID               *int64  `json:"milestone_id"`
	Confidential              bool    `json:"confidential"`
	DiscussionLocked          *bool   `json:"discussion_locked"`
	DueDate                   *string `json:"due_date"`
	StartDate                 *string `json:"start_date"`
	CreatedAt                 string  `json:"created_at"`
	UpdatedAt                 string  `json:"updated_at"`
	ClosedAt                  *string `json:"closed_at"`
	LastEditedAt              *string `json:"last_edited_at"`
	LastEditedByID            *int64  `json:"last_edited_by_id"`
	UpdatedByID               *int64  `json:"updated_by_id"`
	MovedToID                 *int64  `json:"moved_to_id"`
	DuplicatedToID            *int64  `json:"duplicated_to_id"`
	RelativePosition          *int64  `json:"relative_position"`
	TimeEstimate              int64   `json:"time_estimate"`
	TotalTimeSpent            int64   `json:"total_time_spent"`
	TimeChange                int64   `json:"time_change"`
	HumanTotalTimeSpent       *string `json:"human_total_time_spent"`
	HumanTimeEstimate         *string `json:"human_time_estimate"`
	HumanTimeChange           *string `json:"human_time_change"`
	Weight                    *int64  `json:"weight"`
	HealthStatus              *string `json:"health_status"`
	Severity                  string  `json:"severity"`
	Type                      string  `json:"type"`
	CustomerRelationsContacts []any   `json:"customer_relations_contacts"`
	URL                       string  `json:"url"`
}

// Issue builds the body of an issue. A confidential issue is sent to other hooks, with the trigger
// TriggerConfidentialIssue.
func (i Instance) Issue(in IssueInput) Issue {
	body := Issue{
		ObjectKind: issueKind(in.Issue.Issue.IssueType), EventType: "issue", User: i.user(in.User), Project: i.project(in.Project),
		ObjectAttributes: i.issueAttributes(in.Project, in.Issue), Labels: labels(in.Issue.Labels), Changes: in.Changes.orEmpty(),
		Repository: i.repository(in.Project), Assignees: i.users(in.Issue.Assignees),
	}
	if in.Issue.Issue.Confidential {
		body.EventType = "confidential_issue"
	}
	if len(body.Assignees) > 0 {
		body.Assignee = &body.Assignees[0]
	}
	attributes := &body.ObjectAttributes
	attributes.Action, attributes.TimeChange, attributes.HumanTimeChange = in.Action, in.TimeChange, human(in.TimeChange)
	return body
}

// issueKind returns the object_kind of an issue: issues and incidents are issues, all other types are work items.
func issueKind(kind string) string {
	if kind == "issue" || kind == "incident" {
		return "issue"
	}
	return "work_item"
}

// typeName returns the type of an issue as bodies write it: test_case becomes Test Case.
func typeName(kind string) string {
	words := strings.Split(kind, "_")
	for n, word := range words {
		if word != "" {
			words[n] = string(unicode.ToUpper(rune(word[0]))) + word[1:]
		}
	}
	return strings.Join(words, " ")
}

func (i Instance) issueAttributes(p model.Project, row model.IssueRow) IssueAttributes {
	issue := row.Issue
	assignees := userIDs(row.Assignees)
	return IssueAttributes{
		ID: issue.ID, IID: issue.IID, ProjectID: issue.ProjectID, AuthorID: issue.AuthorID, Title: issue.Title,
		Description: i.absoluteOrNull(p, issue.Description), State: issue.State, StateID: stateID(issue.State),
		AssigneeIDs: assignees, AssigneeID: first(assignees), Labels: labels(row.Labels), MilestoneID: issue.MilestoneID,
		Confidential: issue.Confidential, DiscussionLocked: issue.DiscussionLocked, DueDate: written(issue.DueDate, day),
		CreatedAt: stamp(issue.CreatedAt), UpdatedAt: stamp(issue.UpdatedAt), ClosedAt: written(issue.ClosedAt, stamp),
		MovedToID: issue.MovedToID, DuplicatedToID: issue.DuplicatedToID, RelativePosition: issue.RelativePosition,
		TimeEstimate: issue.TimeEstimate, TotalTimeSpent: issue.TotalTimeSpent,
		HumanTotalTimeSpent: human(issue.TotalTimeSpent), HumanTimeEstimate: human(issue.TimeEstimate),
		Weight: issue.Weight, Severity: severity(issue.Severity), Type: typeName(issue.IssueType),
		CustomerRelationsContacts: []any{}, URL: i.issueURL(p, issue),
	}
}

// severity returns the severity in lower case, as bodies write it.
func severity(stored string) string {
	if stored == "" {
		return "unknown"
	}
	return strings.ToLower(stored)
}

// IssueChanges returns what changed between two states of an issue. timeChange is the time that was added.
func (i Instance) IssueChanges(p model.Project, before, after model.IssueRow, timeChange int64) Changes {
	c := Changes{}
	old, now := before.Issue, after.Issue
	compare(c, "title", old.Title, now.Title)
	comparePointers(c, "description", i.absoluteOrNull(p, old.Description), i.absoluteOrNull(p, now.Description))
	compare(c, "state_id", stateID(old.State), stateID(now.State))
	compare(c, "confidential", old.Confidential, now.Confidential)
	comparePointers(c, "discussion_locked", old.DiscussionLocked, now.DiscussionLocked)
	comparePointers(c, "milestone_id", old.MilestoneID, now.MilestoneID)
	compareTimes(c, "due_date", old.DueDate, now.DueDate, day)
	compareTimes(c, "closed_at", old.ClosedAt, now.ClosedAt, stamp)
	comparePointers(c, "moved_to_id", old.MovedToID, now.MovedToID)
	comparePointers(c, "duplicated_to_id", old.DuplicatedToID, now.DuplicatedToID)
	comparePointers(c, "relative_position", old.RelativePosition, now.RelativePosition)
	comparePointers(c, "weight", old.Weight, now.Weight)
	compare(c, "severity", severity(old.Severity), severity(now.Severity))
	compare(c, "type", typeName(old.IssueType), typeName(now.IssueType))
	compareEfforts(c, effort{old.TimeEstimate, old.TotalTimeSpent}, effort{now.TimeEstimate, now.TotalTimeSpent}, timeChange)
	i.compareUsers(c, "assignees", before.Assignees, after.Assignees)
	compareLabels(c, before.Labels, after.Labels)
	compare(c, updatedAt, stamp(old.UpdatedAt), stamp(now.UpdatedAt))
	return c
}

// effort is the estimated and spent time of an issue or merge request in seconds.
type effort struct{ estimate, spent int64 }

// compareEfforts records changes of times. timeChange is the time that was added.
func compareEfforts(c Changes, before, after effort, timeChange int64) {
	compare(c, "time_estimate", before.estimate, after.estimate)
	compare(c, "total_time_spent", before.spent, after.spent)
	compare(c, "time_change", 0, timeChange)
}
