package process

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/signal"
	"svc/store"
	"svc/store/blob"
	"svc/store/model"
)

// runJob creates a project with a job and takes the job as a runner would.
func runJob(ctx context.Context, t *testing.T, s *Server, st *store.Store) (id int64, token string) {
	t.Helper()
	ask := func(method, path, body string, into any) {
		t.Helper()
		status, answer, err := s.Do(ctx, method, "/api/v4"+path, body)
		if err != nil || status != 201 || json.Unmarshal([]byte(answer), into) != nil {
			t.Fatal(path, status, answer, err)
		}
	}
	var project struct{ ID int64 }
	ask("POST", "/projects", `{"name":"logged"}`, &project)
	var runner struct{ Token string }
	ask("POST", "/user/runners", `{"runner_type":"instance_type"}`, &runner)
	user, err := st.Users.GetByUsername(ctx, "root")
	if err != nil {
		t.Fatal(err)
	}
	n := &store.NewPipeline{
		Pipeline: model.Pipeline{
			ProjectID: project.ID, UserID: &user.ID, Ref: "main", SHA: strings.Repeat("a", 40),
			BeforeSHA: strings.Repeat("0", 40), Source: "push", CommitData: "{}", Stages: `["test"]`,
		},
		Jobs: []model.Job{{
			ProjectID: project.ID, UserID: &user.ID, Name: "j", Stage: "test", Status: "created", RunWhen: "on_success",
			Ref: "main", Tags: "[]", Timeout: 3600,
		}},
		Specs: []model.JobSpec{{Name: "j", Spec: `{"Name":"j","Script":["true"]}`}},
	}
	e := engine.New(st, func(context.Context, engine.Payload, time.Time) error { return nil }, signal.New())
	if err := e.Begin(ctx, n); err != nil {
		t.Fatal(err)
	}
	var job struct {
		ID    int64
		Token string
	}
	ask("POST", "/jobs/request", fmt.Sprintf(`{"token":%q}`, runner.Token), &job)
	return job.ID, job.Token
}

// appendLog appends to a log. It returns the new size, and whether the server acknowledged the text.
func appendLog(ctx context.Context, s *Server, id int64, token string, offset int, text string) (int, bool) {
	req, err := http.NewRequestWithContext(ctx, "PATCH", fmt.Sprintf("%s/api/v4/jobs/%d/trace", s.URL, id), strings.NewReader(text))
	if err != nil {
		return 0, false
	}
	req.Header.Set("Job-Token", token)
	req.Header.Set("Content-Type", "text/plain")
	req.Header.Set("Content-Range", fmt.Sprintf("%d-%d", offset, offset+len(text)-1))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, false
	}
	defer res.Body.Close()
	var size int
	if _, err := fmt.Sscanf(res.Header.Get("Range"), "0-%d", &size); err != nil {
		return 0, false
	}
	return size, res.StatusCode == http.StatusAccepted
}

// logWriter appends numbered lines to the log of a job.
type logWriter struct {
	job          int64
	token        string
	lines        int             // how many lines were acknowledged
	acknowledged int             // how many bytes were acknowledged
	log          strings.Builder // what was acknowledged
}

// write appends lines until the server is gone.
func (w *logWriter) write(ctx context.Context, s *Server) {
	for {
		text := fmt.Sprintf("line %d %s\n", w.lines, strings.Repeat("x", w.lines%300))
		size, ok := appendLog(ctx, s, w.job, w.token, w.acknowledged, text)
		if !ok && size > w.acknowledged { // the text was stored before the kill, but the answer was lost
			size, ok = w.acknowledged+len(text), size == w.acknowledged+len(text)
		}
		if !ok {
			return
		}
		w.log.WriteString(text)
		w.acknowledged, w.lines = size, w.lines+1
	}
}

// isStored checks that the log at a place begins with what was acknowledged.
func (w *logWriter) isStored(ctx context.Context, t *testing.T, p Place) {
	t.Helper()
	blobs, err := blob.Open("", filepath.Join(p.Data, "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	from, err := blobs.ReadAppended(ctx, blob.LogKey(w.job), 0, int64(w.acknowledged))
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	if got, err := io.ReadAll(from); err != nil || string(got) != w.log.String() {
		t.Errorf("%d bytes are not those that were acknowledged, %v", len(got), err)
	}
}

// The server is killed in the middle of a log. Afterwards the log has every byte that the server acknowledged, and the
// job continues.
func TestAKilledServerKeepsEveryLogByteThatItAcknowledged(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	st := p.open(t)
	var w logWriter
	w.job, w.token = runJob(ctx, t, s, st)
	for round := range 3 {
		kill := time.AfterFunc(500*time.Millisecond, func() { s.Signal(syscall.SIGKILL) })
		w.write(ctx, s)
		if kill.Stop() {
			s.Signal(syscall.SIGKILL)
		}
		s.End() //nolint:errcheck // killed
		if w.lines <= round {
			t.Fatalf("too few lines to prove anything: %d", w.lines)
		}
		s = Start(t, p)
	}
	job, err := st.Jobs.Find(ctx, w.job)
	if err != nil || job.Status != "running" || job.LogSize < int64(w.acknowledged) {
		t.Fatalf("%s with %d bytes of %d, %v", job.Status, job.LogSize, w.acknowledged, err)
	}
	w.isStored(ctx, t, p)
	if _, ok := appendLog(ctx, s, w.job, w.token, int(job.LogSize), "the end\n"); !ok {
		t.Error("the job does not go on")
	}
}
