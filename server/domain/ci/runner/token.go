package runner

import (
	"context"

	"svc/server/platform/events"
	"svc/store/model"
	"svc/store/secret"
)

// ResetToken gives a runner a new authentication token of the same kind, and returns the token.
func (s *Service) ResetToken(ctx context.Context, row model.Runner) (string, error) {
	token := secret.NewRunnerToken()
	if row.CreatorID == nil {
		token = secret.NewRegisteredRunnerToken()
	}
	return token, s.auditedExisting(
		ctx, &row, "ci_runner_token_reset", "Reset the authentication token of a runner",
		func(ctx context.Context) error {
			return s.store.Runners.Update(ctx, row.ID, map[string]any{"digest": secret.DigestText(token)})
		},
	)
}

// ResetRegistration replaces the registration token of a group, a project or the instance, and returns the new token.
// The row says of which; it is the instance if both IDs are nil.
func (s *Service) ResetRegistration(ctx context.Context, row model.RegistrationToken) (string, error) {
	token := secret.NewRegistrationToken()
	row.Digest = secret.DigestText(token)
	return token, events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		var projects []int64
		if row.ProjectID != nil {
			projects = []int64{*row.ProjectID}
		}
		in, err := s.place(ctx, row.GroupID, projects)
		if err == nil {
			err = s.store.Runners.ResetRegistration(ctx, &row)
		}
		return events.Change{
			Type: "runner_registration_token_reset", Entity: in, Target: in.AsTarget(),
			Message: "Reset the registration token of runners",
		}, err
	})
}
