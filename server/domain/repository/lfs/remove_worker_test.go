package lfs

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store"
	disk "svc/store/lfs"
	"svc/store/model"
	"svc/store/storetest"
)

func keeper(t testing.TB) (*Store, *store.Store, func(name string) model.Project) {
	t.Helper()
	st := storetest.New(t)
	files, err := disk.Open(map[string]string{"default": t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	owner := storetest.User(t, st)
	return New(st, files, 0), st, func(name string) model.Project {
		p := model.DefaultProject()
		p.NamespaceID, p.Name, p.Path = *owner.NamespaceID, name, name
		if err := st.Projects.Create(t.Context(), &p, nil); err != nil {
			t.Fatal(err)
		}
		return p
	}
}

func oidOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (k *Store) put(t testing.TB, p model.Project, text string) {
	t.Helper()
	if err := k.Receive(t.Context(), p, oidOf(text), int64(len(text)), strings.NewReader(text)); err != nil {
		t.Error(err)
	}
}

func (k *Store) has(t testing.TB, text string) bool {
	t.Helper()
	file, err := k.files.Read("default", oidOf(text))
	if err == nil {
		file.Close()
	} else if !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return err == nil
}

func TestOnlyWhatNoProjectHasIsRemoved(t *testing.T) {
	t.Parallel()
	k, st, project := keeper(t)
	one, two := project("one"), project("two")
	k.put(t, one, "one's")
	k.put(t, one, "shared")
	k.put(t, two, "shared")
	if err := st.Projects.Delete(t.Context(), one.ID, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := k.Remove(t.Context(), Removal{}); err != nil {
			t.Fatal(err)
		}
		if k.has(t, "one's") || !k.has(t, "shared") {
			t.Error("the wrong file was removed")
		}
	}
	if _, _, err := k.Open(t.Context(), two.ID, oidOf("one's")); !store.IsNotFound(err) {
		t.Errorf("another project's: %v", err)
	}
	if err := k.Receive(t.Context(), one, oidOf("late"), 4, strings.NewReader("late")); !store.IsNotFound(err) || k.has(t, "late") {
		t.Errorf("a project that is gone got a file: %v", err)
	}
}

// A server that is killed after it wrote the file and before it wrote the row leaves a file without a row.
func TestWhatNobodyKnowsIsSweptAway(t *testing.T) {
	t.Parallel()
	k, st, project := keeper(t)
	p := project("one")
	k.put(t, p, "known")
	draft, err := k.files.Receive("default", oidOf("unknown"), 7, strings.NewReader("unknown"))
	if err == nil {
		_, err = draft.Store(t.Context(), "default")
	}
	if err != nil {
		t.Fatal(err)
	}
	draft.Discard()
	if err := k.Sweep(t.Context(), Sweep{}); err != nil || !k.has(t, "unknown") {
		t.Errorf("what has just come was swept away: %v", err)
	}
	for range 2 {
		if err := k.sweep(t.Context(), time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if k.has(t, "unknown") || !k.has(t, "known") {
			t.Error("the wrong file was swept away")
		}
	}
	rows, err := st.LfsObjects.Unused(t.Context(), 10)
	if err != nil || len(rows) != 0 {
		t.Errorf("%v, %v", rows, err)
	}
}

// A client that was told that a file exists finds it, even if the removal jobs run at that moment.
func TestAFileThatComesWhileItIsRemovedIsThere(t *testing.T) {
	t.Parallel()
	k, st, project := keeper(t)
	kept := project("kept")
	const text = "comes and goes"
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if err := k.Remove(t.Context(), Removal{}); err != nil {
				t.Error(err)
			}
			// The sweep without the drafts, which are being written.
			err := k.files.EachOlder(t.Context(), "default", time.Now().Add(time.Hour), func(oids []string) error {
				return k.removeUnknown(t.Context(), "default", oids)
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
	defer wg.Wait()
	defer close(done)
	for i := range 20 {
		k.put(t, kept, text)
		file, _, err := k.Open(t.Context(), kept.ID, oidOf(text))
		if err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
		file.Close()
		if _, err := st.SQL().ExecContext(t.Context(), "DELETE FROM lfs_project_objects"); err != nil {
			t.Fatal(err)
		}
	}
}
