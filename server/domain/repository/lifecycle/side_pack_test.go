package lifecycle_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"svc/server/domain/repository/lifecycle"
	"svc/store/model"
)

// another creates a second group.
func (s scene) another(path string) lifecycle.Owner {
	s.Helper()
	g := model.DefaultNamespace(model.NamespaceGroup)
	g.Name, g.Path = path, path
	if err := s.store.Namespaces.Create(s.Context(), &g); err != nil {
		s.Fatal(err)
	}
	return lifecycle.Owner{Kind: model.GroupWikiRepository, ID: g.ID}
}

// unpack creates a wiki in a transaction.
func (s scene) unpack(side lifecycle.Owner, data string) (sound bool, err error) {
	err = s.store.Tx(s.Context(), func(ctx context.Context) error {
		sound, err = s.sides.UnpackGroupWiki(ctx, side.ID, strings.NewReader(data), 1<<20)
		return err
	})
	return sound, err
}

// The wiki of a group is packed into a file and unpacked into another group, with its history.
func TestAWikiIsPackedAndUnpacked(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	var file bytes.Buffer
	if err := s.sides.PackGroupWiki(t.Context(), s.group.ID, &file); err != nil || file.Len() > 0 {
		t.Errorf("no wiki is %d bytes, %v", file.Len(), err)
	}
	for _, text := range []string{"one", "two"} {
		if _, err := s.write(s.group, text, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.sides.PackGroupWiki(t.Context(), s.group.ID, &file); err != nil {
		t.Fatal(err)
	}
	to := s.another("other")
	if sound, err := s.unpack(to, file.String()); !sound || err != nil {
		t.Fatalf("%v, %v", sound, err)
	}
	s.holds(to, "two")
	repo, head, err := s.sides.Open(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := repo.CountCommits(t.Context(), head); err != nil || n != 2 {
		t.Errorf("%d commits, %v", n, err)
	}
	if _, err := s.write(to, "three", nil); err != nil {
		t.Error(err)
	}
	if sound, err := s.unpack(to, file.String()); !sound || err != nil { // the wiki was written to meanwhile
		t.Errorf("%v, %v", sound, err)
	}
	s.holds(to, "three")
}

// A damaged pack creates nothing, and a sound one can still be unpacked afterwards.
func TestAnUnsoundWikiIsRefused(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if _, err := s.write(s.group, "one", nil); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := s.sides.PackGroupWiki(t.Context(), s.group.ID, &file); err != nil {
		t.Fatal(err)
	}
	good, to := file.String(), s.another("other")
	for name, data := range map[string]string{
		"nothing": "", "no commit": "hello",
		"an option": "--upload-pack=touch${IFS}x" + strings.Repeat("x", 14) + "\n" + good[41:], "no pack": good[:41],
		"cut off":        good[:len(good)-30],
		"another commit": strings.Repeat("1", 40) + good[40:],
		"spoiled":        good[:60] + strings.Repeat("x", 20) + good[80:], "too large": good[:41] + strings.Repeat("x", 2<<20),
	} {
		if sound, err := s.unpack(to, data); sound || err != nil {
			t.Errorf("%s: %v, %v", name, sound, err)
		}
		if _, head, err := s.sides.Open(t.Context(), to); head != "" || err != nil {
			t.Errorf("%s: there is %s, %v", name, head, err)
		}
	}
	if sound, err := s.unpack(to, good); !sound || err != nil {
		t.Errorf("%v, %v", sound, err)
	}
	s.holds(to, "one")
}
