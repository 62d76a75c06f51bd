package store_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// named adds a token. Its name is also its digest.
func named(t testing.TB, st *store.Store, u model.User, name string, edit ...func(*model.PersonalAccessToken)) model.PersonalAccessToken {
	t.Helper()
	row := model.PersonalAccessToken{UserID: u.ID, Name: name, Digest: []byte(name), Scopes: "api"}
	for _, f := range edit {
		f(&row)
	}
	if err := st.Tokens.Create(t.Context(), &row); err != nil {
		t.Fatal(err)
	}
	return row
}

func TestTokensAreFilteredAndOrdered(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u, other := storetest.User(t, st), storetest.User(t, st)
	today := time.Now().UTC().Truncate(24 * time.Hour)
	tomorrow, used, later := today.AddDate(0, 0, 1), today.Add(-time.Hour), today
	named(t, st, u, "Deploy", func(p *model.PersonalAccessToken) { p.CreatedAt, p.LastUsedAt = today.AddDate(0, 0, -3), &used })
	named(t, st, u, "100%_x", func(p *model.PersonalAccessToken) { p.CreatedAt, p.ExpiresAt = today.AddDate(0, 0, -2), &tomorrow })
	named(t, st, u, "expired", func(p *model.PersonalAccessToken) { p.CreatedAt, p.ExpiresAt = today.AddDate(0, 0, -1), &today })
	named(t, st, u, "revoked", func(p *model.PersonalAccessToken) { p.Revoked, p.LastUsedAt = true, &later })
	named(t, st, u, "as", func(p *model.PersonalAccessToken) { p.Impersonation = true })
	named(t, st, other, "deploy too")
	yes, no := true, false
	since := today.AddDate(0, 0, -2)
	for _, c := range []struct {
		name   string
		filter store.TokenFilter
		want   string
	}{
		{"all", store.TokenFilter{}, "Deploy 100%_x expired revoked deploy too"},
		{"of a user", store.TokenFilter{UserID: &u.ID}, "Deploy 100%_x expired revoked"},
		{"impersonation", store.TokenFilter{Impersonation: true}, "as"},
		{"active", store.TokenFilter{Active: &yes}, "Deploy 100%_x deploy too"},
		{"inactive", store.TokenFilter{Active: &no}, "expired revoked"},
		{"revoked", store.TokenFilter{Revoked: &yes}, "revoked"},
		{"not revoked", store.TokenFilter{UserID: &u.ID, Revoked: &no}, "Deploy 100%_x expired"},
		{"inactive but not revoked", store.TokenFilter{Active: &no, Revoked: &no}, "expired"},
		{"search", store.TokenFilter{Search: "DEPLOY"}, "Deploy deploy too"},
		{"search for what LIKE knows", store.TokenFilter{Search: "0%_"}, "100%_x"},
		{"search for any", store.TokenFilter{Search: "%"}, "100%_x"},
		{"search for a backslash", store.TokenFilter{Search: `\`}, ""},
		{"search for SQL", store.TokenFilter{Search: `' OR 1=1 --`}, ""},
		{"created", store.TokenFilter{UserID: &u.ID, CreatedBefore: &since}, "Deploy 100%_x"},
		{"created later", store.TokenFilter{UserID: &u.ID, CreatedAfter: &since}, "100%_x expired revoked"},
		{"used", store.TokenFilter{LastUsedBefore: &used}, "Deploy"},
		{"used later", store.TokenFilter{LastUsedAfter: &later}, "revoked"},
		{"created_desc", store.TokenFilter{UserID: &u.ID, Sort: "created_desc"}, "revoked expired 100%_x Deploy"},
		{"created_asc", store.TokenFilter{UserID: &u.ID, Sort: "created_asc"}, "Deploy 100%_x expired revoked"},
		{"expires_asc", store.TokenFilter{UserID: &u.ID, Sort: "expires_asc"}, "expired 100%_x Deploy revoked"},
		{"expires_desc", store.TokenFilter{UserID: &u.ID, Sort: "expires_desc"}, "100%_x expired revoked Deploy"},
		{"last_used_asc", store.TokenFilter{UserID: &u.ID, Sort: "last_used_asc"}, "Deploy revoked 100%_x expired"},
		{"last_used_desc", store.TokenFilter{UserID: &u.ID, Sort: "last_used_desc"}, "revoked Deploy expired 100%_x"},
		{"name_desc", store.TokenFilter{UserID: &other.ID, Sort: "name_desc"}, "deploy too"},
		{"an order that is none", store.TokenFilter{UserID: &other.ID, Sort: "id; DROP TABLE users"}, "deploy too"},
	} {
		rows, total, err := st.Tokens.List(t.Context(), c.filter, store.Page{Limit: 20})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var names []string
		for _, row := range rows {
			names = append(names, row.Name)
		}
		if diff := cmp.Diff(c.want, strings.Join(names, " ")); diff != "" || total.Count != int64(len(rows)) {
			t.Errorf("%s: %d in all\n%s", c.name, total.Count, diff)
		}
	}
	page, total, err := st.Tokens.List(t.Context(), store.TokenFilter{}, store.Page{Limit: 2, Offset: 2})
	if err != nil || len(page) != 2 || page[0].Name != "expired" || total != (store.Total{Count: 5, Known: true, More: true}) {
		t.Errorf("page %v, total %+v, %v", page, total, err)
	}
}

func revoked(t testing.TB, st *store.Store, id int64) bool {
	t.Helper()
	row, err := st.Tokens.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return row.Revoked
}

func TestARotatedTokenKeepsWhatItIsAndEndsTheOld(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	what := "for CI"
	first := named(t, st, u, "ci", func(p *model.PersonalAccessToken) { p.Description, p.Scopes = &what, "api read_user" })
	alone := named(t, st, u, "alone")
	day := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
	second, done, err := st.Tokens.Rotate(t.Context(), first, []byte("second"), day)
	if err != nil || !done {
		t.Fatalf("%v %v", done, err)
	}
	third, done, err := st.Tokens.Rotate(t.Context(), second, []byte("third"), day)
	if err != nil || !done {
		t.Fatalf("%v %v", done, err)
	}
	got, err := st.Tokens.Get(t.Context(), third.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := model.PersonalAccessToken{
		ID: third.ID, UserID: u.ID, Name: "ci", Description: &what, Digest: []byte("third"), Scopes: "api read_user", ExpiresAt: &day,
		PreviousID: &second.ID, FamilyID: &first.ID, CreatedAt: got.CreatedAt, UpdatedAt: got.UpdatedAt,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !revoked(t, st, first.ID) || !revoked(t, st, second.ID) || revoked(t, st, third.ID) {
		t.Error("not exactly the last token is good")
	}
	if _, done, err := st.Tokens.Rotate(t.Context(), first, []byte("stolen"), day); done || err != nil {
		t.Errorf("a revoked token was rotated: %v, %v", done, err)
	}
	if !revoked(t, st, third.ID) || revoked(t, st, alone.ID) {
		t.Error("not exactly the family has ended")
	}
	if _, err := st.Tokens.FindByDigest(t.Context(), []byte("stolen"), nil); !store.IsNotFound(err) {
		t.Errorf("a token was made: %v", err)
	}
}

func TestOfRotationsAtOnceExactlyOneIsDoneAndTheFamilyEnds(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	day := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
	for round := range 10 {
		old := named(t, st, u, fmt.Sprintf("round %d", round))
		var done atomic.Int64
		var wg sync.WaitGroup
		start := make(chan struct{})
		for i := range 6 {
			wg.Go(func() {
				<-start
				_, ok, err := st.Tokens.Rotate(t.Context(), old, fmt.Appendf(nil, "%d %d", round, i), day)
				if err != nil {
					t.Error(err)
				}
				if ok {
					done.Add(1)
				}
			})
		}
		close(start)
		wg.Wait()
		if done.Load() != 1 {
			t.Fatalf("%d of 6 rotations were done", done.Load())
		}
	}
	yes := true
	rows, _, err := st.Tokens.List(t.Context(), store.TokenFilter{Active: &yes}, store.Page{Limit: 100})
	if err != nil || len(rows) != 0 {
		t.Errorf("%d tokens are still good, %v", len(rows), err)
	}
	all, _, err := st.Tokens.List(t.Context(), store.TokenFilter{}, store.Page{Limit: 100})
	if err != nil || len(all) != 20 {
		t.Errorf("%d tokens, %v, want 20", len(all), err)
	}
}

// Revoking a family must not miss a token that is created at the same time.
func TestAFamilyThatEndsWhileItIsRotatedLeavesNothing(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	day := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
	for round := range 10 {
		first := named(t, st, u, fmt.Sprintf("round %d", round))
		last := first
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := range 20 {
				next, ok, err := st.Tokens.Rotate(t.Context(), last, fmt.Appendf(nil, "%d %d", round, i), day)
				if err != nil {
					t.Error(err)
				}
				if !ok {
					return
				}
				last = next
			}
		})
		wg.Go(func() {
			if err := st.Tokens.EndFamily(t.Context(), first.ID); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		if !revoked(t, st, first.ID) || !revoked(t, st, last.ID) {
			t.Error("a token of the family is still good")
		}
	}
}

func TestATokenIsRevokedOnceAndOnlyIfUnchanged(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	row := named(t, st, storetest.User(t, st), "t")
	past, future := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	if done, err := st.Tokens.RevokeActive(t.Context(), row.ID, &past); done || err == nil || revoked(t, st, row.ID) {
		t.Errorf("a changed token: %v, %v", done, err)
	}
	for round, want := range []bool{true, false} {
		if done, err := st.Tokens.RevokeActive(t.Context(), row.ID, &future); done != want || err != nil {
			t.Errorf("round %d: %v, %v", round, done, err)
		}
	}
}
