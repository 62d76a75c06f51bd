package store_test

import (
	"fmt"
	"testing"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
	"svc/store/storetest"
)

// A push may change so many refs that one statement could not insert them all.
func TestVeryManyChangesAreNotedAndEnded(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	p := newProject(t, st, *u.NamespaceID, "p")
	notes := make([]model.Push, 10000)
	for i := range notes {
		notes[i] = model.Push{
			ProjectID: p.ID, UserID: &u.ID, Batch: "many", Ref: fmt.Sprintf("refs/tags/v%d", i), OldID: git.Zero,
			NewID: git.Zero,
		}
	}
	if err := st.Pushes.Begin(t.Context(), notes); err != nil {
		t.Fatal(err)
	}
	now, left, err := st.Pushes.Unfinished(t.Context(), p.ID)
	if err != nil || !now.EmptyRepo || len(left) != len(notes) || left[9999].Ref != "refs/tags/v9999" {
		t.Fatalf("%d are noted, empty is %t, %v", len(left), now.EmptyRepo, err)
	}
	many, unknown := store.PushResult{ProjectID: p.ID, Batch: "many"}, store.PushResult{ProjectID: p.ID, Batch: "unknown"}
	ended, err := st.Pushes.End(t.Context(), many, unknown)
	if err != nil || !ended["many"] || ended["unknown"] {
		t.Fatal(ended, err)
	}
	if _, left, err := st.Pushes.Unfinished(t.Context(), p.ID); err != nil || len(left) > 0 {
		t.Errorf("%d are left, %v", len(left), err)
	}
}
