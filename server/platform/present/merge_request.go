package present

import (
	"html"
	"strconv"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/git"
	"svc/store/model"
)

// MergeRequestShow shows merge requests; what depends on more than the row comes in.
type MergeRequestShow struct {
	Presenter
	Labels   bool // as objects
	Now      time.Time
	Relative string                                 // full path of the project or group that was asked; empty for none
	Status   func(row model.MergeRequestRow) string // detailed_merge_status
	Squashes func(row model.MergeRequestRow) bool   // whether merging squashes
	Awaiting map[int64]*model.User                  // who wants what to be merged when its pipeline succeeds
}

// MergeRequestURL is the page of a merge request.
func (p Presenter) MergeRequestURL(project model.Project, iid int64) string {
	return p.Base + "/" + project.FullPath + "/-/merge_requests/" + strconv.FormatInt(iid, 10)
}

// MergeRequest shows a merge request in a list.
func (s MergeRequestShow) MergeRequest(row model.MergeRequestRow) gen.MergeRequest {
	m := row.MergeRequest
	project := model.Project{}
	if row.Project != nil {
		project = *row.Project
	}
	shown := gen.MergeRequest{
		ID: m.ID, Iid: m.IID, ProjectID: m.ProjectID, Title: m.Title, Description: m.Description, State: gen.MergeRequestState(m.State),
		CreatedAt: wire.NewTime(m.CreatedAt), UpdatedAt: wire.NewTime(m.UpdatedAt), MergedAt: wire.TimePtr(m.MergedAt), ClosedAt: wire.TimePtr(m.ClosedAt),
		MergedBy: s.person(row.MergedBy), MergeUser: s.person(row.MergedBy), ClosedBy: s.person(row.ClosedBy), Author: s.person(row.Author),
		TargetBranch: m.TargetBranch, SourceBranch: m.SourceBranch, UserNotesCount: m.UserNotesCount, Upvotes: m.Upvotes, Downvotes: m.Downvotes,
		Assignees: s.People(row.Assignees), Reviewers: s.People(row.Reviewers), SourceProjectID: m.SourceProjectID, TargetProjectID: m.ProjectID,
		Labels: labels(row.Labels, s.Labels), Draft: m.Draft, WorkInProgress: m.Draft, ImportedFrom: "none",
		MergeWhenPipelineSucceeds: m.AutoMerge, MergeStatus: gen.MergeRequestStatus(m.MergeStatus),
		DetailedMergeStatus: gen.MergeRequestDetailedStatus(s.Status(row)), Sha: &m.HeadSHA, MergeCommitSha: m.MergeCommitSHA, SquashCommitSha: m.SquashCommitSHA,
		DiscussionLocked: m.DiscussionLocked, ShouldRemoveSourceBranch: nil, ForceRemoveSourceBranch: m.RemoveSourceBranch, PreparedAt: wire.TimePtr(m.PreparedAt),
		Reference: "!" + strconv.FormatInt(m.IID, 10), References: References("!", m.IID, project.FullPath, s.Relative),
		WebURL: s.MergeRequestURL(project, m.IID), TimeStats: TimeStats(m.TimeEstimate, m.TotalTimeSpent), Squash: m.Squash, SquashOnMerge: s.Squashes(row), TaskCompletionStatus: Tasks(m.Description),
		HasConflicts: m.State == model.Opened && m.MergeStatus == model.MergeRefused, BlockingDiscussionsResolved: !row.Unresolved,
	}
	if len(shown.Assignees) > 0 {
		shown.Assignee = &shown.Assignees[0]
	}
	if row.Milestone != nil {
		shown.Milestone = ptr(s.Milestone(s.Now)(*row.Milestone))
	}
	if m.AutoMerge && m.AutoMergeUserID != nil {
		shown.MergeUser = s.person(s.Awaiting[*m.AutoMergeUserID])
	}
	if m.SourceProjectID == nil || *m.SourceProjectID != m.ProjectID {
		shown.AllowCollaboration, shown.AllowMaintainerToPush = &m.AllowCollaboration, &m.AllowCollaboration
	}
	return shown
}

// MergeRequestMore is what a single merge request shows beside.
type MergeRequestMore struct {
	Subscribed bool
	Version    *model.MergeRequestVersion
	Pipeline   bool // whether the reader sees pipelines
	Path       string
	Beside     model.PipelineShown
	CanMerge   bool
	First      bool
}

const mostCounted = 1000

// SingleMergeRequest is everything that the answer about a single merge request shows.
type SingleMergeRequest struct {
	Show MergeRequestShow
	Row  model.MergeRequestRow
	More MergeRequestMore
}

// Body is the answer about a single merge request.
func (o SingleMergeRequest) Body() gen.MergeRequest {
	s, row, more := o.Show, o.Row, o.More
	shown, m := s.MergeRequest(row), row.MergeRequest
	shown.Subscribed, shown.FirstContribution = &more.Subscribed, &more.First
	shown.MergeError, shown.User = wire.Maybe(m.MergeError), &gen.MergeRequestUser{CanMerge: more.CanMerge}
	shown.ChangesCount = wire.Null[string]()
	if more.Version != nil {
		text := strconv.FormatInt(more.Version.Changes, 10)
		if more.Version.Changes > mostCounted {
			text = strconv.Itoa(mostCounted) + "+"
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
		shown.LatestBuildStartedAt, shown.LatestBuildFinishedAt = wire.Maybe(wire.TimePtr(p.StartedAt)), wire.Maybe(wire.TimePtr(p.FinishedAt))
		shown.Pipeline = wire.Some(s.Pipeline(more.Path, *p))
		shown.HeadPipeline = wire.Some(s.PipelineSingle(more.Path, *p, more.Beside))
	}
	return shown
}

// HTML adds the title and the description as HTML.
func (MergeRequestShow) HTML(shown *gen.MergeRequest) {
	shown.TitleHTML, shown.DescriptionHTML = ptr(html.EscapeString(shown.Title)), ptr(paragraph(shown.Description))
}

// Simple shows only what names a merge request, and its state.
func (p Presenter) Simple(row model.MergeRequestRow) gen.MergeRequestListed {
	m := row.MergeRequest
	shown := gen.MergeRequestSimple{
		ID: m.ID, Iid: m.IID, ProjectID: m.ProjectID, Title: m.Title, Description: m.Description, State: gen.MergeRequestState(m.State),
		CreatedAt: wire.NewTime(m.CreatedAt), UpdatedAt: wire.NewTime(m.UpdatedAt),
	}
	if row.Project != nil {
		shown.WebURL = p.MergeRequestURL(*row.Project, m.IID)
	}
	return shown
}

// MergeRequestVersion shows a version in a list. The patch id is empty where none is known.
func MergeRequestVersion(v model.MergeRequestVersion, patchID string) gen.MergeRequestVersion {
	shown := gen.MergeRequestVersion{
		ID: v.ID, HeadCommitSha: v.HeadSHA, StartCommitSha: v.StartSHA, CreatedAt: wire.NewTime(v.CreatedAt), MergeRequestID: v.MergeRequestID,
		State: "collected", RealSize: strconv.FormatInt(v.Changes, 10),
	}
	if v.BaseSHA != "" {
		shown.BaseCommitSha = &v.BaseSHA
	}
	if patchID != "" {
		shown.PatchIDSha = &patchID
	}
	return shown
}

// VersionDetail shows a version by itself; shown is what lists have of it.
func (p Presenter) VersionDetail(project model.Project, shown gen.MergeRequestVersion, commits []git.Commit, files []git.FileDiff, unified bool) gen.MergeRequestVersion {
	listed := All(commits, func(c git.Commit) gen.Commit { return p.Commit(project, c) })
	diffs := All(files, func(f git.FileDiff) gen.Diff { return Diff(f, unified) })
	shown.Commits, shown.Diffs = &listed, &diffs
	return shown
}

// MergeRequestReviewer shows somebody who is asked for a review.
func (p Presenter) MergeRequestReviewer(r model.Reviewer) gen.MergeRequestReviewer {
	return gen.MergeRequestReviewer{User: p.UserBasic(r.User), State: gen.MergeRequestReviewState(r.ReviewState), CreatedAt: wire.NewTime(r.Since)}
}

// MergeRequestApprovals shows who agrees to a merge request, to a reader who may agree or not.
func (p Presenter) MergeRequestApprovals(m model.MergeRequest, by []model.Approver, reader *int64, may bool) gen.MergeRequestApprovals {
	shown := gen.MergeRequestApprovals{
		ID: m.ID, Iid: m.IID, ProjectID: m.ProjectID, Title: m.Title, Description: m.Description, State: gen.MergeRequestState(m.State),
		CreatedAt: wire.NewTime(m.CreatedAt), UpdatedAt: wire.NewTime(m.UpdatedAt), MergeStatus: gen.MergeRequestStatus(m.MergeStatus), Approved: len(by) > 0,
		ApprovedBy: All(by, func(a model.Approver) gen.MergeRequestApprover {
			return gen.MergeRequestApprover{User: p.UserBasic(a.User), ApprovedAt: wire.NewTime(a.Since)}
		}),
	}
	for _, a := range by {
		shown.UserHasApproved = shown.UserHasApproved || reader != nil && a.User.ID == *reader
	}
	shown.UserCanApprove = may && !shown.UserHasApproved
	return shown
}
