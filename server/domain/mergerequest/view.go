package mergerequest

import (
	"context"

	"svc/server/domain/mergerequest/approval"
	"svc/server/domain/mergerequest/mergestatus"
	"svc/server/domain/mergerequest/statuscheck"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Viewer reads what API responses about merge requests show besides their rows.
type Viewer struct {
	store  *store.Store
	merger *Merger
}

// NewViewer returns a Viewer.
func NewViewer(m *Merger) *Viewer { return &Viewer{store: m.Store, merger: m} }

// Details are what responses show besides the rows of merge requests, by the ID of the merge request. They convert to
// present.MergeRequestDetails.
type Details struct {
	Status         map[int64]string      // detailed_merge_status
	Squashes       map[int64]bool        // whether merging squashes the commits
	AutoMergeUsers map[int64]*model.User // users who set "merge when the pipeline succeeds", by user ID
}

// Details reads the details of merge requests. The number of its queries does not depend on that of the merge requests.
func (v *Viewer) Details(ctx context.Context, rows ...model.MergeRequestRow) (Details, error) {
	d := Details{Status: make(map[int64]string, len(rows)), Squashes: make(map[int64]bool, len(rows))}
	wanted, open := map[int64]bool{}, []model.MergeRequest(nil)
	for i := range rows {
		if rows[i].MergeRequest.State == model.Opened {
			open = append(open, rows[i].MergeRequest)
		}
	}
	approvals, err := approval.Load(ctx, v.store, open)
	if err != nil {
		return d, err
	}
	missing, err := statuscheck.Missing(ctx, v.store, requireChecks(rows)...)
	if err != nil {
		return d, err
	}
	for i := range rows {
		mr, f := rows[i].MergeRequest, mergestatus.Facts{Pipeline: rows[i].Pipeline, Unresolved: rows[i].Unresolved}
		approvals[mr.ID].Describe(&f)
		f.ChecksPending = missing[mr.ID]
		if rows[i].Project != nil {
			f.Project = *rows[i].Project
			d.Squashes[mr.ID] = Squashes(f.Project, mr.Squash)
		}
		d.Status[mr.ID] = mergestatus.Detailed(mr, f)
		if id := mr.AutoMergeUserID; id != nil && mr.AutoMerge {
			wanted[*id] = true
		}
	}
	if len(wanted) > 0 {
		d.AutoMergeUsers, err = v.store.Users.Shown(ctx, wanted)
	}
	return d, err
}

// requireChecks returns the open merge requests of projects that require that all external status checks pass.
func requireChecks(rows []model.MergeRequestRow) []model.MergeRequest {
	var list []model.MergeRequest
	for _, row := range rows {
		if row.MergeRequest.State == model.Opened && row.Project != nil && row.Project.OnlyAllowMergeIfAllStatusChecksPassed {
			list = append(list, row.MergeRequest)
		}
	}
	return list
}

// Single is one merge request with everything that its response shows.
type Single struct {
	Row     model.MergeRequestRow
	Details Details
	Extras  Extras
}

// Extras are what only the response about a single merge request shows. They convert to present.MergeRequestExtras.
type Extras struct {
	Subscribed        bool
	Version           *model.MergeRequestVersion
	Pipeline          bool // whether the caller can see pipelines
	Path              string
	PipelineExtras    model.PipelineDetails
	CanMerge          bool
	FirstContribution bool
}

// Single reads one merge request with its current merge status.
func (v *Viewer) Single(ctx context.Context, row model.ProjectRow, iid int64) (Single, error) {
	mr, err := v.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	if err != nil {
		return Single{}, err
	}
	return v.SingleOf(ctx, row, mr)
}

// SingleOf is Single for a merge request that was read or written just now.
func (v *Viewer) SingleOf(ctx context.Context, row model.ProjectRow, mr model.MergeRequest) (Single, error) {
	var me int64
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		me = actor.User.ID
	}
	shown, beside, err := v.store.MergeRequests.CompleteSingle(ctx, mr, &row.Project, me)
	if err != nil {
		return Single{}, err
	}
	if shown.MergeRequest, err = v.merger.CheckInTime(ctx, row.Project, shown.MergeRequest); err != nil {
		return Single{}, err
	}
	extras, err := v.extras(ctx, row, shown, beside)
	if err != nil {
		return Single{}, err
	}
	details, err := v.Details(ctx, shown)
	return Single{Row: shown, Details: details, Extras: extras}, err
}

// extras reads what only the response about a single merge request shows.
func (v *Viewer) extras(
	ctx context.Context, row model.ProjectRow, shown model.MergeRequestRow, beside store.MergeRequestBeside,
) (more Extras, err error) {
	actor := reqctx.Of(ctx).Actor
	more = Extras{
		Path: row.Project.FullPath, Version: beside.Version, FirstContribution: beside.FirstContribution,
		Subscribed: actor != nil && beside.Subscribed,
	}
	if actor != nil {
		more.CanMerge, err = v.merger.Pusher.MayMerge(ctx, row, shown.MergeRequest.TargetBranch)
	}
	if err != nil || shown.Pipeline == nil {
		return more, err
	}
	err = v.pipeline(ctx, row, *shown.Pipeline, &more)
	return more, err
}

// pipeline reads the details of the head pipeline, if the caller can see it.
func (v *Viewer) pipeline(ctx context.Context, row model.ProjectRow, p model.Pipeline, more *Extras) error {
	where := row
	if p.ProjectID != row.Project.ID {
		reader := access.Reader(ctx)
		var err error
		where, err = v.store.Projects.Get(ctx, p.ProjectID, "", reader)
		if store.IsNotFound(err) || err == nil && !access.SeesProject(where, reader) {
			return nil
		}
		if err != nil {
			return err
		}
		more.Path = where.Project.FullPath
	}
	if more.Pipeline = where.ReadsJobs(); !more.Pipeline {
		return nil
	}
	var err error
	more.PipelineExtras, err = v.store.Pipelines.Details(ctx, p)
	return err
}
