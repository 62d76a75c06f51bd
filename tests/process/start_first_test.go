package process

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"svc/store/storetest"
)

// refused runs svc serve, which must fail and print all of the texts.
func refused(t *testing.T, p Place, why string, texts ...string) {
	t.Helper()
	out, err := Run(t, p, "serve", "--listen", "127.0.0.1:0")
	for _, text := range texts {
		if err == nil || !strings.Contains(out, text) {
			t.Errorf("%s: %v, %q is not in:\n%s", why, err, text, out)
		}
	}
	if strings.Contains(out, "svc serves") {
		t.Errorf("%s: it says that it is ready:\n%s", why, out)
	}
}

// stop stops a server, which must end without an error.
func (s *Server) stop() {
	s.t.Helper()
	s.Signal(syscall.SIGTERM)
	if err := s.End(); err != nil {
		s.t.Fatalf("%v\n%s", err, s.Output())
	}
}

func move(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

const readme = "/api/v4/projects/root%2Fp/repository/files/README.md/raw"

// startWithProject starts a server and creates a project with a README.
func startWithProject(t *testing.T, p Place, env ...string) *Server {
	t.Helper()
	s := Start(t, p, env...)
	s.ask("POST", "/api/v4/projects", `{"name":"p","initialize_with_readme":true}`, 201, nil)
	s.ask("GET", readme, "", 200, nil)
	return s
}

// A storage that is not mounted leaves an empty folder behind.
func TestAStartWithoutItsStorageIsRefused(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	startWithProject(t, p).stop()
	folder := filepath.Join(p.Data, "repositories")
	move(t, folder, folder+".away")
	refused(t, p, "no folder", "the storage default in "+folder, "svc-instance", "adopt-storage default")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	refused(t, p, "an empty folder", "the storage default in "+folder, "svc-instance", "adopt-storage default")
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("the empty folder holds %v, %v", left, err)
	}
	if err := os.WriteFile(filepath.Join(folder, "svc-instance"), []byte("another\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, p, "another instance's", "belongs to another instance", "names the instance another")
	// An administrator who wants to continue without the repositories must say so. They are then missing, not empty.
	if out, err := Run(t, p, "admin", "adopt-storage", "nonsense"); err == nil || !strings.Contains(out, "default, blobs") {
		t.Errorf("a storage that is not there: %v %s", err, out)
	}
	if out, err := Run(t, p, "admin", "adopt-storage", "default"); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	s := Start(t, p)
	if status, body, err := s.Do(t.Context(), "GET", readme, ""); status != 500 || !strings.Contains(body, "missing or damaged") {
		t.Errorf("a repository that is lost: %d %s %v", status, body, err)
	}
	s.stop()
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	move(t, folder+".away", folder)
	checkProject(t, p)
}

func checkProject(t *testing.T, p Place) {
	t.Helper()
	s := Start(t, p)
	s.ask("GET", readme, "", 200, nil)
	s.stop()
}

// The folders of older versions have no mark. The server marks them once, if the repositories are there.
func TestTheDataOfAnOlderVersionIsAdopted(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	startWithProject(t, p).stop()
	folder := filepath.Join(p.Data, "repositories")
	forget := func() {
		t.Helper()
		if _, err := p.open(t).SQL().ExecContext(t.Context(), "DELETE FROM instance_storages"); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"repositories", "blobs"} {
			if err := os.Remove(filepath.Join(p.Data, name, "svc-instance")); err != nil {
				t.Fatal(err)
			}
		}
	}
	forget()
	move(t, folder, folder+".away")
	refused(t, p, "without the repositories", "has only 0 of", "adopt-storage default")
	move(t, folder+".away", folder)
	checkProject(t, p)
	if _, err := os.Stat(filepath.Join(folder, "svc-instance")); err != nil {
		t.Errorf("it is not marked: %v", err)
	}
}

func TestAStorageThatDisappearsIsNotWrittenTo(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := startWithProject(t, p)
	folder := filepath.Join(p.Data, "repositories")
	move(t, folder, folder+".away")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	clone := t.TempDir()
	remote := s.remote()
	if out, err := exec.Command("git", "clone", "-q", remote, clone).CombinedOutput(); err == nil || !strings.Contains(string(out), "503") {
		t.Errorf("a clone: %v %s", err, out)
	}
	for path, body := range map[string]string{
		"/api/v4/projects": `{"name":"q"}`,
		"/api/v4/projects/root%2Fp/repository/files/new": `{"branch":"main","commit_message":"x","content":"x"}`,
	} {
		if status, answer, err := s.Do(t.Context(), "POST", path, body); status != 503 ||
			!strings.Contains(answer, "The storage is not available") {
			t.Errorf("POST %s: %d %s %v", path, status, answer, err)
		}
	}
	if status, answer, err := s.Do(t.Context(), "GET", "/-/readiness", ""); status != 503 ||
		!strings.Contains(answer, `"storage":"failed"`) {
		t.Errorf("readiness: %d %s %v", status, answer, err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("the empty folder holds %v, %v", left, err)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	move(t, folder+".away", folder)
	s.ask("GET", readme, "", 200, nil)
	s.ask("POST", "/api/v4/projects/root%2Fp/repository/files/new", `{"branch":"main","commit_message":"x","content":"x"}`, 201, nil)
}

// The guide describes this setup: the processes share storages, bucket and secret key, and get the same host keys. With
// SQLite, only one process can serve an instance.
func TestSeveralProcessesServeOneInstance(t *testing.T) {
	t.Parallel()
	p := Shared(t)
	other := p.Another(t)
	if !storetest.Postgres() {
		refusedWithoutSharedData(t, p, other)
		return
	}
	env := "SVC_SSH_LISTEN=127.0.0.1:0"
	a := startWithProject(t, p, env)
	b := Start(t, other, env)
	b.ask("GET", readme, "", 200, nil)
	b.ask("POST", "/api/v4/projects/root%2Fp/repository/files/new", `{"branch":"main","commit_message":"x","content":"from b"}`, 201, nil)
	a.ask("GET", "/api/v4/projects/root%2Fp/repository/files/new/raw", "", 200, nil)
	hosts := regexp.MustCompile(`the host keys are (.*)\.`)
	if one, two := hosts.FindString(a.Output()), hosts.FindString(b.Output()); one == "" || one != two {
		t.Errorf("the host keys are %q and %q", one, two)
	}
	id, token := runJob(t.Context(), t, a, p.open(t))
	if _, ok := appendLog(t.Context(), a, id, token, 0, "one\n"); !ok {
		t.Error("the log does not begin")
	}
	if _, ok := appendLog(t.Context(), b, id, token, 4, "two\n"); !ok {
		t.Error("the log does not go on in the other process")
	}
	if status, body, err := a.Do(
		t.Context(), "GET", fmt.Sprintf("/api/v4/projects/root%%2Flogged/jobs/%d/trace", id), "",
	); status != 200 || body != "one\ntwo\n" {
		t.Errorf("the log: %d %q %v", status, body, err)
	}
	refusedWithoutSharedData(t, p, other)
}

// refusedWithoutSharedData starts processes that share only the database, or not even that.
func refusedWithoutSharedData(t *testing.T, p, other Place) {
	t.Helper()
	if !storetest.Postgres() {
		startWithProject(t, p).stop()
	}
	wrong := Place{Data: filepath.Join(t.TempDir(), "data")}
	for _, line := range p.Env {
		if strings.HasPrefix(line, "SVC_DATABASE_URL=") || strings.HasPrefix(line, "SVC_SECRET_KEY=") {
			wrong.Env = append(wrong.Env, line)
		}
	}
	if storetest.Postgres() {
		refused(t, wrong, "its own storages", "the storage default in ", "All processes on one database need the same storages")
		wrong.Env = append(slices.Clone(p.Env), "SVC_SECRET_KEY="+strings.Repeat("another ", 5))
		refused(t, wrong, "its own key", "is not the key", "replace-secret-key")
		return
	}
	refused(t, other, "another database on the same storages", "files of an instance", "mv ")
}

func TestAnAddressInUseLeavesNoInstanceBehind(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, flag := range []string{"--listen", "--ssh-listen", "--pages-listen"} {
		p := NewPlace(t)
		out, err := Run(t, p, "serve", "--listen", "127.0.0.1:0", flag, taken.Addr().String())
		if err == nil || !strings.Contains(out, flag) {
			t.Errorf("%s: %v %s", flag, err, out)
		}
		if _, err := os.Stat(filepath.Join(p.Data, "first-start")); !os.IsNotExist(err) {
			t.Errorf("%s: an instance was made: %v", flag, err)
		}
		s := Start(t, p, "SVC_ROOT_TOKEN=")
		s.WaitFor("This is the first start")
		s.stop()
	}
}

// secrets returns the password and the token that a server has printed.
func secrets(s *Server) (password, token string) {
	found := regexp.MustCompile(`password +(\S+)\n +token +(\S+)`).FindStringSubmatch(s.Output())
	if found == nil {
		return "", ""
	}
	return found[1], found[2]
}

func TestTheFirstSecretsAreShownUntilTheyAreUsed(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	shown := map[string]bool{}
	var last string
	for range 3 {
		s := Start(t, p, "SVC_ROOT_TOKEN=")
		s.WaitFor("the documentation is at")
		password, token := secrets(s)
		if password == "" || shown[password] || shown[token] {
			t.Fatalf("printed:\n%s", s.Output())
		}
		if last != "" {
			if status, _, err := s.DoAs(t.Context(), last, "GET", "/api/v4/user", ""); status != 401 {
				t.Errorf("the token before: %d %v", status, err)
			}
		}
		shown[password], shown[token], last = true, true, token
		s.stop()
	}
	s := Start(t, p, "SVC_ROOT_TOKEN=")
	s.WaitFor("the documentation is at")
	_, token := secrets(s)
	if status, body, err := s.DoAs(t.Context(), token, "GET", "/api/v4/user", ""); status != 200 {
		t.Fatal(status, body, err)
	}
	s.stop()
	s = Start(t, p, "SVC_ROOT_TOKEN=")
	if status, body, err := s.DoAs(t.Context(), token, "GET", "/api/v4/user", ""); status != 200 {
		t.Error("the token that was used:", status, body, err)
	}
	if password, _ := secrets(s); password != "" || strings.Contains(s.Output(), "password ") {
		t.Errorf("secrets are shown after they were used:\n%s", s.Output())
	}
	s.stop()
	if _, err := os.Stat(filepath.Join(p.Data, "first-start")); !os.IsNotExist(err) {
		t.Errorf("first-start is still there: %v", err)
	}
}
