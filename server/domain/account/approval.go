package account

import (
	"context"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Approve admits a user who waits for approval, and reports whether the user was waiting.
func Approve(ctx context.Context, st *store.Store, id int64) (done bool, err error) {
	err = events.Audited(ctx, st, func(ctx context.Context) (events.Change, error) {
		u, err := st.Users.Get(ctx, id)
		if err != nil {
			return events.Change{}, err
		}
		done, err = st.Users.SetState(ctx, id, model.UserPendingApproval, model.UserActive, nil)
		if err != nil || !done {
			return events.Change{}, err
		}
		return events.OfUser(u, "user_approved", "Approved user"), nil
	})
	return done && err == nil, err
}

// Reject deletes a user who waits for approval. A user who does not wait is a 409.
func (s *Service) Reject(ctx context.Context, u model.User) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		done, err := s.store.Users.SetState(ctx, u.ID, model.UserPendingApproval, model.UserBlocked, nil)
		if err != nil {
			return err
		}
		if !done {
			return apierr.Conflict("User does not have a pending request")
		}
		c := events.OfUser(u, "user_rejected", "Rejected and removed user")
		if err := events.Audit(ctx, s.store, c); err != nil {
			return err
		}
		return s.store.Users.Remove(ctx, u.ID)
	})
}
