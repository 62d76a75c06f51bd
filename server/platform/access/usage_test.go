package access

import (
	"context"
	"sync"
	"testing"
	"time"

	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/storetest"
)

// caller reads an actor from the store, so that it includes what was written before.
func caller(t testing.TB, st *store.Store, token string) *reqctx.Actor {
	t.Helper()
	use, err := st.Tokens.FindByDigest(t.Context(), secret.Digest(token), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &reqctx.Actor{User: use.Caller, Kind: reqctx.PersonalToken, TokenID: use.ID, LastUsed: use.LastUsedAt}
}

// flush calls Flush and returns the number of statements that it took.
func flush(t testing.TB, st *store.Store, usage *Usage) int64 {
	t.Helper()
	before := st.Statements()
	if err := usage.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return st.Statements() - before
}

func TestUseIsWrittenOnceForAllByFlush(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	usage := NewUsage(st)
	begin := time.Now().Add(-time.Second)
	var tokens []string
	for range 3 {
		tokens = append(tokens, storetest.Token(t, st, storetest.User(t, st), "api"))
	}
	idle := storetest.Token(t, st, storetest.User(t, st), "api")
	before := st.Statements()
	for _, token := range tokens {
		actor := caller(t, st, token)
		for range 10 {
			usage.Note(t.Context(), actor)
		}
	}
	if got := st.Statements() - before; got != int64(len(tokens)) { // the statements of caller
		t.Errorf("notes cost %d statements", got-int64(len(tokens)))
	}
	if got := flush(t, st, usage); got != 2 {
		t.Errorf("Flush took %d statements, want one for tokens and one for users", got)
	}
	today := time.Now().UTC().Format(time.DateOnly)
	for _, token := range tokens {
		a := caller(t, st, token)
		if a.LastUsed == nil || a.LastUsed.Before(begin) || a.LastUsed.After(time.Now().Add(time.Second)) {
			t.Errorf("last_used_at is %v", a.LastUsed)
		}
		if a.User.LastActivityOn == nil || a.User.LastActivityOn.Format(time.DateOnly) != today {
			t.Errorf("last_activity_on is %v", a.User.LastActivityOn)
		}
		usage.Note(t.Context(), a) // already written, so nothing new is noted
	}
	if a := caller(t, st, idle); a.LastUsed != nil || a.User.LastActivityOn != nil {
		t.Error("a token that nobody used is noted")
	}
	if got := flush(t, st, usage); got != 0 {
		t.Errorf("with nothing new Flush took %d statements", got)
	}
}

func TestUseIsKnownToTheMinuteAndTheUserIsNotedWithIt(t *testing.T) {
	t.Parallel()
	now := time.Now().UTC()
	today := now.Truncate(24 * time.Hour)
	cases := []struct {
		name    string
		used    time.Duration // how long ago
		active  time.Time
		newUse  bool
		newUser bool
		noToken bool
	}{
		{name: "just now", used: 0, active: today},
		{name: "less than a minute ago", used: 50 * time.Second, active: today},
		{name: "more than a minute ago", used: 61 * time.Second, active: today, newUse: true, newUser: true},
		{name: "yesterday", used: 0, active: today.AddDate(0, 0, -1), newUser: true},
		{name: "long ago", used: 24 * time.Hour, active: today.AddDate(-1, 0, 0), newUse: true, newUser: true},
		{name: "by session", active: today.AddDate(0, 0, -1), newUser: true, noToken: true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			usage := NewUsage(nil)
			at := time.Now().Add(-c.used)
			actor := &reqctx.Actor{User: model.Caller{ID: 1, LastActivityOn: &c.active}, TokenID: 2, LastUsed: &at}
			if c.noToken {
				actor.TokenID, actor.LastUsed = 0, nil
			}
			usage.Note(t.Context(), actor)
			if got := len(usage.tokens) == 1; got != c.newUse {
				t.Errorf("use noted: %v, want %v", got, c.newUse)
			}
			if got := len(usage.users) == 1; got != c.newUser {
				t.Errorf("activity noted: %v, want %v", got, c.newUser)
			}
		})
	}
}

func TestManyNoteAtOnceWhileOthersFlush(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	usage := NewUsage(st)
	var actors []*reqctx.Actor
	var tokens []string
	for range 4 {
		token := storetest.Token(t, st, storetest.User(t, st), "api")
		tokens, actors = append(tokens, token), append(actors, caller(t, st, token))
	}
	var wg sync.WaitGroup
	for range 4 {
		for _, actor := range actors {
			wg.Go(func() {
				for range 50 {
					usage.Note(t.Context(), actor)
				}
			})
		}
		wg.Go(func() {
			if err := usage.Flush(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	flush(t, st, usage)
	for _, token := range tokens {
		if a := caller(t, st, token); a.LastUsed == nil || a.User.LastActivityOn == nil {
			t.Errorf("a note was lost: %v, %v", a.LastUsed, a.User.LastActivityOn)
		}
	}
}

func TestMoreNotesThanOneStatementHoldsAreAllWritten(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	usage := NewUsage(st)
	for id := range int64(1200) { // includes ids of rows that do not exist
		usage.Note(t.Context(), &reqctx.Actor{User: model.Caller{ID: id + 1}, TokenID: id + 1})
	}
	if got := flush(t, st, usage); got != 6 {
		t.Errorf("%d statements, want 3 for tokens and 3 for users", got)
	}
}

func TestRunEndsWithItsContextAndWritesOnceMore(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	usage := NewUsage(st)
	token := storetest.Token(t, st, storetest.User(t, st), "api")
	usage.Note(t.Context(), caller(t, st, token))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	usage.Run(ctx, func(err error) { t.Error(err) })
	if a := caller(t, st, token); a.LastUsed == nil {
		t.Error("the note was not written")
	}
}
