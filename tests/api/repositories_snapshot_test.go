package api

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// unpackSnapshot writes the files of a tar archive into a new folder, and returns the folder.
func unpackSnapshot(t *testing.T, body string) string {
	t.Helper()
	folder := t.TempDir()
	in := tar.NewReader(strings.NewReader(body))
	for {
		file, err := in.Next()
		if errors.Is(err, io.EOF) {
			return folder
		}
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(folder, filepath.Clean("/"+file.Name))
		if file.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(to, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnAdministratorDownloadsARepositoryAsItIsStored(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(seen(model.Public)).ID, called("web", model.Public))
	owner := h.ProjectMember(p, model.Owner)
	path := fmt.Sprintf("/projects/%d/snapshot", p.ID)
	none := `{"message":"404 Repository Not Found"}`
	expect(t, h.Root().Send("GET", path, ""), 404, none)
	expect(t, h.Root().Send("GET", path+"?wiki=true", ""), 404, none)
	local := emptyHistory(t, p)
	first := local.commit("a.txt", "a", "Add a")
	local.push(h, owner, "main")
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/repository/tags?tag_name=v1&ref=main", p.ID), ""), 201, "")
	second := local.commit("b.txt", "b", "Add b")
	local.push(h, owner, "main")
	got := h.Root().Send("GET", path, "")
	expect(t, got, 200, "")
	if got.Header.Get("Content-Type") != "application/x-tar" || !strings.Contains(got.Header.Get("Content-Disposition"), "web.git.tar") {
		t.Errorf("%v", got.Header)
	}
	bare := unpackSnapshot(t, got.Body)
	local.run("--git-dir="+bare, "fsck", "--full")
	if log := local.lines("--git-dir="+bare, "log", "--format=%H"); fmt.Sprint(log) != fmt.Sprint([]string{second, first}) {
		t.Errorf("the log is %v", log)
	}
	if tag := local.run("--git-dir="+bare, "rev-parse", "v1"); tag != first {
		t.Errorf("the tag is %s", tag)
	}
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/wikis", p.ID), `{"title":"Home","content":"Hello"}`), 201, "")
	wiki := unpackSnapshot(t, h.Root().Send("GET", path+"?wiki=true", "").Body)
	if files := local.lines("--git-dir="+wiki, "ls-tree", "-r", "--name-only", "HEAD"); len(files) != 1 {
		t.Errorf("the files of the wiki are %v", files)
	}
	expect(t, h.Root().Send("GET", path+"?wiki=perhaps", ""), 400, `{"error":"wiki is invalid"}`)
	expect(t, owner.Send("GET", path, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Anonymous().Send("GET", path, ""), 401, `{"message":"401 Unauthorized"}`)
	expect(t, h.Root().Send("GET", "/projects/999999/snapshot", ""), 404, `{"message":"404 Project Not Found"}`)
}
