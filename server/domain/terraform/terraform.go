// Package terraform keeps the states of Terraform in projects: versions, which are stored encrypted, and locks.
package terraform

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

const (
	maxStates    = 1000 // per project
	keptVersions = 100  // per state
	maxName      = 255
)

// nameFormat is what the name of a state consists of. Clients write a slash as %2F.
var nameFormat = regexp.MustCompile(`\A[a-zA-Z0-9_.-]+(/[a-zA-Z0-9_.-]+)*\z`)

// Service keeps states.
type Service struct {
	store *store.Store
	vault secret.Vault // encrypts versions
}

// New returns the service.
func New(st *store.Store, vault secret.Vault) *Service { return &Service{store: st, vault: vault} }

// LockInfo is what Terraform says about a lock.
type LockInfo struct {
	ID, Operation, Info, Who, Version, Created, Path string
}

// HeldError says that another process holds the lock of a state, or that the state is not locked.
type HeldError struct{ Lock LockInfo }

func (e *HeldError) Error() string { return "the state is locked by " + e.Lock.Who }

// Find returns a state of a project.
func (s *Service) Find(ctx context.Context, p model.Project, name string) (model.TerraformState, error) {
	state, err := s.store.TerraformStates.Get(ctx, p.ID, name)
	return state, apierr.OrNotFound(err)
}

// Latest returns the version of a state that was written last.
func (s *Service) Latest(ctx context.Context, p model.Project, name string) (model.TerraformStateVersion, error) {
	state, err := s.Find(ctx, p, name)
	if err != nil {
		return model.TerraformStateVersion{}, err
	}
	v, err := s.store.TerraformStates.Latest(ctx, state.ID)
	return v, apierr.OrNotFound(err)
}

// Version returns a version of a state.
func (s *Service) Version(ctx context.Context, p model.Project, name string, serial int64) (model.TerraformStateVersion, error) {
	state, err := s.Find(ctx, p, name)
	if err != nil {
		return model.TerraformStateVersion{}, err
	}
	v, err := s.store.TerraformStates.Version(ctx, state.ID, serial)
	return v, apierr.OrNotFound(err)
}

// Decrypt returns the bytes of a version.
func (s *Service) Decrypt(v model.TerraformStateVersion) ([]byte, error) {
	return s.vault.Open(v.Sealed, sealOwner(v.StateID))
}

// sealOwner is the owner under which the vault encrypts the versions of a state.
func sealOwner(stateID int64) string { return "terraform state " + strconv.FormatInt(stateID, 10) }

// Write adds a version to a state, which is created unless it exists. lockID is the lock that the caller holds, or empty.
func (s *Service) Write(ctx context.Context, p model.Project, name, lockID string, data []byte, userID int64) error {
	var head struct{ Serial *int64 }
	if err := json.Unmarshal(data, &head); err != nil || head.Serial == nil || *head.Serial < 0 {
		return apierr.BadRequest("The body is not a state with a serial number")
	}
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		state, err := s.findOrCreate(ctx, p, name)
		if err != nil {
			return events.Change{}, err
		}
		if held(state) != lockID {
			return events.Change{}, apierr.Conflict("The state is locked by another process")
		}
		sum := sha256.Sum256(data)
		version := model.TerraformStateVersion{
			StateID: state.ID, Serial: *head.Serial, Size: int64(len(data)), Checksum: hex.EncodeToString(sum[:]),
			Sealed: s.vault.Seal(data, sealOwner(state.ID)), CreatedByID: &userID,
		}
		if err := s.store.TerraformStates.AddVersion(ctx, &version, keptVersions); err != nil {
			return events.Change{}, err
		}
		if err := s.store.TerraformStates.Save(ctx, &state); err != nil { // for updated_at
			return events.Change{}, err
		}
		return change(p, state, "terraform_state_version_created", fmt.Sprintf("Wrote version %d of Terraform state", *head.Serial)), nil
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return apierr.InvalidUnprocessable("serial", "has already been taken")
	}
	return err
}

// findOrCreate returns a state, which is created unless it exists, and holds the lock of the states of the project.
func (s *Service) findOrCreate(ctx context.Context, p model.Project, name string) (model.TerraformState, error) {
	if err := s.store.TerraformStates.Lock(ctx, p.ID); err != nil {
		return model.TerraformState{}, err
	}
	state, err := s.store.TerraformStates.Get(ctx, p.ID, name)
	if !store.IsNotFound(err) {
		return state, err
	}
	if len(name) > maxName || !nameFormat.MatchString(name) {
		return state, apierr.Invalid("name", "can contain only letters, digits, '-', '_', '.' and '/', at most 255 characters")
	}
	state = model.TerraformState{ProjectID: p.ID, Name: name}
	err = s.store.TerraformStates.Create(ctx, &state, maxStates)
	var full *store.LimitError
	if errors.As(err, &full) {
		err = apierr.Refused(fmt.Sprintf("Maximum number of Terraform states (%d) exceeded", full.Most))
	}
	return state, err
}

// held returns the ID of the lock of a state; empty if it is not locked.
func held(state model.TerraformState) string {
	if state.LockID == nil {
		return ""
	}
	return *state.LockID
}

// Lock locks a state, which is created unless it exists. It returns a *HeldError if it is locked already.
func (s *Service) Lock(ctx context.Context, p model.Project, name string, lock LockInfo, userID int64) error {
	text, err := json.Marshal(lock)
	if err != nil {
		return err
	}
	return s.store.Tx(ctx, func(ctx context.Context) error {
		state, err := s.findOrCreate(ctx, p, name)
		if err != nil {
			return err
		}
		if state.LockID != nil {
			return heldBy(state)
		}
		now := clock.Now(ctx)
		state.LockID, state.LockInfo, state.LockedByID, state.LockedAt = &lock.ID, new(string(text)), &userID, &now
		return s.store.TerraformStates.Save(ctx, &state)
	})
}

// heldBy returns the lock of a state as an error.
func heldBy(state model.TerraformState) error {
	held := &HeldError{}
	if state.LockInfo != nil {
		if err := json.Unmarshal([]byte(*state.LockInfo), &held.Lock); err != nil {
			return err
		}
	}
	return held
}

// Unlock removes the lock with an ID. Without an ID it removes any lock. It returns a *HeldError if the state is not
// locked with this ID.
func (s *Service) Unlock(ctx context.Context, p model.Project, name string, lockID *string) error {
	return events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		if err := s.store.TerraformStates.Lock(ctx, p.ID); err != nil {
			return nil, err
		}
		state, err := s.Find(ctx, p, name)
		if err != nil {
			return nil, err
		}
		if lockID != nil && held(state) != *lockID {
			return nil, heldBy(state)
		}
		var changes []events.Change
		if lockID == nil && state.LockID != nil {
			changes = append(changes, change(p, state, "terraform_state_unlocked", "Removed the lock of Terraform state"))
		}
		state.LockID, state.LockInfo, state.LockedByID, state.LockedAt = nil, nil, nil, nil
		return changes, s.store.TerraformStates.Save(ctx, &state)
	})
}

// Delete deletes a state that is not locked. With unmodifiedSince, it fails if the state has changed since then.
func (s *Service) Delete(ctx context.Context, p model.Project, name string, unmodifiedSince *time.Time) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		if err := s.store.TerraformStates.Lock(ctx, p.ID); err != nil {
			return events.Change{}, err
		}
		state, err := s.Find(ctx, p, name)
		if err == nil && state.LockID != nil {
			err = apierr.Conflict("The state is locked")
		}
		if err != nil {
			return events.Change{}, err
		}
		err = s.store.TerraformStates.Delete(ctx, state, unmodifiedSince)
		return change(p, state, "terraform_state_deleted", "Deleted Terraform state"), err
	})
	return apierr.OrNotFound(err)
}

// DeleteVersion deletes a version. With unmodifiedSince, it fails if the version was created after that.
func (s *Service) DeleteVersion(
	ctx context.Context, p model.Project, name string, serial int64, unmodifiedSince *time.Time,
) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		state, err := s.Find(ctx, p, name)
		if err != nil {
			return events.Change{}, err
		}
		version, err := s.store.TerraformStates.Version(ctx, state.ID, serial)
		if err != nil {
			return events.Change{}, err
		}
		err = s.store.TerraformStates.DeleteVersion(ctx, version, unmodifiedSince)
		return change(p, state, "terraform_state_version_deleted", fmt.Sprintf("Deleted version %d of Terraform state", serial)), err
	})
	return apierr.OrNotFound(err)
}

// change describes a change of a state for the audit log.
func change(p model.Project, state model.TerraformState, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "Terraform::State", ID: state.ID, Details: state.Name},
	}
}
