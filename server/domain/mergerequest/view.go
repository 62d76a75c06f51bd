package mergerequest

import (
	"context"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Viewer reads what API responses about merge requests show besides their rows.
type Viewer struct {
	present.Presenter
	store  *store.Store
	merger *Merger
}

// NewViewer returns a Viewer.
func NewViewer(st *store.Store, m *Merger, p present.Presenter) *Viewer {
	return &Viewer{Presenter: p, store: st, merger: m}
}

// List reads what a list of merge requests shows besides its rows. relative is the full path of the requested project
// or group.
func (s *Viewer) List(
	ctx context.Context,
	rows []model.MergeRequestRow,
	labels bool,
	relative string,
) (present.MergeRequestPresenter, error) {
	show := present.MergeRequestPresenter{
		Presenter: s.Presenter, Labels: labels, Now: time.Now(), Relative: relative, AutoMergeUsers: map[int64]*model.User{},
		Status: func(row model.MergeRequestRow) string {
			f := Facts{Pipeline: row.Pipeline, Unresolved: row.Unresolved}
			if row.Project != nil {
				f.Project = *row.Project
			}
			return Detailed(row.MergeRequest, f)
		},
		Squashes: func(row model.MergeRequestRow) bool {
			return row.Project != nil && Squashes(*row.Project, row.MergeRequest.Squash)
		},
	}
	wanted := map[int64]bool{}
	for i := range rows {
		if id := rows[i].MergeRequest.AutoMergeUserID; id != nil && rows[i].MergeRequest.AutoMerge {
			wanted[*id] = true
		}
	}
	var err error
	if len(wanted) > 0 {
		show.AutoMergeUsers, err = s.store.Users.Shown(ctx, wanted)
	}
	return show, err
}

// One reads one merge request with its current merge status.
func (s *Viewer) One(ctx context.Context, row model.ProjectRow, iid int64) (present.SingleMergeRequest, error) {
	shown, err := s.store.MergeRequests.GetShown(ctx, row.Project.ID, iid)
	if err != nil {
		return present.SingleMergeRequest{}, err
	}
	if shown.MergeRequest, err = s.merger.CheckInTime(ctx, row.Project, shown.MergeRequest); err != nil {
		return present.SingleMergeRequest{}, err
	}
	more, err := s.more(ctx, row, shown)
	if err != nil {
		return present.SingleMergeRequest{}, err
	}
	show, err := s.List(ctx, []model.MergeRequestRow{shown}, false, row.Project.FullPath)
	return present.SingleMergeRequest{Show: show, Row: shown, More: more}, err
}

func (s *Viewer) more(ctx context.Context, row model.ProjectRow, shown model.MergeRequestRow) (present.MergeRequestExtras, error) {
	mr := shown.MergeRequest
	more := present.MergeRequestExtras{Path: row.Project.FullPath}
	version, err := s.store.MergeRequests.LastVersion(ctx, mr.ID)
	switch {
	case err == nil:
		more.Version = &version
	case !store.IsNotFound(err):
		return more, err
	}
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		if more.Subscribed, err = s.store.Subscriptions.IsSubscribed(ctx, model.OnMergeRequest, mr.ID, actor.User.ID); err != nil {
			return more, err
		}
		if more.CanMerge, err = s.merger.Pusher.MayMerge(ctx, row, mr.TargetBranch); err != nil {
			return more, err
		}
	}
	if more.FirstContribution, err = s.store.MergeRequests.IsFirstContribution(ctx, mr); err != nil || shown.Pipeline == nil {
		return more, err
	}
	where := row
	if shown.Pipeline.ProjectID != row.Project.ID {
		reader := access.Reader(ctx)
		where, err = s.store.Projects.Get(ctx, shown.Pipeline.ProjectID, "", reader)
		if store.IsNotFound(err) || err == nil && !access.SeesProject(where, reader) {
			return more, nil
		}
		if err != nil {
			return more, err
		}
		more.Path = where.Project.FullPath
	}
	if more.Pipeline = where.ReadsJobs(); !more.Pipeline {
		return more, nil
	}
	more.PipelineExtras, err = s.store.Pipelines.Details(ctx, *shown.Pipeline)
	return more, err
}
