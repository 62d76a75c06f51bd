package runner

import (
	"context"
	"slices"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// Owner is the instance, group or project that a new runner belongs to.
type Owner struct {
	Type      string // the type of the runner
	GroupID   *int64
	ProjectID *int64
}

// Create creates a runner on behalf of a user, and returns it with its token.
func (s *Service) Create(
	ctx context.Context, in Owner, settings Settings, creatorID int64,
) (model.Runner, string, error) {
	row, err := settings.runner()
	if err != nil {
		return row, "", err
	}
	row.CreatorID = &creatorID
	token := secret.NewRunnerToken()
	err = s.insert(ctx, &row, in, token)
	return row, token, err
}

// Registration returns the owner of the runners that a registration token registers.
func (s *Service) Registration(ctx context.Context, token string) (Owner, error) {
	settings := s.store.Settings.Current()
	if !settings.AllowRunnerRegistrationToken {
		return Owner{}, apierr.Forbidden("Runner registration with registration tokens is disabled")
	}
	found, err := s.store.Runners.Registration(ctx, secret.DigestText(token))
	if store.IsNotFound(err) {
		err = apierr.Forbidden("Invalid token")
	}
	if err != nil {
		return Owner{}, err
	}
	switch {
	case found.GroupID != nil && !slices.Contains(settings.ValidRunnerRegistrars, "group"):
		return Owner{}, apierr.Forbidden("Runner registration in groups is disabled")
	case found.ProjectID != nil && !slices.Contains(settings.ValidRunnerRegistrars, "project"):
		return Owner{}, apierr.Forbidden("Runner registration in projects is disabled")
	case found.GroupID != nil:
		return Owner{Type: model.GroupRunner, GroupID: found.GroupID}, nil
	case found.ProjectID != nil:
		return Owner{Type: model.ProjectRunner, ProjectID: found.ProjectID}, nil
	}
	return Owner{Type: model.InstanceRunner}, nil
}

// Register creates a runner on behalf of the machine that registers it, and returns it with its token. The machine has
// shown the registration token of the owner.
func (s *Service) Register(
	ctx context.Context, in Owner, settings Settings, machine store.MachineInfo,
) (model.Runner, string, error) {
	row, err := settings.runner()
	if err != nil {
		return row, "", err
	}
	c := contact(ctx, machine)
	row.Name, row.Version, row.Revision = c.Name, c.Version, c.Revision
	row.Platform, row.Architecture, row.IPAddress = c.Platform, c.Architecture, &c.IP
	token := secret.NewRegisteredRunnerToken()
	err = s.insert(ctx, &row, in, token)
	return row, token, err
}

// insert stores a new runner.
func (s *Service) insert(ctx context.Context, row *model.Runner, in Owner, token string) error {
	row.RunnerType, row.GroupID, row.Digest = in.Type, in.GroupID, secret.DigestText(token)
	var projects []int64
	if in.ProjectID != nil {
		projects = []int64{*in.ProjectID}
	}
	return s.audited(
		ctx, row, projects, "ci_runner_registered", "Registered runner",
		func(ctx context.Context) error { return s.store.Runners.Create(ctx, row, projects...) },
	)
}
