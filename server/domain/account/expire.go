package account

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/access"
	"svc/store"
)

// unconfirmedTime is how long an address may stay unconfirmed. A confirmation link is valid for three days and can be
// requested again.
const unconfirmedTime = 7 * 24 * time.Hour

// Expire deletes sessions, mailed tokens and statuses that have expired, addresses and users that were never confirmed,
// and bot users without a valid token. It unlocks users whose lock has ended.
func Expire(ctx context.Context, st *store.Store, now time.Time) error {
	now = now.UTC()
	_, sessions := st.Sessions.DeleteExpired(ctx, now)
	_, mailed := st.MailedTokens.DeleteExpired(ctx, now)
	_, statuses := st.UserStatuses.DeleteExpired(ctx, now)
	return errors.Join(
		sessions, mailed, statuses,
		st.Emails.DeleteUnconfirmed(ctx, now.Add(-unconfirmedTime)),
		st.Users.RemoveUnconfirmed(ctx, now.Add(-unconfirmedTime)),
		st.Bots.DeleteIdle(ctx), st.Users.UnlockExpired(ctx, access.LockCutoff(st, now)),
	)
}
