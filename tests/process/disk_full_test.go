package process

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"svc/store/storetest"
)

// limitedCommand returns a command that starts svc with files of at most so many blocks of 512 bytes, like on a full disk.
func limitedCommand(t *testing.T, p Place, blocks string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("sh", "-c", "ulimit -f "+blocks+" && exec \"$0\" serve --listen 127.0.0.1:0", Svc(t))
	cmd.Env = append(append(environment(), "SVC_DATA="+p.Data, "SVC_ROOT_TOKEN="+Token), p.Env...)
	return cmd
}

// upload sends an artifact as a runner does. kind is the query with its type and format.
func (s *Server) upload(job int64, token, kind, content string) (int, string) {
	s.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "a.bin")
	if err == nil {
		_, err = part.Write([]byte(content))
	}
	if err := errors.Join(err, form.Close()); err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(s.t.Context(), "POST", fmt.Sprintf("%s/api/v4/jobs/%d/artifacts?%s", s.URL, job, kind), &body)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Job-Token", token)
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, string(answer)
}

func TestAStartOnAFullDiskSaysSo(t *testing.T) {
	t.Parallel()
	out, err := limitedCommand(t, NewPlace(t), "8").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "the disk of the data folder is full") || strings.Contains(string(out), "svc serves") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestAFullDiskIsAnsweredWith507(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := start(t, limitedCommand(t, p, "32768")) // 16 MiB
	s.ask("POST", "/api/v4/projects", `{"name":"p","initialize_with_readme":true}`, 201, nil)
	id, token := runJob(t.Context(), t, s, p.open(t))
	large := strings.Repeat("0123456789abcdef", 17<<16)
	status, body := s.upload(id, token, "artifact_type=archive&artifact_format=zip", large)
	if status != 507 || !strings.Contains(body, "The disk of the server is full") {
		t.Errorf("an artifact: %d %s", status, body)
	}
	if status, body := s.upload(id, token, "artifact_type=dotenv&artifact_format=raw", "A=1\n"); status != 201 {
		t.Errorf("a small one: %d %s", status, body)
	}
	s.ask("GET", readme, "", 200, nil)
	s.stop()
	// By this setting, the disk has no space left.
	s = Launch(t, p, "SVC_MIN_FREE_SPACE=1000000000")
	status, body, err := s.Do(t.Context(), "GET", "/-/readiness", "")
	if status != 503 || !strings.Contains(body, `"storage":"failed"`) || !strings.Contains(s.Output(), "svc: warning: the disk of ") {
		t.Errorf("readiness: %d %s %v\n%s", status, body, err, s.Output())
	}
}

// fill makes the disk of a running server full: its files, and those of the programs that it starts, can no longer
// grow.
func (s *Server) fill() { s.limitFiles(0) }

// free gives a full disk its space back.
func (s *Server) free() { s.limitFiles(math.MaxUint64) }

func (s *Server) limitFiles(bytes uint64) {
	s.t.Helper()
	limit := struct{ now, most uint64 }{bytes, math.MaxUint64}
	pid := uintptr(s.cmd.Process.Pid)
	_, _, failed := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, pid, syscall.RLIMIT_FSIZE, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if failed != 0 {
		s.t.Fatal(failed)
	}
}

// refusedForSpace checks that a write is refused with 507 and the reason, or with 503 if the database only reports that
// it failed.
func (s *Server) refusedForSpace(what string, status int, body string) {
	s.t.Helper()
	full := status == 507 && body == `{"message":"507 Insufficient Storage - The disk of the server is full"}`+"\n"
	away := status == 503 && body == `{"message":"503 Service Unavailable"}`+"\n"
	if !full && !away {
		s.t.Errorf("%s: %d %s", what, status, body)
	}
}

// trace appends to the log of a job as a runner does.
func (s *Server) trace(job int64, token string, offset int, text string) (int, string) {
	s.t.Helper()
	url := fmt.Sprintf("%s/api/v4/jobs/%d/trace", s.URL, job)
	req, err := http.NewRequestWithContext(s.t.Context(), "PATCH", url, strings.NewReader(text))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Job-Token", token)
	req.Header.Set("Content-Type", "text/plain")
	req.Header.Set("Content-Range", fmt.Sprintf("%d-%d", offset, offset+len(text)-1))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, string(answer)
}

const (
	fullFile   = "/api/v4/projects/root%2Fp/repository/files/f.txt"
	fullCommit = `{"branch":"main","content":"one\n","commit_message":"f"}`
	fullBranch = "/api/v4/projects/root%2Fp/repository/branches?branch=b&ref=main"
	fullIssues = "/api/v4/projects/root%2Fp/issues"
)

// diskTest is a server whose disk becomes full, with a job and a clone that has a commit to push.
type diskTest struct {
	s     *Server
	job   int64
	token string
	clone pusher
}

func newDiskTest(t *testing.T) *diskTest {
	t.Helper()
	p := NewPlace(t)
	s := Start(t, p)
	s.ask("POST", "/api/v4/projects", `{"name":"p","initialize_with_readme":true}`, 201, nil)
	d := &diskTest{s: s, clone: newPusher(t, "main")}
	d.job, d.token = runJob(t.Context(), t, s, p.open(t))
	if status, body := s.trace(d.job, d.token, 0, "before\n"); status != 202 {
		t.Fatal(status, body)
	}
	for _, args := range [][]string{{"pull", "-q", s.remote(), "main"}, {"commit", "-q", "--allow-empty", "-m", "two"}} {
		if err := d.clone.git(args...); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// The disk becomes full while the server runs. The server refuses each kind of write with the reason, still serves
// reads and loses nothing. All writes succeed as soon as there is space again.
func TestADiskThatBecomesFullRefusesWritesAndLosesNothing(t *testing.T) {
	t.Parallel()
	d := newDiskTest(t)
	d.s.fill()
	d.writesAreRefused(t)
	d.s.ask("GET", readme, "", 200, nil)
	d.s.ask("GET", "/api/v4/projects/root%2Fp", "", 200, nil)
	d.s.ask("GET", fullFile+"?ref=main", "", 404, nil)
	d.s.free()
	d.writesSucceed(t)
	d.s.hasLog(d.job, "before\nafter\n")
	d.s.ask("GET", "/-/readiness", "", 200, nil)
	d.repositoryIsComplete(t)
}

func (d *diskTest) writesAreRefused(t *testing.T) {
	t.Helper()
	if err := d.clone.git("push", d.s.remote(), "main"); err == nil || !strings.Contains(err.Error(), "the disk of the server is full") {
		t.Errorf("a push: %v", err)
	}
	writes := map[string][2]string{"a file": {fullFile, fullCommit}, "a branch": {fullBranch, ""}}
	if !storetest.Postgres() { // PostgreSQL has its files on another disk
		writes["an issue"] = [2]string{fullIssues, `{"title":"one"}`}
	}
	for what, write := range writes {
		status, body, err := d.s.Do(t.Context(), "POST", write[0], write[1])
		if err != nil {
			t.Fatal(err)
		}
		d.s.refusedForSpace(what, status, body)
	}
	status, body := d.s.trace(d.job, d.token, 7, "after\n")
	d.s.refusedForSpace("a log", status, body)
}

func (d *diskTest) writesSucceed(t *testing.T) {
	t.Helper()
	if err := d.clone.git("push", "-q", d.s.remote(), "main"); err != nil {
		t.Error(err)
	}
	d.s.ask("POST", fullBranch, "", 201, nil)
	d.s.ask("POST", fullFile, fullCommit, 201, nil)
	d.s.ask("POST", fullIssues, `{"title":"two"}`, 201, nil)
	var issues []struct{ Title string }
	d.s.ask("GET", fullIssues, "", 200, &issues)
	if len(issues) != 1 || issues[0].Title != "two" {
		t.Errorf("issues: %v", issues)
	}
	if status, body := d.s.trace(d.job, d.token, 7, "after\n"); status != 202 {
		t.Error("a log:", status, body)
	}
}

// repositoryIsComplete checks a new clone.
func (d *diskTest) repositoryIsComplete(t *testing.T) {
	t.Helper()
	again := filepath.Join(t.TempDir(), "again")
	for _, args := range [][]string{
		{"clone", "-q", d.s.remote(), again},
		{"-C", again, "fsck", "--strict"},
		{"-C", again, "merge-base", "--is-ancestor", "HEAD~2", "main"},
	} {
		if err := d.clone.git(args...); err != nil {
			t.Error(err)
		}
	}
}

// hasLog checks the log of a job.
func (s *Server) hasLog(job int64, want string) {
	s.t.Helper()
	status, log, err := s.Do(s.t.Context(), "GET", fmt.Sprintf("/api/v4/projects/root%%2Flogged/jobs/%d/trace", job), "")
	if err != nil || status != 200 || log != want {
		s.t.Errorf("the log is %d %q %v", status, log, err)
	}
}
