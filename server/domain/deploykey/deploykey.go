// Package deploykey manages deploy keys: SSH keys that give access to the repositories of projects and belong to no user.
package deploykey

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/server/domain/key"
	"svc/server/domain/webhook/announce"
	"svc/server/domain/webhook/payload"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Service changes deploy keys on behalf of the caller of a request.
type Service struct {
	store *store.Store
	hooks *announce.Announcer // announces to webhooks; nil announces nothing
}

// New returns the Service.
func New(st *store.Store, hooks *announce.Announcer) *Service {
	return &Service{store: st, hooks: hooks}
}

// Draft describes a new deploy key.
type Draft struct {
	Title     string
	Key       string
	ExpiresAt *time.Time
}

// CreatePublic creates a key that every project may enable.
func (s *Service) CreatePublic(ctx context.Context, d Draft) (model.DeployKey, error) {
	row, err := s.newKey(ctx, d)
	if err != nil {
		return row, err
	}
	row.Public = true
	return row, events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.create(ctx, &row)
		return change(events.Instance, row, "deploy_key_created", "Created a public deploy key"), explainTaken(err)
	})
}

// create writes a new key and announces it.
func (s *Service) create(ctx context.Context, row *model.DeployKey) error {
	if err := s.store.DeployKeys.Create(ctx, row); err != nil {
		return err
	}
	return s.hooks.DeployKey(ctx, payload.EventKeyCreate, *row)
}

// Add gives a key access to a project. A key that the project already has stays as it is. A key that exists elsewhere is
// enabled if the caller may use it.
func (s *Service) Add(ctx context.Context, p model.Project, d Draft, canPush bool) (model.DeployKeyRow, error) {
	row, err := s.newKey(ctx, d)
	if err != nil {
		return model.DeployKeyRow{}, err
	}
	known, err := s.store.DeployKeys.GetByFingerprint(ctx, row.FingerprintSHA256)
	if err == nil {
		return s.addKnown(ctx, p, known, canPush)
	}
	if !store.IsNotFound(err) {
		return model.DeployKeyRow{}, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.create(ctx, &row)
		if err == nil {
			err = s.store.DeployKeys.Enable(ctx, row.ID, p.ID, canPush)
		}
		return change(events.Project(p), row, "deploy_key_created", "Added a deploy key"), explainTaken(err)
	})
	return model.DeployKeyRow{DeployKey: row, CanPush: canPush}, err
}

// addKnown enables a key that was created before.
func (s *Service) addKnown(ctx context.Context, p model.Project, known model.DeployKey, canPush bool) (model.DeployKeyRow, error) {
	found, err := s.store.DeployKeys.GetOfProject(ctx, p.ID, known.ID)
	if err == nil || !store.IsNotFound(err) {
		return found, err
	}
	if _, err := s.usable(ctx, known.ID); err != nil {
		return model.DeployKeyRow{}, errTaken
	}
	return s.enable(ctx, p, known, canPush)
}

// Enable gives a key that the caller may use access to a project, for reading.
func (s *Service) Enable(ctx context.Context, p model.Project, id int64) (model.DeployKeyRow, error) {
	found, err := s.usable(ctx, id)
	if err != nil {
		return model.DeployKeyRow{}, apierr.OrNotFound(err, "Deploy Key")
	}
	row, err := s.store.DeployKeys.GetOfProject(ctx, p.ID, id)
	if err == nil || !store.IsNotFound(err) {
		return row, err
	}
	return s.enable(ctx, p, found, false)
}

func (s *Service) usable(ctx context.Context, id int64) (model.DeployKey, error) {
	user := reqctx.Of(ctx).Actor.User
	return s.store.DeployKeys.GetUsable(ctx, id, store.Reader{UserID: user.ID, Admin: user.Admin})
}

func (s *Service) enable(ctx context.Context, p model.Project, k model.DeployKey, canPush bool) (model.DeployKeyRow, error) {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.DeployKeys.Enable(ctx, k.ID, p.ID, canPush)
		var taken *store.ConflictError
		if errors.As(err, &taken) {
			err = nil // another request has enabled it meanwhile
		}
		return change(events.Project(p), k, "deploy_key_enabled", "Enabled a deploy key"), err
	})
	return model.DeployKeyRow{DeployKey: k, CanPush: canPush}, err
}

// Change describes what to change in a key of a project. Fields that are nil stay as they are.
type Change struct {
	Title   *string
	CanPush *bool
}

// Apply changes a key of a project. The title of a public key, or of a key with several projects, stays as it is, because
// it is not only about this project; administrators may change it.
func (s *Service) Apply(ctx context.Context, p model.Project, id int64, c Change) (model.DeployKeyRow, error) {
	row, err := s.store.DeployKeys.GetOfProject(ctx, p.ID, id)
	if err != nil {
		return row, apierr.OrNotFound(err, "Deploy Key")
	}
	title, err := s.newTitle(ctx, row.DeployKey, c.Title)
	if err != nil {
		return row, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		if c.CanPush != nil {
			if err := s.store.DeployKeys.SetCanPush(ctx, id, p.ID, *c.CanPush); err != nil {
				return events.Change{}, err
			}
		}
		if title != row.DeployKey.Title {
			if err := s.store.DeployKeys.SetTitle(ctx, id, title); err != nil {
				return events.Change{}, err
			}
		}
		row, err = s.store.DeployKeys.GetOfProject(ctx, p.ID, id)
		return change(events.Project(p), row.DeployKey, "deploy_key_updated", "Changed a deploy key"), err
	})
	return row, err
}

// newTitle returns the title of a key after a change.
func (s *Service) newTitle(ctx context.Context, k model.DeployKey, given *string) (string, error) {
	if given == nil {
		return k.Title, nil
	}
	title := strings.TrimSpace(*given)
	if title == "" {
		return "", apierr.Invalid("title", "can't be blank")
	}
	if reqctx.Of(ctx).Actor.User.Admin {
		return title, nil
	}
	projects, err := s.store.DeployKeys.CountProjects(ctx, k.ID)
	if k.Public || projects > 1 {
		title = k.Title
	}
	return title, err
}

// Remove takes the access to a project from a key. It fails if the key was changed after unmodifiedSince.
func (s *Service) Remove(ctx context.Context, p model.Project, id int64, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		row, err := s.store.DeployKeys.GetOfProject(ctx, p.ID, id)
		deleted := false
		if err == nil {
			deleted, err = s.store.DeployKeys.Disable(ctx, row.DeployKey, p.ID, unmodifiedSince)
		}
		if deleted {
			err = s.hooks.DeployKey(ctx, payload.EventKeyDestroy, row.DeployKey)
		}
		return change(events.Project(p), row.DeployKey, "deploy_key_removed", "Removed a deploy key"), apierr.OrNotFound(err, "Deploy Key")
	})
}

var errTaken = apierr.Invalid("fingerprint_sha256", "has already been taken")

func explainTaken(err error) error {
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return errTaken
	}
	return err
}

// newKey returns the row of a new key. A key of a user cannot be a deploy key: nobody could tell who pushes with it.
func (s *Service) newKey(ctx context.Context, d Draft) (model.DeployKey, error) {
	read, broken := key.NewSSHKey(&s.store.Settings.Current().Values, d.Title, d.Key, model.KeyAuth, d.ExpiresAt, clock.Now(ctx))
	if len(broken) > 0 {
		return model.DeployKey{}, apierr.InvalidFields(broken)
	}
	_, _, err := s.store.Keys.GetBySHA256(ctx, read.FingerprintSHA256)
	if err == nil {
		return model.DeployKey{}, errTaken
	}
	if !store.IsNotFound(err) {
		return model.DeployKey{}, err
	}
	return model.DeployKey{
		Title: read.Title, Key: strings.TrimSpace(d.Key), FingerprintSHA256: read.FingerprintSHA256, FingerprintMD5: read.FingerprintMD5,
		CreatorID: &reqctx.Of(ctx).Actor.User.ID, ExpiresAt: read.ExpiresAt,
	}, nil
}

func change(in events.Entity, k model.DeployKey, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: in, Message: message, Target: events.Target{Type: "DeployKey", ID: k.ID, Details: k.Title},
	}
}
