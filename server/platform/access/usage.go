package access

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
)

const (
	usagePrecision = time.Minute     // how far last_used_at may lag behind
	usageInterval  = 5 * time.Second // how long a note waits to be written together with others
)

// Usage collects which tokens and users were active, and writes all of them together, so that a request costs no write.
type Usage struct {
	store  *store.Store
	mu     sync.Mutex
	tokens map[int64]struct{}
	users  map[int64]struct{}
}

// NewUsage returns an empty Usage.
func NewUsage(st *store.Store) *Usage {
	return &Usage{store: st, tokens: map[int64]struct{}{}, users: map[int64]struct{}{}}
}

// Note records that the actor made a request, unless the row that was just read already says so.
func (u *Usage) Note(ctx context.Context, actor *reqctx.Actor) {
	now := clock.Now(ctx)
	last := actor.User.LastActivityOn
	newDay := last == nil || last.UTC().YearDay() != now.UTC().YearDay() || last.UTC().Year() != now.UTC().Year()
	newUse := actor.TokenID != 0 && (actor.LastUsed == nil || now.Sub(*actor.LastUsed) > usagePrecision)
	if !newDay && !newUse {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.users[actor.User.ID] = struct{}{}
	if newUse {
		u.tokens[actor.TokenID] = struct{}{}
	}
}

// Run writes the collected notes every few seconds until the context ends, and then once more.
func (u *Usage) Run(ctx context.Context, failed func(error)) {
	tick := time.NewTicker(usageInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			if err := u.Flush(context.WithoutCancel(ctx)); err != nil {
				failed(err)
			}
			return
		case <-tick.C:
			if err := u.Flush(ctx); err != nil && ctx.Err() == nil {
				failed(err)
			}
		}
	}
}

// Flush writes the notes collected since the last call.
func (u *Usage) Flush(ctx context.Context) error {
	u.mu.Lock()
	tokens, users := slices.Sorted(maps.Keys(u.tokens)), slices.Sorted(maps.Keys(u.users))
	clear(u.tokens)
	clear(u.users)
	u.mu.Unlock()
	now := clock.Now(ctx).UTC()
	var errs []error
	for ids := range slices.Chunk(tokens, 500) {
		errs = append(errs, u.store.Tokens.MarkUsed(ctx, ids, now.Truncate(time.Microsecond)))
	}
	for ids := range slices.Chunk(users, 500) {
		errs = append(errs, u.store.Users.StoreActivity(ctx, ids, now.Truncate(time.Microsecond)))
	}
	return errors.Join(errs...)
}
