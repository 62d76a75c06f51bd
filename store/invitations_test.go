package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"svc/store/model"
	"svc/store/storetest"
)

// A user who confirms an address while it is being invited becomes a member, whichever comes first.
func TestAnInvitationIsNotMissedByWhoConfirmsMeanwhile(t *testing.T) {
	t.Parallel()
	p := &place{t: t, st: storetest.New(t)}
	g := p.group(nil)
	for n := range 20 {
		address := fmt.Sprintf("new%d@example.com", n)
		u := storetest.User(t, p.st)
		var both sync.WaitGroup
		both.Go(func() {
			now := time.Now().UTC()
			if err := p.st.Emails.Create(t.Context(), &model.Email{UserID: u.ID, Email: address, ConfirmedAt: &now}); err != nil {
				t.Error(err)
			}
		})
		both.Go(func() {
			i := model.Invitation{
				SourceType: model.SourceGroup, SourceID: g.ID, Email: address, AccessLevel: model.Guest, TokenDigest: []byte(address),
			}
			found, err := p.st.Invitations.Create(t.Context(), &i)
			if err != nil || (found != 0 && found != u.ID) {
				t.Errorf("found %d, %v", found, err)
			}
			if found != 0 {
				p.join(g, u, model.Guest, nil)
			}
		})
		both.Wait()
	}
	if got := texts(t, p.st, "SELECT email FROM invitations"); len(got) != 0 {
		t.Errorf("left are %v", got)
	}
	if got := texts(t, p.st, "SELECT 'user' || user_id FROM members"); len(got) != 20 {
		t.Errorf("%d have joined: %v", len(got), got)
	}
}

// The primary address of a user counts once it is confirmed, also when it changes later.
func TestInvitationsToAChangedPrimaryAddress(t *testing.T) {
	t.Parallel()
	p := &place{t: t, st: storetest.New(t)}
	g := p.group(nil)
	u := storetest.User(t, p.st)
	i := model.Invitation{
		SourceType: model.SourceGroup, SourceID: g.ID, Email: "New@example.com", AccessLevel: model.Developer, TokenDigest: []byte("x"),
	}
	if found, err := p.st.Invitations.Create(t.Context(), &i); found != 0 || err != nil {
		t.Fatalf("found %d, %v", found, err)
	}
	for _, step := range []struct {
		set  map[string]any
		want model.Access
	}{
		{map[string]any{"email": "new@example.com"}, 0},
		{map[string]any{"confirmed_at": time.Now().UTC()}, model.Developer},
	} {
		if err := p.st.Users.Update(t.Context(), u.ID, step.set); err != nil {
			t.Fatal(err)
		}
		checkRole(t, p.st, g, u, step.want)
	}
	second := model.Invitation{
		SourceType: model.SourceGroup, SourceID: p.group(nil).ID, Email: "NEW@example.com",
		AccessLevel: model.Guest, TokenDigest: []byte("y"),
	}
	if found, err := p.st.Invitations.Create(t.Context(), &second); found != u.ID || err != nil {
		t.Errorf("found %d, want %d (%v)", found, u.ID, err)
	}
}
