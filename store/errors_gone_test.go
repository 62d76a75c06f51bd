package store_test

import (
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// A write for a row that is gone is recognised, on both databases and however the error is wrapped.
func TestAWriteForSomethingThatIsGoneIsSeen(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	user := storetest.User(t, st)
	if err := st.Users.Remove(t.Context(), user.ID); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"a session":   st.Sessions.Create(t.Context(), &model.Session{UserID: user.ID, Digest: []byte("a"), CSRFDigest: []byte("b")}),
		"an address":  st.Emails.Create(t.Context(), &model.Email{UserID: user.ID, Email: "a@example.org"}),
		"an identity": st.Identities.Put(t.Context(), &model.Identity{UserID: user.ID, Provider: "saml", ExternUID: "x"}),
	} {
		if !store.IsGone(err) || store.IsNotFound(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if store.IsGone(nil) || store.IsGone(&store.NotFoundError{}) {
		t.Error("other failures count, too")
	}
}
