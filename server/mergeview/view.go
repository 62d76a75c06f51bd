// Package mergeview shows merge requests, for all areas that do.
package mergeview

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/access"
	"svc/server/merge"
	"svc/server/present"
	"svc/server/request"
	"svc/store"
	"svc/store/model"
)

// View presents merge requests, which takes what the rules of their projects say.
type View struct {
	present.Presenter
	store  *store.Store
	merger *merge.Merger
}

// New needs where rows are kept, who checks merge requests, and how things are shown.
func New(st *store.Store, m *merge.Merger, p present.Presenter) *View {
	return &View{Presenter: p, store: st, merger: m}
}

// shower knows what the rows of a list need.
func (s *View) shower(ctx context.Context, rows []model.MergeRequestRow, labels bool, relative string) (present.MergeRequestShow, error) {
	show := present.MergeRequestShow{
		Presenter: s.Presenter, Labels: labels, Now: time.Now(), Relative: relative, Awaiting: map[int64]*model.User{},
		Status: func(row model.MergeRequestRow) string {
			f := merge.Facts{Pipeline: row.Pipeline, Unresolved: row.Unresolved}
			if row.Project != nil {
				f.Project = *row.Project
			}
			return merge.Detailed(row.MergeRequest, f)
		},
		Squashes: func(row model.MergeRequestRow) bool {
			return row.Project != nil && merge.Squashes(*row.Project, row.MergeRequest.Squash)
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
		show.Awaiting, err = s.store.Users.Shown(ctx, wanted)
	}
	return show, err
}

// List shows merge requests of a list; relative is the full path of the project or group that was asked.
func (s *View) List(ctx context.Context, rows []model.MergeRequestRow, labels bool, relative string) ([]gen.MergeRequest, error) {
	show, err := s.shower(ctx, rows, labels, relative)
	return present.All(rows, show.MergeRequest), err
}

// Single shows a merge request by itself, as it is now.
func (s *View) Single(ctx context.Context, row model.ProjectRow, iid int64) (gen.MergeRequest, error) {
	shown, err := s.store.MergeRequests.GetShown(ctx, row.Project.ID, iid)
	if err != nil {
		return gen.MergeRequest{}, err
	}
	if shown.MergeRequest, err = s.merger.Look(ctx, row.Project, shown.MergeRequest); err != nil {
		return gen.MergeRequest{}, err
	}
	more, err := s.more(ctx, row, shown)
	if err != nil {
		return gen.MergeRequest{}, err
	}
	show, err := s.shower(ctx, []model.MergeRequestRow{shown}, false, row.Project.FullPath)
	return show.Single(shown, more), err
}

func (s *View) more(ctx context.Context, row model.ProjectRow, shown model.MergeRequestRow) (present.MergeRequestMore, error) {
	mr := shown.MergeRequest
	more := present.MergeRequestMore{Path: row.Project.FullPath}
	version, err := s.store.MergeRequests.LastVersion(ctx, mr.ID)
	switch {
	case err == nil:
		more.Version = &version
	case !store.IsNotFound(err):
		return more, err
	}
	if actor := request.Of(ctx).Actor; actor != nil {
		if more.Subscribed, err = s.store.Subscriptions.Follows(ctx, model.OnMergeRequest, mr.ID, actor.User.ID); err != nil {
			return more, err
		}
		if more.CanMerge, err = s.merger.Pusher.MayMerge(ctx, row, mr.TargetBranch); err != nil {
			return more, err
		}
	}
	if more.First, err = s.store.MergeRequests.FirstOf(ctx, mr); err != nil || shown.Pipeline == nil {
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
	more.Beside, err = s.store.Pipelines.Shown(ctx, *shown.Pipeline)
	return more, err
}
