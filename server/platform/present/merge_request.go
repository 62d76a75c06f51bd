package present

import (
	"html"
	"strconv"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/naming"
	"svc/store/git"
	"svc/store/model"
)

// MergeRequestPresenter presents merge requests. Its fields are the input beside the row.
type MergeRequestPresenter struct {
	Presenter
	Details  MergeRequestDetails
	Labels   bool // present labels as objects
	Now      time.Time
	Relative string // full path of the requested project or group; empty for none
}

// MergeRequestDetails are what a list of merge requests shows besides its rows, by the ID of the merge request.
type MergeRequestDetails struct {
	Status         map[int64]string      // detailed_merge_status
	Squashes       map[int64]bool        // whether merging squashes the commits
	AutoMergeUsers map[int64]*model.User // users who set "merge when the pipeline succeeds", by user ID
}

// MergeRequests returns a presenter of the merge requests that the details are about. relative is the full path of the
// requested project or group.
func (p Presenter) MergeRequests(d MergeRequestDetails, relative string, now time.Time) MergeRequestPresenter {
	return MergeRequestPresenter{Presenter: p, Details: d, Now: now, Relative: relative}
}

// MergeRequest presents a merge request in a list.
func (s MergeRequestPresenter) MergeRequest(row model.MergeRequestRow) gen.MergeRequest {
	m := row.MergeRequest
	project := model.Project{}
	if row.Project != nil {
		project = *row.Project
	}
	shown := gen.MergeRequest{
		ID: m.ID, Iid: m.IID, ProjectID: m.ProjectID, Title: m.Title, Description: m.Description, State: gen.MergeRequestState(m.State),
		CreatedAt: wire.NewTime(m.CreatedAt), UpdatedAt: wire.NewTime(m.UpdatedAt), MergedAt: wire.TimePtr(m.MergedAt),
		ClosedAt: wire.TimePtr(m.ClosedAt),
		MergedBy: s.person(row.MergedBy), MergeUser: s.person(row.MergedBy), ClosedBy: s.person(row.ClosedBy), Author: s.person(row.Author),
		TargetBranch: m.TargetBranch, SourceBranch: m.SourceBranch, UserNotesCount: m.UserNotesCount,
		Upvotes: m.Upvotes, Downvotes: m.Downvotes,
		Assignees: s.Users(row.Assignees), Reviewers: s.Users(row.Reviewers), SourceProjectID: m.SourceProjectID,
		TargetProjectID: m.ProjectID,
		Labels:          labels(row.Labels, s.Labels), Draft: m.Draft, WorkInProgress: m.Draft, ImportedFrom: "none",
		MergeWhenPipelineSucceeds: m.AutoMerge, MergeStatus: gen.MergeRequestStatus(m.MergeStatus),
		DetailedMergeStatus: gen.MergeRequestDetailedStatus(s.Details.Status[m.ID]), Sha: &m.HeadSHA,
		MergeCommitSha: m.MergeCommitSHA, SquashCommitSha: m.SquashCommitSHA,
		DiscussionLocked: m.DiscussionLocked, ShouldRemoveSourceBranch: nil,
		ForceRemoveSourceBranch: m.RemoveSourceBranch, PreparedAt: wire.TimePtr(m.PreparedAt),
		Reference: "!" + strconv.FormatInt(m.IID, 10), References: References("!", m.IID, project.FullPath, s.Relative),
		WebURL: naming.MergeRequestURL(s.Base, project.FullPath, m.IID), TimeStats: TimeStats(m.TimeEstimate, m.TotalTimeSpent),
		Squash: m.Squash, SquashOnMerge: s.Details.Squashes[m.ID], TaskCompletionStatus: Tasks(m.Description),
		HasConflicts: m.State == model.Opened && m.MergeStatus == model.MergeRefused, BlockingDiscussionsResolved: !row.Unresolved,
	}
	if len(shown.Assignees) > 0 {
		shown.Assignee = &shown.Assignees[0]
	}
	if row.Milestone != nil {
		shown.Milestone = ptr(s.Milestone(s.Now)(*row.Milestone))
	}
	if m.AutoMerge && m.AutoMergeUserID != nil {
		shown.MergeUser = s.person(s.Details.AutoMergeUsers[*m.AutoMergeUserID])
	}
	if m.SourceProjectID == nil || *m.SourceProjectID != m.ProjectID {
		shown.AllowCollaboration, shown.AllowMaintainerToPush = &m.AllowCollaboration, &m.AllowCollaboration
	}
	return shown
}

// MergeRequestExtras holds what only the response for a single merge request shows.
type MergeRequestExtras struct {
	Subscribed        bool
	Version           *model.MergeRequestVersion
	Pipeline          bool // whether the caller can see pipelines
	Path              string
	PipelineExtras    model.PipelineDetails
	CanMerge          bool
	FirstContribution bool
}

const maxChangesCount = 1000

// MergeRequestSingle presents a merge request by itself.
func (s MergeRequestPresenter) MergeRequestSingle(row model.MergeRequestRow, more MergeRequestExtras) gen.MergeRequest {
	shown, m := s.MergeRequest(row), row.MergeRequest
	shown.Subscribed, shown.FirstContribution = &more.Subscribed, &more.FirstContribution
	shown.MergeError, shown.User = wire.Maybe(m.MergeError), &gen.MergeRequestUser{CanMerge: more.CanMerge}
	shown.ChangesCount = wire.Null[string]()
	if more.Version != nil {
		text := strconv.FormatInt(more.Version.Changes, 10)
		if more.Version.Changes > maxChangesCount {
			text = strconv.Itoa(maxChangesCount) + "+"
		}
		shown.ChangesCount = wire.Some(text)
	}
	refs := gen.MergeRequestDiffRefs{HeadSha: m.HeadSHA, StartSha: m.StartSHA}
	if m.BaseSHA != "" {
		refs.BaseSha = &m.BaseSHA
	}
	shown.DiffRefs = wire.Some(refs)
	shown.LatestBuildStartedAt, shown.LatestBuildFinishedAt = wire.Null[wire.Time](), wire.Null[wire.Time]()
	shown.FirstDeployedToProductionAt = wire.Null[wire.Time]()
	shown.Pipeline, shown.HeadPipeline = wire.Null[gen.PipelineBasic](), wire.Null[gen.Pipeline]()
	if p := row.Pipeline; p != nil && more.Pipeline {
		shown.LatestBuildStartedAt, shown.LatestBuildFinishedAt =
			wire.Maybe(wire.TimePtr(p.StartedAt)), wire.Maybe(wire.TimePtr(p.FinishedAt))
		shown.Pipeline = wire.Some(s.Pipeline(more.Path, *p))
		shown.HeadPipeline = wire.Some(s.PipelineSingle(more.Path, *p, more.PipelineExtras))
	}
	return shown
}

// MergeRequestHTML adds the title and the description as HTML.
func MergeRequestHTML(shown *gen.MergeRequest) {
	shown.TitleHTML, shown.DescriptionHTML = ptr(html.EscapeString(shown.Title)), ptr(paragraph(shown.Description))
}

// MergeRequestSimple presents only the identity and the state of a merge request.
func (p Presenter) MergeRequestSimple(row model.MergeRequestRow) gen.MergeRequestListed {
	m := row.MergeRequest
	shown := gen.MergeRequestSimple{
		ID: m.ID, Iid: m.IID, ProjectID: m.ProjectID, Title: m.Title, Description: m.Description, State: gen.MergeRequestState(m.State),
		CreatedAt: wire.NewTime(m.CreatedAt), UpdatedAt: wire.NewTime(m.UpdatedAt),
	}
	if row.Project != nil {
		shown.WebURL = naming.MergeRequestURL(p.Base, row.Project.FullPath, m.IID)
	}
	return shown
}

// MergeRequestVersion presents a version in a list. patchID is empty if it is unknown.
func MergeRequestVersion(v model.MergeRequestVersion, patchID string) gen.MergeRequestVersion {
	shown := gen.MergeRequestVersion{
		ID: v.ID, HeadCommitSha: v.HeadSHA, StartCommitSha: v.StartSHA, CreatedAt: wire.NewTime(v.CreatedAt),
		MergeRequestID: v.MergeRequestID,
		State:          "collected", RealSize: strconv.FormatInt(v.Changes, 10),
	}
	if v.BaseSHA != "" {
		shown.BaseCommitSha = &v.BaseSHA
	}
	if patchID != "" {
		shown.PatchIDSha = &patchID
	}
	return shown
}

// VersionDetail presents a single version; shown is its form in lists.
func (p Presenter) VersionDetail(
	project model.Project, shown gen.MergeRequestVersion, commits []git.Commit, files []git.FileDiff, unified bool,
) gen.MergeRequestVersion {
	listed := All(commits, func(c git.Commit) gen.Commit { return p.Commit(project, c) })
	diffs := All(files, func(f git.FileDiff) gen.Diff { return Diff(f, unified) })
	shown.Commits, shown.Diffs = &listed, &diffs
	return shown
}

// MergeRequestReviewer presents a reviewer.
func (p Presenter) MergeRequestReviewer(r model.Reviewer) gen.MergeRequestReviewer {
	return gen.MergeRequestReviewer{
		User: p.UserBasic(r.User), State: gen.MergeRequestReviewState(r.ReviewState), CreatedAt: wire.NewTime(r.Since),
	}
}

// MergeRequestApprovals presents the approvals of a merge request; may says whether the reader is allowed to approve
// it.
func (p Presenter) MergeRequestApprovals(m model.MergeRequest, by []model.Approver, reader *int64, may bool) gen.MergeRequestApprovals {
	shown := gen.MergeRequestApprovals{
		ID: m.ID, Iid: m.IID, ProjectID: m.ProjectID, Title: m.Title, Description: m.Description, State: gen.MergeRequestState(m.State),
		CreatedAt: wire.NewTime(m.CreatedAt), UpdatedAt: wire.NewTime(m.UpdatedAt),
		MergeStatus: gen.MergeRequestStatus(m.MergeStatus), Approved: len(by) > 0,
		ApprovedBy: All(by, func(a model.Approver) gen.MergeRequestApprover {
			return gen.MergeRequestApprover{User: p.UserBasic(a.User), ApprovedAt: wire.NewTime(a.Since)}
		}),
		ApprovalRulesLeft: []gen.ApprovalRuleLeft{}, SuggestedApprovers: []gen.UserBasic{}, Approvers: []map[string]any{},
		ApproverGroups: []map[string]any{}, MergeRequestApproversAvailable: true, MultipleApprovalRulesAvailable: true,
	}
	for _, a := range by {
		shown.UserHasApproved = shown.UserHasApproved || reader != nil && a.User.ID == *reader
	}
	shown.UserCanApprove = may && !shown.UserHasApproved
	return shown
}
