package account

import (
	"context"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/store/model"
)

// RemoveIdentity removes a user's identity at a provider, unless the identity was changed after the given time.
func (s *Service) RemoveIdentity(ctx context.Context, u model.User, provider string, unchangedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfUser(u, "user_identity_deleted", "Removed identity")
		c.Remove = provider
		return c, s.store.Identities.Delete(ctx, u.ID, provider, unchangedSince)
	})
}

// checkSamlGroup returns an error if the group that signs the user in does not exist.
func (s *Service) checkSamlGroup(ctx context.Context, in Settings) error {
	if in.SamlGroup == nil || !s.paid {
		return nil
	}
	_, _, err := s.store.Namespaces.GetGroup(ctx, *in.SamlGroup, "", access.Reader(ctx))
	return err
}
