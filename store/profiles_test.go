package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// wantFollows compares the counts of users with the actual rows.
func wantFollows(t testing.TB, st *store.Store, users []model.User) {
	t.Helper()
	for _, u := range users {
		got, err := st.Users.Get(t.Context(), u.ID)
		if err != nil {
			t.Fatal(err)
		}
		_, followers, err1 := st.UserFollows.Followers(t.Context(), u.ID, store.Page{Limit: 1})
		_, following, err2 := st.UserFollows.Following(t.Context(), u.ID, store.Page{Limit: 1})
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if got.Followers != followers.Count || got.Following != following.Count {
			t.Errorf(
				"user %d shows %d followers and %d followed, there are %d and %d", u.ID, got.Followers, got.Following,
				followers.Count, following.Count,
			)
		}
	}
}

// changeAllFollows lets every user follow, or unfollow, every other one at once. It returns how many calls changed
// something.
func changeAllFollows(
	t testing.TB, users []model.User, change func(ctx context.Context, follower, followed int64) (bool, error),
) int64 {
	t.Helper()
	var wg sync.WaitGroup
	var changed atomic.Int64
	for _, a := range users {
		for _, b := range users {
			if a.ID == b.ID {
				continue
			}
			for range 2 { // the second of two equal calls changes nothing
				wg.Go(func() {
					ok, err := change(t.Context(), a.ID, b.ID)
					if err != nil {
						t.Error(err)
					}
					if ok {
						changed.Add(1)
					}
				})
			}
		}
	}
	wg.Wait()
	return changed.Load()
}

func TestFollowersAreCountedTrulyWhenAllFollowEachOtherAtOnce(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	users := make([]model.User, 6)
	for i := range users {
		users[i] = storetest.User(t, st)
	}
	for round := range 3 {
		change := st.UserFollows.Create
		if round == 1 {
			change = st.UserFollows.Delete
		}
		got, want := changeAllFollows(t, users, change), int64(len(users)*(len(users)-1))
		if got != want {
			t.Errorf("round %d: %d changes, want %d", round, got, want)
		}
		wantFollows(t, st, users)
	}
	if err := st.UserFollows.DeleteAllOf(t.Context(), users[0].ID); err != nil {
		t.Fatal(err)
	}
	wantFollows(t, st, users)
	if got, err := st.Users.Get(t.Context(), users[1].ID); got.Followers != 4 || got.Following != 4 || err != nil {
		t.Errorf("%d and %d, %v, want 4", got.Followers, got.Following, err)
	}
	if ok, err := st.UserFollows.Follows(t.Context(), users[1].ID, users[2].ID); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	if ok, err := st.UserFollows.Follows(t.Context(), users[1].ID, users[0].ID); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}

// Removing users while they and others follow each other causes no deadlock and leaves no wrong count.
func TestUsersAreRemovedWhileOthersFollow(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	var users []model.User
	for i := range 8 {
		users = append(users, storetest.User(t, st, func(u *model.User) {
			if i > 0 {
				u.CreatedByID = &users[0].ID
			}
		}))
	}
	var wg sync.WaitGroup
	for range 4 {
		for i := range users {
			wg.Go(func() {
				for j := range users {
					_, err := st.UserFollows.Create(t.Context(), users[i].ID, users[(i+j+1)%len(users)].ID)
					if err != nil && !store.IsNotFound(err) {
						t.Error(err)
					}
				}
			})
		}
	}
	for _, gone := range users[:4] {
		wg.Go(func() {
			if err := st.Users.Remove(t.Context(), gone.ID); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	wantFollows(t, st, users[4:])
	if _, err := st.UserFollows.Create(t.Context(), users[4].ID, users[0].ID); !store.IsNotFound(err) {
		t.Errorf("following one who is gone: %v", err)
	}
}

func TestAListOfFollowersIsOneStatement(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	for range 5 {
		if _, err := st.UserFollows.Create(t.Context(), storetest.User(t, st).ID, u.ID); err != nil {
			t.Fatal(err)
		}
	}
	for _, limit := range []int{10, 2} {
		before := st.Statements()
		rows, total, err := st.UserFollows.Followers(t.Context(), u.ID, store.Page{Limit: limit})
		if err != nil || len(rows) != min(limit, 5) || total.Count != 5 {
			t.Errorf("%d rows of %d, %v", len(rows), total.Count, err)
		}
		if n := st.Statements() - before; n != 1 {
			t.Errorf("%d statements", n)
		}
	}
}

func TestAnAddressIsPrimaryOrFurtherButNotBothAtOnce(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	owner, now := storetest.User(t, st), time.Now().UTC()
	for round := range 10 {
		address := fmt.Sprintf("both%d@example.com", round)
		var made, refused atomic.Int64
		var wg sync.WaitGroup
		start := make(chan struct{})
		try := func(create func() error) {
			wg.Go(func() {
				<-start
				err := create()
				var taken *store.ConflictError
				switch {
				case err == nil:
					made.Add(1)
				case errors.As(err, &taken):
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		for i := range 2 {
			try(func() error {
				return st.Emails.Create(t.Context(), &model.Email{UserID: owner.ID, Email: address, ConfirmedAt: &now})
			})
			try(func() error {
				u := model.DefaultUser()
				u.Username, u.Name, u.Email = fmt.Sprintf("both%d-%d", round, i), "Both", "BOTH"+address[4:]
				u.ConfirmedAt = &now
				return st.Users.Create(t.Context(), &u)
			})
		}
		close(start)
		wg.Wait()
		if made.Load() != 1 || refused.Load() != 3 {
			t.Errorf("round %d: %d made, %d refused", round, made.Load(), refused.Load())
		}
	}
}

func TestStatusesThatAreOverAreDeleted(t *testing.T) {
	t.Parallel()
	st, now := storetest.New(t), time.Now().UTC()
	past, future := now.Add(-time.Second), now.Add(time.Hour)
	for _, end := range []*time.Time{&past, nil, &future} {
		row := model.UserStatus{UserID: storetest.User(t, st).ID, Emoji: "x", Availability: model.AvailabilityNotSet, ClearStatusAt: end}
		if err := st.UserStatuses.Replace(t.Context(), &row); err != nil {
			t.Fatal(err)
		}
	}
	for round, want := range []int64{1, 0} {
		if n, err := st.UserStatuses.DeleteExpired(t.Context(), now.In(time.FixedZone("", 3600))); n != want || err != nil {
			t.Errorf("round %d: %d deleted, %v, want %d", round, n, err, want)
		}
	}
}
