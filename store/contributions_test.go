package store_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// contributions returns rows of one contributor with two names.
func contributions(project, additions, deletions int64) []model.Contribution {
	return []model.Contribution{
		{ProjectID: project, Email: "a@x", Name: "A", Additions: additions, Deletions: deletions},
		{ProjectID: project, Email: "a@x", Name: "Ä", Additions: additions},
	}
}

// Of several concurrent callers with the same counts, one adds them.
func TestContributionsAreAddedOnce(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := newProject(t, st, *storetest.User(t, st).NamespaceID, "p")
	for _, step := range [][2]string{{"", "one"}, {"one", "two"}} {
		var added atomic.Int64
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				ok, err := st.Contributions.Add(t.Context(), p.ID, step[0], step[1], contributions(p.ID, 10, 1))
				if err != nil {
					t.Error(err)
				}
				if ok {
					added.Add(1)
				}
			})
		}
		all.Wait()
		if added.Load() != 1 {
			t.Errorf("%v was added %d times", step, added.Load())
		}
	}
	got, err := st.Contributions.List(t.Context(), p.ID)
	if diff := cmp.Diff(contributions(p.ID, 20, 2), got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

func TestContributionsAreForgottenUnlessTheyHaveGoneOn(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := newProject(t, st, *storetest.User(t, st).NamespaceID, "p")
	for _, step := range [][2]string{{"", "one"}, {"one", "two"}} {
		if ok, err := st.Contributions.Add(t.Context(), p.ID, step[0], step[1], contributions(p.ID, 10, 1)); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if ok, err := st.Contributions.Reset(t.Context(), p.ID, "one"); ok || err != nil {
		t.Errorf("forgotten though it has gone on: %v, %v", ok, err)
	}
	if ok, err := st.Contributions.Reset(t.Context(), p.ID, "two"); !ok || err != nil {
		t.Errorf("not forgotten: %v", err)
	}
	if head, err := st.Contributions.Head(t.Context(), p.ID); head != "" || err != nil {
		t.Errorf("head is %s, %v", head, err)
	}
	if got, err := st.Contributions.List(t.Context(), p.ID); len(got) > 0 || err != nil {
		t.Errorf("left are %v, %v", got, err)
	}
}

func TestAForkNetworkHasOneRoot(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	in := *storetest.User(t, st).NamespaceID
	make := func(path string, of *model.Project) model.Project {
		p := model.DefaultProject()
		p.NamespaceID, p.Name, p.Path = in, path, path
		if of != nil {
			p.ForkedFromID = &of.ID
		}
		if err := st.Projects.Create(t.Context(), &p, nil); err != nil {
			t.Fatal(err)
		}
		return p
	}
	root, other := make("root", nil), make("other", nil)
	a := make("a", &root)
	b, c := make("b", &a), make("c", &root)
	for _, pair := range [][2]int64{{root.ID, a.ID}, {b.ID, root.ID}, {b.ID, c.ID}, {a.ID, a.ID}} {
		if same, err := st.Projects.SameNetwork(t.Context(), pair[0], pair[1]); !same || err != nil {
			t.Errorf("%v are not of one network, %v", pair, err)
		}
	}
	for _, pair := range [][2]int64{{root.ID, other.ID}, {other.ID, b.ID}} {
		if same, err := st.Projects.SameNetwork(t.Context(), pair[0], pair[1]); same || err != nil {
			t.Errorf("%v are of one network, %v", pair, err)
		}
	}
}
