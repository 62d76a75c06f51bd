package runner

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/tests/process"
	"svc/tests/wait"
)

// Setup is a project on a server, with a runner for its jobs.
type Setup struct {
	*process.Server
	*Proxy
	Runner  *Runner
	Project int64
	Path    string

	t      *testing.T
	place  process.Place
	folder string // the author's working copy
}

// NewSetup starts a server and creates a project. The runner is not registered yet.
func NewSetup(t *testing.T) *Setup {
	t.Helper()
	w := &Setup{Proxy: NewProxy(t), Runner: NewRunner(t), t: t, place: process.NewPlace(t), folder: t.TempDir()}
	official.Path(t)
	w.Start()
	var project struct {
		ID   int64
		Path string `json:"path_with_namespace"`
	}
	w.Ask("POST", "/projects", `{"name":"roof"}`, &project)
	w.Project, w.Path = project.ID, project.Path
	return w
}

// Start starts the server, for the first time or again, at the same address.
func (w *Setup) Start() {
	w.t.Helper()
	w.Server = process.Start(w.t, w.place, "SVC_LISTEN="+w.Proxy.Listen, "SVC_URL="+w.Proxy.URL)
}

// Ask sends a request as the administrator. The request must succeed.
func (w *Setup) Ask(method, path, body string, into any) {
	w.t.Helper()
	status, answer, err := w.Do(w.t.Context(), method, "/api/v4"+path, body)
	if err != nil || status < 200 || status > 299 {
		w.t.Fatal(method, path, status, answer, err)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal([]byte(answer), into); err != nil {
		w.t.Fatal(method, path, answer, err)
	}
}

// Push commits files and pushes them, as their author would.
func (w *Setup) Push(files map[string]string) {
	w.t.Helper()
	remote, err := url.Parse(w.Proxy.URL)
	if err != nil {
		w.t.Fatal(err)
	}
	remote.User, remote.Path = url.UserPassword("oauth2", process.Token), "/"+w.Path+".git"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(w.folder, name), []byte(text), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"add", "."},
		{"commit", "-q", "-m", "Mend the roof"},
		{"push", "-q", remote.String(), "main"},
	} {
		cmd := exec.CommandContext(w.t.Context(), "git", args...)
		cmd.Dir = w.folder
		cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
			"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.com")
		if out, err := cmd.CombinedOutput(); err != nil {
			w.t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
}

// Pipeline is a pipeline as the API shows it.
type Pipeline struct {
	ID     int64
	Status string
	Source string
}

// Job is a job as the API shows it.
type Job struct {
	ID            int64
	Name          string
	Status        string
	AllowFailure  bool   `json:"allow_failure"`
	FailureReason string `json:"failure_reason"`
	ArtifactsFile *struct {
		Filename string
		Size     int64
	} `json:"artifacts_file"`
	Runner *struct {
		ID          int64
		Description string
	}
	Downstream *Pipeline `json:"downstream_pipeline"`
}

// Newest waits for a pipeline with the given source and returns the newest one.
func (w *Setup) Newest(source string) Pipeline {
	w.t.Helper()
	var all []Pipeline
	wait.Until(w.t, "there is a pipeline of "+source, func() bool {
		w.Ask("GET", fmt.Sprintf("/projects/%d/pipelines?source=%s", w.Project, source), "", &all)
		return len(all) > 0
	})
	return all[0]
}

// Jobs returns the jobs of a pipeline by name, without those that were retried.
func (w *Setup) Jobs(pipeline int64) map[string]Job {
	w.t.Helper()
	jobs := map[string]Job{}
	for _, kind := range []string{"jobs", "bridges"} {
		var all []Job
		w.Ask("GET", fmt.Sprintf("/projects/%d/pipelines/%d/%s?per_page=100", w.Project, pipeline, kind), "", &all)
		for _, j := range all {
			jobs[j.Name] = j
		}
	}
	return jobs
}

// WaitForJob waits until a job has the given status.
func (w *Setup) WaitForJob(pipeline int64, name, status string) Job {
	w.t.Helper()
	var j Job
	w.waitForStatus("the job "+name, status, func() string {
		j = w.Jobs(pipeline)[name]
		return j.Status
	}, func() string {
		return fmt.Sprintf("%s is %s (%s), not %s; its log:\n%s", name, j.Status, j.FailureReason, status, w.Log(j.ID))
	})
	return j
}

// WaitForPipeline waits until a pipeline has the given status.
func (w *Setup) WaitForPipeline(pipeline int64, status string) {
	w.t.Helper()
	var p Pipeline
	w.waitForStatus(fmt.Sprint("pipeline ", pipeline), status, func() string {
		w.Ask("GET", fmt.Sprintf("/projects/%d/pipelines/%d", w.Project, pipeline), "", &p)
		return p.Status
	}, func() string {
		return fmt.Sprintf("the pipeline is %s, not %s: %+v", p.Status, status, w.Jobs(pipeline))
	})
}

// Log returns the log of a job.
func (w *Setup) Log(job int64) string {
	w.t.Helper()
	if job == 0 {
		return ""
	}
	status, text, err := w.Do(w.t.Context(), "GET", fmt.Sprintf("/api/v4/projects/%d/jobs/%d/trace", w.Project, job), "")
	if err != nil || status != 200 && status != 404 { // a bridge has no log
		w.t.Fatal(status, text, err)
	}
	return text
}

// LogContains checks that the log of a job contains texts.
func (w *Setup) LogContains(j Job, texts ...string) {
	w.t.Helper()
	log := w.Log(j.ID)
	for _, text := range texts {
		if !strings.Contains(log, text) {
			w.t.Errorf("the log of %s does not say %q:\n%s", j.Name, text, log)
		}
	}
}

// waitForStatus waits until something has a status. If it never does, the test also logs the details.
func (w *Setup) waitForStatus(what, want string, status, details func() string) {
	w.t.Helper()
	holds := false
	defer func() {
		if !holds {
			w.t.Log(details())
		}
	}()
	wait.Until(w.t, what+" is "+want, func() bool {
		holds = status() == want
		return holds
	})
}
