package git

import (
	"encoding/json"
	"fmt"
	"net/url"
	"testing"

	"svc/store/model"
)

func TestAMergeCopiesTheLargeFilesOfAFork(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	h.StartWorker()
	ann, ben := h.NewUser(), h.NewUser()
	p := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	here := newRepository(t)
	must(t, here, "push", "-q", remote(h, "x", ann.Token, p.FullPath), "main")
	if forked := ben.JSON("POST", fmt.Sprintf("/projects/%d/fork", p.ID), `{}`); forked.Status != 201 {
		t.Fatal(forked.Body)
	}
	fork := p
	fork.FullPath = ben.User.Username + "/" + p.Path
	path := "/projects/" + url.PathEscape(fork.FullPath)
	waitForFork(t, ben, path)
	first, second, apart := random(t, 1000), random(t, 2000), random(t, 3000)
	for _, data := range [][]byte{first, second, apart} {
		upload(t, h, ben, fork, data)
	}
	commit(t, here, "first.bin", pointer(first))
	commit(t, here, "second.bin", pointer(second))
	commit(t, here, "first.bin", "changed my mind\n") // the history still needs the object
	must(t, here, "push", "-q", remote(h, "x", ben.Token, fork.FullPath), "main:idea")
	must(t, here, "checkout", "-q", "-b", "apart", "HEAD~3")
	commit(t, here, "apart.bin", pointer(apart))
	must(t, here, "push", "-q", remote(h, "x", ben.Token, fork.FullPath), "apart")
	asked := ben.JSON("POST", path+"/merge_requests", fmt.Sprintf(
		`{"source_branch":"idea","target_branch":"main","title":"Idea","target_project_id":%d}`, p.ID,
	))
	if asked.Status != 201 {
		t.Fatal(asked.Body)
	}
	has := func(data []byte) int {
		return lfs(t, h, ann.Token, "GET", p.FullPath, "svc-lfs/objects/"+digest(data), "").status
	}
	if has(first) != 404 || has(second) != 404 {
		t.Error("the project has large files of a fork before anything is merged")
	}
	if merged := ann.JSON("PUT", fmt.Sprintf("/projects/%d/merge_requests/1/merge", p.ID), `{}`); merged.Status != 200 {
		t.Fatal(merged.Body)
	}
	if got := []int{has(first), has(second), has(apart)}; fmt.Sprint(got) != "[200 200 404]" {
		t.Errorf("the large files answer %v", got)
	}
	var of struct {
		Statistics struct {
			LFS int `json:"lfs_objects_size"`
		}
	}
	if err := json.Unmarshal([]byte(ann.Send("GET", fmt.Sprintf("/projects/%d?statistics=true", p.ID), "").Body), &of); err != nil ||
		of.Statistics.LFS != 3000 {
		t.Error(of, err)
	}
}
