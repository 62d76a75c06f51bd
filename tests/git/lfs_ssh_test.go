package git

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestStockGitLFSWorksOverSSH(t *testing.T) {
	t.Parallel()
	harness.RequireProgram(t, "git-lfs", "git-lfs")
	h, address, folder := newSSHServerWithFolder(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	ours := "ssh://git@" + address + "/" + p.FullPath + ".git"
	command := "core.sshCommand=" + sshCommand(sshKey(t, ann, ""))
	here, files := newLFSRepository(t)
	must(t, here, "remote", "add", "origin", ours)
	must(t, here, "-c", command, "push", "-q", "origin", "main")
	if got := storedObjects(t, folder); len(got) != 2 {
		t.Errorf("on the storage are %v", got)
	}
	must(t, here, "-c", command, "lfs", "lock", "large.bin")
	if out := must(t, here, "-c", command, "lfs", "locks", "--verify"); !strings.Contains(out, "O large.bin") {
		t.Errorf("the locks are:\n%s", out)
	}
	there := filepath.Join(t.TempDir(), "clone")
	must(t, here, "-c", command, "clone", "-q", ours, there)
	must(t, there, "lfs", "install", "--local")
	must(t, there, "-c", command, "lfs", "pull")
	for name, data := range files {
		if got, err := os.ReadFile(filepath.Join(there, name)); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s has %d bytes, want %d; %v", name, len(got), len(data), err)
		}
	}
}

// lfsCredential requests a credential for LFS over SSH.
func lfsCredential(t testing.TB, address, key, path, operation string) (href, header, said string) {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	parts := append(strings.Fields(sshCommand(key)), "-T", "-p", port, "git@"+host, "git-lfs-authenticate '"+path+".git' "+operation)
	out, failed := exec.CommandContext(t.Context(), parts[0], parts[1:]...).CombinedOutput()
	var answer struct {
		Href      string            `json:"href"`
		Header    map[string]string `json:"header"`
		ExpiresIn int               `json:"expires_in"`
	}
	if failed == nil {
		if err := json.Unmarshal(out, &answer); err != nil || answer.ExpiresIn != 1800 {
			t.Fatalf("%s %v", out, err)
		}
	}
	return answer.Href, answer.Header["Authorization"], string(out)
}

func TestAnLFSCredentialFromSSHIsValidForOneProject(t *testing.T) {
	t.Parallel()
	h, address := newSSHServer(t)
	ann, bob := h.NewUser(), h.NewUser()
	key, others := sshKey(t, ann, ""), sshKey(t, bob, "")
	p, second := h.Project(*ann.User.NamespaceID), h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	without := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.LfsEnabled = false })
	data := []byte("hello")
	href, up, said := lfsCredential(t, address, key, p.FullPath, "upload")
	if href != h.URL+"/"+p.FullPath+".git/info/lfs" || !strings.HasPrefix(up, "Basic ") {
		t.Fatal(said)
	}
	_, down, _ := lfsCredential(t, address, key, p.FullPath, "download")
	with := func(header, method, project, rest, body string) reply {
		return lfs(t, h, "", method, project, rest, body, "Authorization", header)
	}
	if got := with(up, "PUT", p.FullPath, objectPath(data), string(data)); got.status != 200 {
		t.Errorf("upload: %d %s", got.status, got.body)
	}
	for _, header := range []string{up, down} {
		got := with(header, "POST", p.FullPath, "info/lfs/objects/batch", batch("download", data))
		if got.status != 200 || !strings.Contains(got.body, `"Authorization":"`+header+`"`) {
			t.Errorf("download: %d %s", got.status, got.body)
		}
		checkRefusal(
			t, "another project",
			with(header, "POST", second.FullPath, "info/lfs/objects/batch", batch("download", data)), 401,
			"Access denied",
		)
	}
	checkRefusal(
		t, "upload with one for downloads",
		with(down, "POST", p.FullPath, "info/lfs/objects/batch", batch("upload", data)), 403, "downloads only",
	)
	plain, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(up, "Basic "))
	if err != nil {
		t.Fatal(err)
	}
	user, secret, _ := strings.Cut(string(plain), ":")
	refused(t, "Authentication failed", t.TempDir(), "ls-remote", remote(h, user, secret, p.FullPath))
	if got := h.WithHeaders("Authorization", "Bearer "+secret).Send("GET", "/user", ""); got.Status != 401 {
		t.Errorf("in the API: %d", got.Status)
	}
	broken := "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+secret[:len(secret)-2]+"xx"))
	checkRefusal(
		t,
		"a forged one",
		with(broken, "POST", p.FullPath, "info/lfs/objects/batch", batch("download", data)),
		401,
		"Access denied",
	)
	for _, c := range []struct{ key, path, operation, text string }{
		{others, p.FullPath, "download", "could not be found"},
		{others, second.FullPath, "upload", "not allowed"},
		{key, without.FullPath, "download", "not enabled"},
		{key, p.FullPath, "delete", "accepts only"},
	} {
		if _, header, said := lfsCredential(t, address, c.key, c.path, c.operation); header != "" || !strings.Contains(said, c.text) {
			t.Errorf("%s of %s: %q, want %q", c.operation, c.path, said, c.text)
		}
	}
	keys := ann.Send("GET", "/user/keys", "")
	var list []struct{ ID int64 }
	if err := json.Unmarshal([]byte(keys.Body), &list); err != nil || len(list) != 1 {
		t.Fatal(keys.Body, err)
	}
	if got := ann.Send("DELETE", fmt.Sprintf("/user/keys/%d", list[0].ID), ""); got.Status != 204 {
		t.Fatal(got.Body)
	}
	checkRefusal(
		t, "when the key is gone", with(down, "POST", p.FullPath, "info/lfs/objects/batch", batch("download", data)),
		401, "Access denied",
	)
}
