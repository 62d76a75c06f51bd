package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Runners holds the runners, their machines and their registration tokens.
type Runners struct{ *base }

const runner = "Runner"

// Create adds a runner. A project runner needs its first project.
func (s Runners) Create(ctx context.Context, r *model.Runner, projects ...int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Write(ctx).Create(r).Error; err != nil {
			return query.Translate(err)
		}
		for _, id := range projects {
			if err := s.db.Write(ctx).Create(&model.RunnerProject{RunnerID: r.ID, ProjectID: id}).Error; err != nil {
				return query.Translate(err)
			}
		}
		return nil
	})
}

// RunnerRequest is a runner that sends a request from one of its machines.
type RunnerRequest struct {
	Runner    model.Runner
	ManagerID *int64     // nil for a machine that is new
	Contacted *time.Time // time of the machine's last request
	Waiting   bool       // there are pending jobs, for any runner
	// MultiStep says that the machine runs every step of a job. Older ones run only script and after_script.
	MultiStep bool
}

const callingRunner = `SELECT r.id, r.runner_type, r.group_id, r.token_expires_at, r.description, r.paused, r.locked,
		r.run_untagged, r.access_level,
	r.maximum_timeout, r.tags, r.version, r.contacted_at, m.id, m.contacted_at, EXISTS (SELECT 1 FROM pending_jobs)
	FROM runners r LEFT JOIN runner_managers m ON m.runner_id = r.id AND m.system_id = ? WHERE r.digest = ?`

// FindByToken returns the runner whose token has this digest, with the data that is needed to give it a job.
func (s Runners) FindByToken(ctx context.Context, digest, systemID string) (RunnerRequest, error) {
	var c RunnerRequest
	r := &c.Runner
	err := s.db.Row(ctx, callingRunner, []any{systemID, digest},
		&r.ID, &r.RunnerType, &r.GroupID, &r.TokenExpiresAt, &r.Description, &r.Paused,
		&r.Locked, &r.RunUntagged, &r.AccessLevel, &r.MaximumTimeout, &r.Tags, &r.Version, &r.ContactedAt,
		&c.ManagerID, &c.Contacted, &c.Waiting)
	return c, query.Translate(err, runner)
}

// MachineInfo is the information that a machine sends about itself.
type MachineInfo struct {
	Name, Version, Revision, Platform, Architecture *string
	IP                                              string
	MultiStep                                       bool // see RunnerRequest
}

// StoreContact stores a request of a machine and what it sent about itself. The id is nil if systemID is empty.
func (s Runners) StoreContact(ctx context.Context, runnerID int64, systemID string, c MachineInfo) (managerID *int64, err error) {
	at := s.now()
	err = s.Tx(ctx, func(ctx context.Context) error {
		set := map[string]any{"contacted_at": at, "ip_address": c.IP}
		for column, value := range map[string]*string{
			"name": c.Name, "version": c.Version, "revision": c.Revision, "platform": c.Platform, "architecture": c.Architecture,
		} {
			if value != nil {
				set[column] = value
			}
		}
		if err := s.db.Write(ctx).Model(&model.Runner{}).Where("id = ?", runnerID).UpdateColumns(set).Error; err != nil || systemID == "" {
			return query.Translate(err)
		}
		m := model.RunnerManager{
			RunnerID: runnerID, SystemID: systemID, Version: c.Version, Revision: c.Revision, Platform: c.Platform,
			Architecture: c.Architecture,
			IPAddress:    &c.IP, ContactedAt: &at,
		}
		err := s.db.Write(ctx).Clauses(clause.OnConflict{
			Columns:   []clause.Column{{Name: "runner_id"}, {Name: "system_id"}},
			DoUpdates: clause.AssignmentColumns([]string{"version", "revision", "platform", "architecture", "ip_address", "contacted_at"}),
		}).Create(&m).Error
		if err != nil {
			return query.Translate(err)
		}
		found, err := query.Take[model.RunnerManager](s.db.Write(ctx).Where("runner_id = ? AND system_id = ?", runnerID, systemID), runner)
		managerID = &found.ID
		return err
	})
	return managerID, err
}

// Registration returns the registration token with this digest. Registration tokens are the old way to register
// runners.
func (s Runners) Registration(ctx context.Context, digest string) (model.RegistrationToken, error) {
	return query.Take[model.RegistrationToken](s.db.Read(ctx).Where("digest = ?", digest), "Token")
}

// ResetRegistration replaces the registration token of the instance, a group or a project.
func (s Runners) ResetRegistration(ctx context.Context, t *model.RegistrationToken) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		gone := s.db.Write(ctx).
			Where("coalesce(group_id, 0) = coalesce(?, 0) AND coalesce(project_id, 0) = coalesce(?, 0)", t.GroupID, t.ProjectID)
		if err := gone.Delete(&model.RegistrationToken{}).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Create(t).Error)
	})
}

// Delete removes a runner, unless it was changed after the given time. Its jobs stay.
func (s Runners) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.Runner](ctx, s.db, runner, unchangedSince, "id = ?", id)
}

// DeleteManager removes a machine of a runner, unless its first request came after the given time.
func (s Runners) DeleteManager(ctx context.Context, runnerID int64, systemID string, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.RunnerManager](
		ctx, s.db, "Manager", unchangedSince,
		"runner_id = ? AND system_id = ?", runnerID, systemID,
	)
}

// Update changes columns of a runner.
func (s Runners) Update(ctx context.Context, id int64, set map[string]any) error {
	set["updated_at"] = s.now()
	return query.Translate(s.db.Write(ctx).Model(&model.Runner{}).Where("id = ?", id).UpdateColumns(set).Error)
}
