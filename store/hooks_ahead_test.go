package store_test

import (
	"context"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// What a transaction reads ahead saves the statement of Match if there are no hooks, and hides none if there are.
func TestHooksThatAreReadAhead(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	group := model.Namespace{Kind: model.NamespaceGroup, Name: "g", Path: "g"}
	if err := st.Namespaces.Create(t.Context(), &group); err != nil {
		t.Fatal(err)
	}
	p := model.Project{NamespaceID: group.ID, Name: "p", Path: "p"}
	if err := st.Projects.Create(t.Context(), &p, nil); err != nil {
		t.Fatal(err)
	}
	place := store.HookScope{ProjectID: p.ID, NamespaceID: group.ID}
	const kinds = model.HookIssues | model.HookInstance
	match := func(in store.HookScope) (found int, statements int64) {
		t.Helper()
		err := st.Tx(t.Context(), func(ctx context.Context) error {
			ctx, err := st.Hooks.ReadAhead(ctx, place)
			if err != nil {
				return err
			}
			if _, _, err := st.InstanceVariables.List(ctx, store.Page{Limit: 1}); err != nil { // sends it
				return err
			}
			before := st.Statements()
			hooks, err := st.Hooks.Match(ctx, in, kinds)
			found, statements = len(hooks), st.Statements()-before
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return found, statements
	}
	for name, in := range map[string]store.HookScope{"the project": place, "the instance": {}} {
		if found, statements := match(in); found != 0 || statements != 0 {
			t.Errorf("%s, no hooks: %d hooks by %d statements", name, found, statements)
		}
	}
	for name, in := range map[string]store.HookScope{
		"another project": {ProjectID: p.ID + 1}, "the group": {NamespaceID: group.ID},
	} {
		if _, statements := match(in); statements != 1 {
			t.Errorf("%s: %d statements, want 1: nothing was read ahead about it", name, statements)
		}
	}
	for name, h := range map[string]model.Hook{"project": {ProjectID: &p.ID}, "group": {GroupID: &group.ID}, "instance": {}} {
		h.URL, h.Events, h.Sealed = "https://hooks.example", kinds, []byte("x")
		if err := st.Hooks.Create(t.Context(), &h, 100); err != nil {
			t.Fatal(err)
		}
		if found, _ := match(place); found != 1 {
			t.Errorf("a hook of the %s: %d hooks, want 1", name, found)
		}
		if err := st.Hooks.Delete(t.Context(), h, nil); err != nil {
			t.Fatal(err)
		}
	}
}
