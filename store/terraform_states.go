package store

import (
	"context"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// TerraformStates holds the states that Terraform keeps in projects, with their versions and locks.
type TerraformStates struct{ *base }

const (
	terraformState   = "Terraform State"
	terraformVersion = "Terraform State Version"
)

// Lock lets the other changes of the states of a project wait until the transaction ends.
func (s TerraformStates) Lock(ctx context.Context, projectID int64) error {
	return s.db.Lock(ctx, "Terraform states of project "+strconv.FormatInt(projectID, 10))
}

// Get returns a state of a project.
func (s TerraformStates) Get(ctx context.Context, projectID int64, name string) (model.TerraformState, error) {
	return query.Take[model.TerraformState](s.db.Read(ctx).Where("project_id = ? AND name = ?", projectID, name), terraformState)
}

// Create adds a state. It returns a *LimitError if the project already has most states. The caller holds the lock.
func (s TerraformStates) Create(ctx context.Context, state *model.TerraformState, most int) error {
	var n int64
	err := s.db.Write(ctx).Model(&model.TerraformState{}).Where("project_id = ?", state.ProjectID).Count(&n).Error
	if err != nil {
		return query.Translate(err)
	}
	if n >= int64(most) {
		return &LimitError{Most: most}
	}
	return query.Translate(s.db.Write(ctx).Create(state).Error)
}

// Save stores a changed state.
func (s TerraformStates) Save(ctx context.Context, state *model.TerraformState) error {
	return query.Translate(s.db.Write(ctx).Save(state).Error)
}

// Delete removes a state with its versions, unless it was changed after the given time.
func (s TerraformStates) Delete(ctx context.Context, state model.TerraformState, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, state, terraformState, unchangedSince)
}

// Latest returns the version of a state that was written last.
func (s TerraformStates) Latest(ctx context.Context, stateID int64) (model.TerraformStateVersion, error) {
	return query.Take[model.TerraformStateVersion](s.db.Read(ctx).Where("state_id = ?", stateID).Order("id DESC"), terraformVersion)
}

// Version returns a version of a state.
func (s TerraformStates) Version(ctx context.Context, stateID, serial int64) (model.TerraformStateVersion, error) {
	return query.Take[model.TerraformStateVersion](
		s.db.Read(ctx).Where("state_id = ? AND serial = ?", stateID, serial), terraformVersion,
	)
}

// AddVersion adds a version and removes the oldest ones, so that at most a number is left. It returns a *ConflictError if
// the state has a version with this serial number.
func (s TerraformStates) AddVersion(ctx context.Context, v *model.TerraformStateVersion, keep int) error {
	if err := s.db.Write(ctx).Create(v).Error; err != nil {
		return query.Translate(err)
	}
	return query.Translate(s.db.Write(ctx).Exec(`DELETE FROM terraform_state_versions WHERE state_id = ? AND id <= (
		SELECT id FROM terraform_state_versions WHERE state_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`, v.StateID, v.StateID, keep).Error)
}

// DeleteVersion removes a version, unless it was created after the given time.
func (s TerraformStates) DeleteVersion(ctx context.Context, v model.TerraformStateVersion, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, v, terraformVersion, unchangedSince)
}
