package git

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"

	"golang.org/x/crypto/ssh"
)

// newSSHServer returns a harness that also serves Git over SSH, and the SSH address.
func newSSHServer(t *testing.T, edit ...func(*config.Config)) (*harness.H, string) {
	t.Helper()
	h, address, _ := newSSHServerWithFolder(t, edit...)
	return h, address
}

// newSSHServerWithFolder is like shell, and also returns the folder of the storage.
func newSSHServerWithFolder(t *testing.T, edit ...func(*config.Config)) (*harness.H, string, string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h, folder := newServerWithFolder(t, append(edit, func(c *config.Config) { c.SSHListen = listener.Addr().String() })...)
	ended := make(chan error, 1)
	go func() { ended <- h.Server.ServeSSH(listener) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := h.Server.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return h, listener.Addr().String(), folder
}

// sshKey creates a key pair, adds the public key to a user and returns the file of the private key.
func sshKey(t testing.TB, c *harness.Caller, more string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "id")
	if out, err := exec.CommandContext(
		t.Context(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file,
	).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	public, err := os.ReadFile(file + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if got := c.JSON(
		"POST", "/user/keys", fmt.Sprintf(`{"title":"k","key":%q%s}`, strings.TrimSpace(string(public)), more),
	); got.Status != 201 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	return file
}

func sshCommand(key string) string {
	return "ssh -F /dev/null -o BatchMode=yes -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o " +
		"UserKnownHostsFile=/dev/null -o LogLevel=ERROR -i " + key
}

func TestStockGitWorksOverSSH(t *testing.T) {
	t.Parallel()
	h, address := newSSHServer(t)
	ann := h.NewUser()
	key := sshKey(t, ann, "")
	made := ann.JSON("POST", "/projects", `{"name":"p"}`)
	ours := "ssh://git@" + address + "/" + ann.User.Username + "/p.git"
	if made.Status != 201 || !strings.Contains(made.Body, `"ssh_url_to_repo":"`+ours+`"`) {
		t.Fatalf("%d %s", made.Status, made.Body)
	}
	here, with := newRepository(t), []string{"-c", "core.sshCommand=" + sshCommand(key)}
	run := func(folder string, args ...string) string { return must(t, folder, append(with, args...)...) }
	began := time.Now()
	run(here, "push", "-q", ours, "main")
	there := filepath.Join(t.TempDir(), "clone")
	run(here, "clone", "-q", ours, there)
	run(here, "-c", "protocol.version=0", "clone", "-q", "--depth=1", ours, filepath.Join(t.TempDir(), "clone"))
	for i := range 20 {
		commit(t, here, fmt.Sprint(i), strings.Repeat("x", 1000*i))
	}
	run(here, "push", "-q", ours, "main", "main:topic")
	run(here, "push", "-q", ours, "main") // nothing to do
	run(there, "pull", "-q")
	run(here, "push", "-q", ours, ":topic")
	if a, b := must(t, here, "rev-parse", "main"), must(t, there, "rev-parse", "main"); a != b {
		t.Errorf("pushed %s, pulled %s", a, b)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	events, err := h.Store.Pushes.Events(t.Context(), 1)
	if err != nil || len(events) != 4 || events[0].AuthorID != ann.User.ID {
		t.Errorf("%d events, %v", len(events), err)
	}
	page := h.Anonymous().Send("GET", "/-/metrics", "").Body
	for _, want := range []string{
		`svc_ssh_commands_total{command="git-receive-pack",outcome="succeeded"} 4`,
		`svc_ssh_commands_total{command="git-upload-pack",outcome="succeeded"} 3`,
		`svc_ssh_commands_total{command="git-upload-pack",outcome="failed"} 0`,
		`svc_ssh_command_duration_seconds_count{command="git-lfs-authenticate"} 0`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	refused(t, "not allowed to change this reference", here, append(with, "push", ours, "main:refs/hidden/x")...)
}

func TestPermissionsToUseSSH(t *testing.T) {
	t.Parallel()
	h, address := newSSHServer(t)
	host, port, _ := net.SplitHostPort(address)
	ann, bob := h.NewUser(), h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	public := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	good, signing, others := sshKey(t, ann, ""), sshKey(t, ann, `,"usage_type":"signing"`), sshKey(t, bob, "")
	here := newRepository(t)
	must(t, here, "push", "-q", remote(h, "x", ann.Token, public.FullPath), "main")
	say := func(key string, args ...string) string {
		parts := append(strings.Fields(sshCommand(key)), "-T", "-p", port, "anyone@"+host)
		out, _ := exec.CommandContext(t.Context(), parts[0], append(parts[1:], args...)...).CombinedOutput()
		return string(out)
	}
	if got := say(good); !strings.Contains(got, "Welcome, @"+ann.User.Username+"!") {
		t.Errorf("the welcome is %q", got)
	}
	for _, command := range []string{"id", "sh -c id", "git-upload-archive 'a/b'", "git-upload-pack 'x'; id", "scp -t x"} {
		if got := say(good, command); !strings.Contains(got, "This server accepts only git-upload-pack and git-receive-pack.") {
			t.Errorf("%s is answered %q", command, got)
		}
	}
	if got := say(signing); !strings.Contains(got, "Permission denied") {
		t.Errorf("a key for signing: %q", got)
	}
	at := func(key, path string) []string {
		return []string{"-c", "core.sshCommand=" + sshCommand(key), "ls-remote", "ssh://git@" + address + "/" + path + ".git"}
	}
	must(t, here, at(good, p.FullPath)...)
	must(t, here, at(others, public.FullPath)...)
	refused(t, "could not be found", here, at(others, p.FullPath)...)
	refused(t, "could not be found", here, at(good, "no/such")...)
	refused(
		t, "not allowed", here, "-c", "core.sshCommand="+sshCommand(others), "push",
		"ssh://git@"+address+"/"+public.FullPath+".git", "main:x",
	)
	if err := h.Store.Projects.Update(t.Context(), p.ID, map[string]any{"path": "elsewhere"}); err != nil {
		t.Fatal(err)
	}
	if out := must(t, here, at(good, p.FullPath)...); !strings.Contains(out, "has moved") {
		t.Errorf("by the old path: %q", out)
	}
	if got := h.Root().Send("POST", fmt.Sprintf("/users/%d/block", ann.User.ID), ""); got.Status != 201 {
		t.Fatal(got.Body)
	}
	if got := say(good); !strings.Contains(got, "Permission denied") {
		t.Errorf("who is blocked: %q", got)
	}
}

func TestSSHOffersNothingButGitSessions(t *testing.T) {
	t.Parallel()
	h, address := newSSHServer(t)
	text, err := os.ReadFile(sshKey(t, h.NewUser(), ""))
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.ParsePrivateKey(text)
	if err != nil {
		t.Fatal(err)
	}
	client, err := ssh.Dial("tcp", address, &ssh.ClientConfig{
		User: "git", Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Timeout: 10 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	u, _ := url.Parse(h.URL)
	if c, err := client.Dial("tcp", u.Host); err == nil {
		c.Close()
		t.Error("a connection was forwarded")
	}
	if l, err := client.Listen("tcp", "127.0.0.1:0"); err == nil {
		l.Close()
		t.Error("a port was opened")
	}
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if session.RequestPty("xterm", 24, 80, ssh.TerminalModes{}) == nil || session.Setenv("PATH", "/tmp") == nil ||
		session.RequestSubsystem("sftp") == nil {
		t.Error("a terminal, a variable or a subsystem was given")
	}
	if err := session.Setenv("GIT_PROTOCOL", "version=2"); err != nil {
		t.Error(err)
	}
}
