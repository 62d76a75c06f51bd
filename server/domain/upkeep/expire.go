// Package upkeep runs background jobs that belong to no other package: it deletes expired rows and maintains the search
// tables.
package upkeep

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/worker"
	"svc/store"
)

// Expire is the job that deletes expired rows. Running it twice deletes nothing more.
type Expire struct{}

// Kind returns the name of the job in the queue.
func (Expire) Kind() string { return "expire_rows" }

// Register adds the jobs of this package. The functions in others delete expired data of other packages.
func Register(jobs *worker.Jobs, st *store.Store, others ...func(context.Context) error) {
	worker.Handle(jobs, func(ctx context.Context, _ Expire) error {
		errs := []error{expire(ctx, st, time.Now())}
		for _, other := range others {
			errs = append(errs, other(ctx))
		}
		return errors.Join(errs...)
	}, worker.Upkeep)
	worker.Every(jobs, 10*time.Minute, Expire{})
	worker.Handle(jobs, func(ctx context.Context, _ TidySearchJob) error { return st.MergeSearchIndexes(ctx) }, worker.Upkeep)
	worker.Every(jobs, 12*time.Hour, TidySearchJob{})
}

// unconfirmedTime is how long an address may stay unconfirmed. A confirmation link is valid for three days and can be
// requested again.
const unconfirmedTime = 7 * 24 * time.Hour

func expire(ctx context.Context, st *store.Store, now time.Time) error {
	_, sessions := st.Sessions.DeleteExpired(ctx, now.UTC())
	_, counters := st.RateCounters.DeleteExpired(ctx, now.UTC())
	members, told := expireMembers(ctx, st, now), expireEvents(ctx, st, now)
	_, invitations := st.Invitations.DeleteExpired(ctx, now.UTC())
	_, links := st.GroupLinks.DeleteExpired(ctx, now.UTC())
	_, shares := st.ProjectLinks.DeleteExpired(ctx, now.UTC())
	_, mailed := st.MailedTokens.DeleteExpired(ctx, now.UTC())
	_, statuses := st.UserStatuses.DeleteExpired(ctx, now.UTC())
	addresses := st.Emails.DeleteUnconfirmed(ctx, now.UTC().Add(-unconfirmedTime))
	registered := st.Users.RemoveUnconfirmed(ctx, now.UTC().Add(-unconfirmedTime))
	tracked := st.ErrorTracking.DeleteOld(ctx, now.UTC().Add(-90*24*time.Hour))
	return errors.Join(
		sessions, counters, members, told, invitations, links, shares, mailed, statuses, addresses, registered, tracked,
		st.Bots.DeleteIdle(ctx), st.Users.UnlockExpired(ctx, access.LockCutoff(now)),
	)
}
