package git

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"svc/store/model"
)

// Many clients send the same file to several projects at once. The file is stored once.
func TestConcurrentUploadsStoreAFileOnce(t *testing.T) {
	t.Parallel()
	h, folder := newServerWithFolder(t)
	ann := h.NewUser()
	data := random(t, 300<<10)
	var all []model.Project
	for range 3 {
		all = append(all, h.Project(*ann.User.NamespaceID))
	}
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			if got := lfs(t, h, ann.Token, "PUT", all[i%3].FullPath, objectPath(data), string(data)); got.status != 200 {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
	wg.Wait()
	for _, p := range all {
		row := ann.Send("GET", fmt.Sprintf("/projects/%d?statistics=true", p.ID), "")
		if want := fmt.Sprintf(`"lfs_objects_size":%d,`, len(data)); !strings.Contains(row.Body, want) {
			t.Errorf("without %s: %s", want, row.Body)
		}
	}
	if got := storedObjects(t, folder); len(got) != 1 || got[0] != digest(data) {
		t.Errorf("on the storage are %v", got)
	}
}

func TestImpossibleProjectPathsAreNotFound(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	ann := h.NewUser()
	for _, path := range []string{"a%00/b", "a%ff/b", "a/%2e%2e", "a//b", "a%0a/b"} {
		for _, rest := range []string{"info/lfs/locks", "svc-lfs/objects/" + digest(nil), "info/refs?service=git-upload-pack"} {
			if got := lfs(t, h, ann.Token, "GET", path, rest, ""); got.status != 404 {
				t.Errorf("%s %s: %d %s", path, rest, got.status, got.body)
			}
		}
	}
}
