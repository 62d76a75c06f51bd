package store

import (
	"context"
	"slices"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// Deployments holds the deployments to environments, by jobs and created by API.
type Deployments struct{ *base }

// Create adds deployments of one project and gives them their numbers.
func (s Deployments) Create(ctx context.Context, rows []model.Deployment) error {
	last, err := s.nextOf(ctx, rows[0].ProjectID, counterDeployments, int64(len(rows)))
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].IID = last - int64(len(rows)) + int64(i) + 1
	}
	return query.Translate(s.db.Write(ctx).CreateInBatches(&rows, someRows).Error)
}

// UpdateByJobs sets the status of the deployments of jobs after the jobs changed theirs.
func (s Deployments) UpdateByJobs(ctx context.Context, status string, finished *time.Time, jobs []int64) error {
	for some := range slices.Chunk(jobs, someRows) {
		set := map[string]any{"status": status, "updated_at": s.now(), "finished_at": finished}
		if err := s.db.Write(ctx).Model(&model.Deployment{}).Where("job_id IN ?", some).UpdateColumns(set).Error; err != nil {
			return query.Translate(err)
		}
	}
	return nil
}

// IDsByJobs returns the deployments of jobs that have one of the given statuses.
func (s Deployments) IDsByJobs(ctx context.Context, jobs []int64, statuses []string) ([]int64, error) {
	var ids []int64
	for some := range slices.Chunk(jobs, someRows) {
		var found []int64
		err := s.db.Read(ctx).Model(&model.Deployment{}).Where("job_id IN ? AND status IN ?", some, statuses).
			Order("id").Pluck("id", &found).Error
		if err != nil {
			return nil, query.Translate(err)
		}
		ids = append(ids, found...)
	}
	return ids, nil
}

// DeploymentFilter narrows a list of deployments.
type DeploymentFilter struct {
	Environment string
	Status      string
	OrderBy     string // id, iid, created_at, updated_at or ref
	Desc        bool
	After       *time.Time // last changed at or after this time
	Before      *time.Time
}

// List returns one page of the deployments of a project.
func (s Deployments) List(ctx context.Context, projectID int64, f DeploymentFilter, p Page) ([]model.DeploymentRow, Total, error) {
	q := s.db.Read(ctx).Where("deployments.project_id = ?", projectID)
	if f.Environment != "" {
		q = q.Where("environment_id IN (SELECT id FROM environments WHERE project_id = ? AND name = ?)", projectID, f.Environment)
	}
	if f.Status != "" {
		q = q.Where("deployments.status = ?", f.Status)
	}
	if f.After != nil {
		q = q.Where("deployments.updated_at >= ?", *f.After)
	}
	if f.Before != nil {
		q = q.Where("deployments.updated_at <= ?", *f.Before)
	}
	column, direction := "deployments.id", ""
	switch f.OrderBy {
	case "iid", "created_at", "updated_at":
		column = "deployments." + f.OrderBy
	case "ref":
		column = "COALESCE((SELECT jobs.ref FROM jobs WHERE jobs.id = job_id), deployments.ref)"
	}
	if f.Desc {
		direction = " DESC"
	}
	rows, total, err := query.ListFiltered[model.Deployment](q.Order(column+direction).Order("deployments.id"+direction), p)
	if err != nil {
		return nil, total, err
	}
	shown, err := s.complete(ctx, rows)
	return shown, total, err
}

// Get returns a deployment of a project.
func (s Deployments) Get(ctx context.Context, projectID, id int64) (model.DeploymentRow, error) {
	row, err := query.Take[model.Deployment](s.db.Read(ctx).Where("id = ? AND project_id = ?", id, projectID), "Deployment")
	if err != nil {
		return model.DeploymentRow{}, err
	}
	rows, err := s.complete(ctx, []model.Deployment{row})
	if err != nil {
		return model.DeploymentRow{}, err
	}
	return rows[0], nil
}

// LastSuccessful returns the latest successful deployment to an environment, or nil if there is none.
func (s Deployments) LastSuccessful(ctx context.Context, environmentID int64) (*model.DeploymentRow, error) {
	return s.newest(ctx, "environment_id = ? AND status = 'success'", environmentID)
}

// LastOf returns the latest successful deployments to some environments, by the ID of the environment.
func (s Deployments) LastOf(ctx context.Context, environmentIDs []int64) (map[int64]model.DeploymentRow, error) {
	if len(environmentIDs) == 0 {
		return nil, nil
	}
	newest := s.db.Read(ctx).Model(&model.Deployment{}).Select("max(id)").
		Where("environment_id IN ? AND status = 'success'", environmentIDs).Group("environment_id")
	rows, err := query.Find[model.Deployment](s.db.Read(ctx).Where("id IN (?)", newest), len(environmentIDs))
	if err != nil {
		return nil, query.Translate(err)
	}
	shown, err := s.complete(ctx, rows)
	last := make(map[int64]model.DeploymentRow, len(shown))
	for _, row := range shown {
		last[row.Environment.ID] = row
	}
	return last, err
}

// PreviousSuccessful returns the latest successful deployment to the same environment before a deployment, or nil.
func (s Deployments) PreviousSuccessful(ctx context.Context, d model.Deployment) (*model.DeploymentRow, error) {
	return s.newest(ctx, "environment_id = ? AND status = 'success' AND id < ?", d.EnvironmentID, d.ID)
}

// newest returns the newest deployment that fits a condition, or nil.
func (s Deployments) newest(ctx context.Context, condition string, args ...any) (*model.DeploymentRow, error) {
	rows, err := query.Find[model.Deployment](s.db.Read(ctx).Where(condition, args...).Order("id DESC").Limit(1), 1)
	if err != nil || len(rows) == 0 {
		return nil, query.Translate(err)
	}
	shown, err := s.complete(ctx, rows)
	if err != nil || len(shown) == 0 {
		return nil, err
	}
	return &shown[0], nil
}

// Move gives a deployment without a job another status. It returns false if the deployment has changed since it was read.
func (s Deployments) Move(ctx context.Context, d model.Deployment, status string, finished *time.Time) (bool, error) {
	set := map[string]any{"status": status, "updated_at": s.now(), "finished_at": finished}
	res := s.db.Write(ctx).Model(&model.Deployment{}).Where("id = ? AND job_id IS NULL AND status = ?", d.ID, d.Status).UpdateColumns(set)
	return res.RowsAffected == 1, query.Translate(res.Error)
}

// Delete removes a deployment, unless it was changed after the given time. Before, it calls check with the deployment as it
// is now, and with whether it is the last successful one of its environment. No other deployment of the environment is
// deleted at the same time.
func (s Deployments) Delete(
	ctx context.Context, row model.Deployment, unchangedSince *time.Time, check func(now model.Deployment, last bool) error,
) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "deployments to environment "+strconv.FormatInt(row.EnvironmentID, 10)); err != nil {
			return err
		}
		now, err := query.Take[model.Deployment](s.db.Write(ctx).Where("id = ?", row.ID), "Deployment")
		if err != nil {
			return err
		}
		var last int64
		err = query.ScanFirst(s.db.Write(ctx).Raw(
			"SELECT COALESCE(max(id), 0) FROM deployments WHERE environment_id = ? AND status = 'success'", row.EnvironmentID), &last)
		if err != nil {
			return query.Translate(err)
		}
		if err := check(now, last == now.ID); err != nil {
			return err
		}
		return query.DeleteOne(ctx, s.db, now, "Deployment", unchangedSince)
	})
}

// complete adds the environments, and the jobs or users. Deployments without an environment, and those whose job is
// deleted at this moment, are left out.
func (s Deployments) complete(ctx context.Context, rows []model.Deployment) ([]model.DeploymentRow, error) {
	environments, users, jobs := map[int64]bool{}, map[int64]bool{}, make([]int64, 0, len(rows))
	for _, row := range rows {
		environments[row.EnvironmentID] = true
		if row.JobID != nil {
			jobs = append(jobs, *row.JobID)
		}
		if row.UserID != nil {
			users[*row.UserID] = true
		}
	}
	places, err := byID(ctx, s.base, environments, func(e *model.Environment) int64 { return e.ID })
	if err != nil {
		return nil, err
	}
	people, err := byID(ctx, s.base, users, func(u *model.User) int64 { return u.ID })
	if err != nil {
		return nil, err
	}
	byJob, err := Jobs(s).byIDs(ctx, jobs)
	if err != nil {
		return nil, err
	}
	shown := make([]model.DeploymentRow, 0, len(rows))
	for _, row := range rows {
		place, job := places[row.EnvironmentID], of(byJob, row.JobID)
		if place == nil || row.JobID != nil && job == nil {
			continue
		}
		one := model.DeploymentRow{Deployment: row, Environment: *place, Job: job, User: of(people, row.UserID)}
		if job != nil {
			one.User = job.User
		}
		shown = append(shown, one)
	}
	return shown, nil
}
