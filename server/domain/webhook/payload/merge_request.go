package payload

import (
	"svc/store/git"
	"svc/store/model"
)

// MergeRequestInput is what the body of a merge request is made of.
type MergeRequestInput struct {
	MergeRequestState
	User         model.User // who acted
	Action       string
	OldRev       string // the former head, if new commits caused the update; otherwise empty
	TimeChange   int64  // seconds that the event has added to the time spent
	SystemAction string // why the service itself has reset approvals; otherwise empty
	Changes      Changes
}

// MergeRequestState is a merge request with everything that bodies show of it.
type MergeRequestState struct {
	Row               model.MergeRequestRow // with its project, people, labels and threads
	Source            *model.Project        // nil if the fork is gone
	Reviewers         []model.Reviewer      // with the states of their reviews
	LastCommit        *git.Commit           // the head of the source branch
	DetailedStatus    string                // detailed_merge_status
	TargetProtected   bool                  // the target branch is protected
	FirstContribution bool                  // the author's first to this project
}

// target returns the project that the merge request belongs to.
func (s MergeRequestState) target() model.Project {
	if s.Row.Project == nil {
		return model.Project{ID: s.Row.MergeRequest.ProjectID}
	}
	return *s.Row.Project
}

// MergeRequest is the body of a merge request.
type MergeRequest struct {
	ObjectKind       string                 `json:"object_kind"`
	EventType        string                 `json:"event_type"`
	User             User                   `json:"user"`
	Project          Project                `json:"project"` // the target
	ObjectAttributes MergeRequestAttributes `json:"object_attributes"`
	Labels           []Label                `json:"labels"`
	Changes          Changes                `json:"changes"`
	Assignees        []User                 `json:"assignees,omitempty"`
	Reviewers        []Reviewer             `json:"reviewers,omitempty"`
	Repository       Repository             `json:"repository"`
}

// Reviewer is a user who is asked to review a merge request.
type Reviewer struct {
	User
	State       string `json:"state"`
	ReRequested bool   `json:"re_requested"`
}

// MergeRequestAttributes are the attributes of a merge request. Notes and emoji contain them without action, oldrev and
// system.
type MergeRequestAttributes struct {
	ID                          int64             `json:"id"`
	IID                         int64             `json:"iid"`
	AuthorID                    int64             `json:"author_id"`
	Title                       string            `json:"title"`
	Description                 *string           `json:"description"`
	SourceBranch                string            `json:"source_branch"`
	TargetBranch                string            `json:"target_branch"`
	SourceProjectID             *int64            `json:"source_project_id"`
	TargetProjectID             int64             `json:"target_project_id"`
	State                       string            `json:"state"`
	StateID                     int64             `json:"state_id"`
	Action                      string            `json:"action,omitempty"`
	ActionedAt                  string            `json:"actioned_at,omitempty"`
	OldRev                      string            `json:"oldrev,omitempty"`
	Draft                       bool              `json:"draft"`
	WorkInProgress              bool              `json:"work_in_progress"`
	MergeStatus                 string            `json:"merge_status"`
	DetailedMergeStatus         string            `json:"detailed_merge_status"`
	BlockingDiscussionsResolved bool              `json:"blocking_discussions_resolved"`
	FirstContribution           bool              `json:"first_contribution"`
	AssigneeID                  *int64            `json:"assignee_id"`
	AssigneeIDs                 []int64           `json:"assignee_ids"`
	ReviewerIDs                 []int64           `json:"reviewer_ids"`
	Labels                      []Label           `json:"labels"`
	MilestoneID                 *int64            `json:"milestone_id"`
	HeadPipelineID              *int64            `json:"head_pipeline_id"`
	MergeUserID                 *int64            `json:"merge_user_id"`
	UpdatedByID                 *int64            `json:"updated_by_id"`
	LastEditedByID              *int64            `json:"last_edited_by_id"`
	MergeCommitSHA              *string           `json:"merge_commit_sha"`
	SquashCommitSHA             *string           `json:"squash_commit_sha"`
	MergeError                  *string           `json:"merge_error"`
	MergeParams                 map[string]string `json:"merge_params"`
	MergeWhenPipelineSucceeds   bool              `json:"merge_when_pipeline_succeeds"`
	CreatedAt                   string            `json:"created_at"`
	UpdatedAt                   string            `json:"updated_at"`
	LastEditedAt                *string           `json:"last_edited_at"`
	PreparedAt                  *string           `json:"prepared_at"`
	MergedAt                    *string           `json:"merged_at"`
	Source                      *Project          `json:"source"`
	Target                      Project           `json:"target"`
	LastCommit                  *Commit           `json:"last_commit"`
	TargetBranchProtected       bool              `json:"target_branch_protected"`
	TimeEstimate                int64             `json:"time_estimate"`
	TotalTimeSpent              int64             `json:"total_time_spent"`
	TimeChange                  int64             `json:"time_change"`
	HumanTimeEstimate           *string           `json:"human_time_estimate"`
	HumanTotalTimeSpent         *string           `json:"human_total_time_spent"`
	HumanTimeChange             *string           `json:"human_time_change"`
	System                      *bool             `json:"system,omitempty"`
	SystemAction                string            `json:"system_action,omitempty"`
	URL                         string            `json:"url"`
}

// MergeRequest builds the body of a merge request.
func (i Instance) MergeRequest(in MergeRequestInput) MergeRequest {
	target := in.target()
	body := MergeRequest{
		ObjectKind: "merge_request", EventType: "merge_request", User: i.user(in.User), Project: i.project(target),
		ObjectAttributes: i.mergeRequestAttributes(in.MergeRequestState), Labels: labels(in.Row.Labels), Changes: in.Changes.orEmpty(),
		Assignees: i.users(in.Row.Assignees), Reviewers: each(in.Reviewers, i.reviewer), Repository: i.repository(target),
	}
	a := &body.ObjectAttributes
	if a.Action, a.OldRev = in.Action, in.OldRev; in.Action != "" {
		a.ActionedAt = stamp(in.Row.MergeRequest.UpdatedAt)
	}
	a.TimeChange, a.HumanTimeChange = in.TimeChange, human(in.TimeChange)
	a.System, a.SystemAction = new(in.SystemAction != ""), in.SystemAction
	return body
}

func (i Instance) reviewer(r model.Reviewer) Reviewer {
	return Reviewer{User: i.user(r.User), State: r.ReviewState}
}

func (i Instance) mergeRequestAttributes(s MergeRequestState) MergeRequestAttributes {
	m, target, source := s.Row.MergeRequest, s.target(), s.Source
	if source != nil && source.ID == target.ID {
		source = &target
	}
	assignees := userIDs(s.Row.Assignees)
	a := MergeRequestAttributes{
		ID: m.ID, IID: m.IID, AuthorID: m.AuthorID, Title: m.Title, Description: i.absoluteOrNull(target, m.Description),
		SourceBranch: m.SourceBranch, TargetBranch: m.TargetBranch, SourceProjectID: m.SourceProjectID, TargetProjectID: m.ProjectID,
		State: m.State, StateID: stateID(m.State), Draft: m.Draft, WorkInProgress: m.Draft,
		MergeStatus: m.MergeStatus, DetailedMergeStatus: s.DetailedStatus, BlockingDiscussionsResolved: !s.Row.Unresolved,
		FirstContribution: s.FirstContribution, AssigneeID: first(assignees), AssigneeIDs: assignees,
		ReviewerIDs: each(s.Reviewers, func(r model.Reviewer) int64 { return r.User.ID }), Labels: labels(s.Row.Labels),
		MilestoneID: m.MilestoneID, HeadPipelineID: m.HeadPipelineID, MergeUserID: mergeUser(m),
		MergeCommitSHA: m.MergeCommitSHA, SquashCommitSHA: m.SquashCommitSHA, MergeError: m.MergeError,
		MergeParams: mergeParams(m), MergeWhenPipelineSucceeds: m.AutoMerge,
		CreatedAt: stamp(m.CreatedAt), UpdatedAt: stamp(m.UpdatedAt), PreparedAt: written(m.PreparedAt, stamp),
		MergedAt: written(m.MergedAt, stamp), Source: i.projectOrNull(source), Target: i.project(target),
		TargetBranchProtected: s.TargetProtected, TimeEstimate: m.TimeEstimate, TotalTimeSpent: m.TotalTimeSpent,
		HumanTimeEstimate: human(m.TimeEstimate), HumanTotalTimeSpent: human(m.TotalTimeSpent), URL: i.mergeRequestURL(target, m),
	}
	if source != nil {
		a.LastCommit = i.commitOrNull(*source, s.LastCommit)
	} else {
		a.LastCommit = i.commitOrNull(target, s.LastCommit)
	}
	return a
}

// mergeUser returns the user who merged, or who set the merge for when the pipeline succeeds.
func mergeUser(m model.MergeRequest) *int64 {
	if m.AutoMerge {
		return m.AutoMergeUserID
	}
	return m.MergeUserID
}

// autoMergeStrategy is the strategy of a merge that waits for its pipeline.
const autoMergeStrategy = "merge_when_pipeline_succeeds"

// mergeParams returns the options of a merge as receivers expect them.
func mergeParams(m model.MergeRequest) map[string]string {
	params := map[string]string{}
	if m.RemoveSourceBranch != nil {
		params["force_remove_source_branch"] = "0"
		if *m.RemoveSourceBranch {
			params["force_remove_source_branch"] = "1"
		}
	}
	if m.AutoMerge {
		params["auto_merge_strategy"] = autoMergeStrategy
	}
	return params
}
