// Package deletion deletes the projects and groups that were marked for deletion, when their time has come.
package deletion

import (
	"context"
	"errors"

	"svc/server/domain/group"
	"svc/server/domain/project"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// most is how many projects and groups one run deletes.
const most = 100

// Job is the background job that deletes what is due.
type Job struct{}

// Kind names the job in the queue.
func (Job) Kind() string { return "delete_marked" }

// Worker deletes marked projects and groups.
type Worker struct {
	store    *store.Store
	projects *project.Service
	groups   *group.Service
}

// NewWorker returns a worker.
func NewWorker(st *store.Store, projects *project.Service, groups *group.Service) *Worker {
	return &Worker{store: st, projects: projects, groups: groups}
}

// Run deletes what is due, a limited number at a time. What cannot be deleted does not stop the others.
func (w *Worker) Run(ctx context.Context, _ Job) error {
	rows, err := w.store.ScheduledDeletions.Due(ctx, clock.Now(ctx).UTC(), most)
	if err != nil {
		return err
	}
	var failed []error
	for _, row := range rows {
		if err := w.delete(ctx, row); err != nil && !store.IsNotFound(err) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

func (w *Worker) delete(ctx context.Context, row model.ScheduledDeletion) error {
	if row.ProjectID != nil {
		found, err := w.store.Projects.Get(ctx, *row.ProjectID, "", &store.Reader{Admin: true})
		if err != nil {
			return err
		}
		return w.projects.Delete(ctx, found.Project, nil)
	}
	g, _, err := w.store.Namespaces.GetGroup(ctx, *row.GroupID, "", nil)
	if err != nil {
		return err
	}
	return w.groups.Delete(ctx, g, nil)
}
