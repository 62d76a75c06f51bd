package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/server/domain/ci/signal"
	"svc/server/domain/ci/status"
	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// bench is an engine on a real database. The tests run its background jobs by hand.
type bench struct {
	*Engine
	t       *testing.T
	st      *store.Store
	user    model.User
	project model.Project
	machine model.Runner
	mu      sync.Mutex
	put     []Payload
}

// exec changes rows behind the engine's back. The placeholders are question marks.
func (b *bench) exec(sql string, args ...any) {
	b.t.Helper()
	for i := range args {
		if storetest.Postgres() {
			sql = strings.Replace(sql, "?", fmt.Sprintf("$%d", i+1), 1)
		}
	}
	if _, err := b.st.SQL().Exec(sql, args...); err != nil {
		b.t.Fatal(err)
	}
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, st: storetest.New(t)}
	b.user = storetest.User(t, b.st)
	b.project = model.DefaultProject()
	b.project.NamespaceID, b.project.Name, b.project.Path = *b.user.NamespaceID, "p", "p"
	if err := b.st.Projects.Create(t.Context(), &b.project, nil); err != nil {
		t.Fatal(err)
	}
	b.Engine = New(b.st, func(_ context.Context, p Payload, _ time.Time) error {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.put = append(b.put, p)
		return nil
	}, signal.New())
	return b
}

// later runs the queued background jobs, except those that other packages handle.
func (b *bench) later() {
	b.t.Helper()
	for len(b.put) > 0 {
		put := b.put
		b.put = nil
		for _, p := range put {
			var err error
			switch p := p.(type) {
			case AssignResource:
				err = b.AssignResource(b.t.Context(), p)
			case Process:
				err = b.Process(b.t.Context(), p)
			case UpdateBridge:
				err = b.UpdateBridge(b.t.Context(), p)
			}
			if err != nil {
				b.t.Fatal(err)
			}
		}
	}
}

// begin creates a pipeline with the given jobs.
func (b *bench) begin(jobs []syntax.Job, edit ...func(*store.NewPipeline)) model.Pipeline {
	b.t.Helper()
	n := newPipeline(b.project.ID, b.user.ID, jobs)
	for _, f := range edit {
		f(n)
	}
	if err := b.Begin(b.t.Context(), n); err != nil {
		b.t.Fatal(err)
	}
	return n.Pipeline
}

func newPipeline(projectID, userID int64, jobs []syntax.Job) *store.NewPipeline {
	n := &store.NewPipeline{Pipeline: model.Pipeline{
		ProjectID: projectID, UserID: &userID, Ref: "main", SHA: strings.Repeat("a", 40),
		BeforeSHA: strings.Repeat("0", 40), Source: "push",
		CommitData: "{}", Stages: `["build","test"]`,
	}}
	for _, j := range jobs {
		text, _ := json.Marshal(j)
		row := model.Job{
			ProjectID: projectID, UserID: &userID, Bridge: j.IsBridge(), Name: j.Name, Stage: j.Stage,
			StageIndex: int64(j.StageIndex), Status: "created",
			RunWhen: j.When, AllowFailure: j.AllowFailure, Ref: "main", Tags: "[]", Timeout: 3600, StartIn: int64(j.StartIn / time.Second),
			Interruptible: j.Interruptible,
		}
		if row.RunWhen == "" {
			row.RunWhen = "on_success"
		}
		if j.ResourceGroup != "" {
			row.ResourceGroup = &j.ResourceGroup
		}
		if j.HasNeeds {
			names := []string{}
			for _, need := range j.Needs {
				names = append(names, need.Job)
			}
			list, _ := json.Marshal(names)
			text := string(list)
			row.Needs = &text
		}
		n.Jobs = append(n.Jobs, row)
		n.Specs = append(n.Specs, model.JobSpec{Name: j.Name, Spec: string(text)})
	}
	return n
}

// shows compares the pipeline and its jobs, written in one line, with want.
func (b *bench) shows(pipelineID int64, want string) {
	b.t.Helper()
	p, err := b.st.Pipelines.Find(b.t.Context(), pipelineID)
	if err != nil {
		b.t.Fatal(err)
	}
	jobs, err := b.st.Jobs.Newest(b.t.Context(), pipelineID)
	if err != nil {
		b.t.Fatal(err)
	}
	got := []string{p.Status + ":"}
	for _, j := range jobs {
		got = append(got, j.Name+"="+j.Status)
	}
	if text := strings.Join(got, " "); text != want {
		b.t.Errorf("%s\nwant %s", text, want)
	}
}

func (b *bench) job(pipelineID int64, name string) model.Job {
	b.t.Helper()
	jobs, err := b.st.Jobs.Newest(b.t.Context(), pipelineID)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, j := range jobs {
		if j.Name == name {
			return j
		}
	}
	b.t.Fatalf("there is no job %s", name)
	return model.Job{}
}

func (b *bench) run(pipelineID int64, name string) model.Job {
	b.t.Helper()
	j := b.job(pipelineID, name)
	taken, err := b.Claim(b.t.Context(), pipelineID, store.Claim{
		JobID: j.ID, RunnerID: b.runner(), Digest: fmt.Sprint("digest", j.ID), Timeout: 60,
		Deploys: j.Environment != nil,
	})
	if err != nil || !taken {
		b.t.Fatal(name, taken, err)
	}
	return j
}

func (b *bench) runner() int64 {
	b.t.Helper()
	if b.machine.ID == 0 {
		b.machine = model.Runner{RunnerType: model.InstanceRunner, Digest: "runner", AccessLevel: "not_protected", Tags: "[]"}
		if err := b.st.Runners.Create(b.t.Context(), &b.machine); err != nil {
			b.t.Fatal(err)
		}
	}
	return b.machine.ID
}

func (b *bench) end(pipelineID int64, name string, o Outcome) {
	b.t.Helper()
	j := b.run(pipelineID, name)
	if err := b.Finish(b.t.Context(), j, o); err != nil {
		b.t.Fatal(name, err)
	}
}

func job(name string, stage int, edit ...func(*syntax.Job)) syntax.Job {
	j := syntax.Job{Name: name, Stage: []string{"build", "test", "deploy"}[stage], StageIndex: stage, When: "on_success"}
	for _, f := range edit {
		f(&j)
	}
	return j
}

var (
	good = Outcome{Success: true}
	bad  = Outcome{Reason: status.ScriptFailure}
)

func when(w string) func(*syntax.Job) { return func(j *syntax.Job) { j.When = w } }

func mayFail(j *syntax.Job) { j.AllowFailure = true }

func needing(names ...string) func(*syntax.Job) {
	return func(j *syntax.Job) {
		j.HasNeeds = true
		for _, name := range names {
			j.Needs = append(j.Needs, syntax.Need{Job: name})
		}
	}
}

func TestStagesFollowEachOther(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	woken := b.signal.Subscribe()
	p := b.begin([]syntax.Job{
		job("clean", 2, when("always")), job("build", 0), job("lint", 0, mayFail), job("test", 1),
		job("rescue", 2, when("on_failure")),
	})
	if p.IID != 1 || p.Status != "pending" {
		t.Error(p.IID, p.Status)
	}
	select {
	case <-woken:
	default:
		t.Error("the pending jobs woke no runner")
	}
	b.shows(p.ID, "pending: build=pending lint=pending test=created clean=created rescue=created")
	b.end(p.ID, "lint", bad)
	b.shows(p.ID, "pending: build=pending lint=failed test=created clean=created rescue=created")
	b.end(p.ID, "build", good)
	b.shows(p.ID, "running: build=success lint=failed test=pending clean=created rescue=created")
	b.end(p.ID, "test", good)
	b.shows(p.ID, "running: build=success lint=failed test=success clean=pending rescue=skipped")
	b.end(p.ID, "clean", good)
	b.shows(p.ID, "success: build=success lint=failed test=success clean=success rescue=skipped")
	done, err := b.st.Pipelines.Find(t.Context(), p.ID)
	if err != nil || done.StartedAt == nil || done.FinishedAt == nil || done.Duration == nil {
		t.Error(done, err)
	}
	if second := b.begin([]syntax.Job{job("build", 0)}); second.IID != 2 {
		t.Error(second.IID)
	}
}

func TestAFailureSkipsWhatFollowsAndARetryBringsItBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.begin([]syntax.Job{job("build", 0), job("test", 1), job("deploy", 2, needing("test")), job("ask", 2, when("manual"))})
	b.end(p.ID, "build", bad)
	b.shows(p.ID, "failed: build=failed test=skipped deploy=skipped ask=skipped")
	old := b.job(p.ID, "build")
	if old.FailureReason == nil || *old.FailureReason != "script_failure" || old.FinishedAt == nil {
		t.Error(old)
	}
	fresh, err := b.Retry(t.Context(), old, b.user.ID)
	if err != nil || fresh.ID == old.ID || fresh.Status != "pending" || fresh.StartedAt != nil {
		t.Fatal(fresh, err)
	}
	b.shows(p.ID, "pending: build=pending test=created deploy=created ask=created")
	if _, err := b.Retry(t.Context(), old, b.user.ID); !errors.Is(err, ErrWrongStatus) {
		t.Error("an old job was tried again:", err)
	}
	if _, err := b.Retry(t.Context(), fresh, b.user.ID); !errors.Is(err, ErrWrongStatus) {
		t.Error("a waiting job was tried again:", err)
	}
	b.end(p.ID, "build", good)
	b.end(p.ID, "test", good)
	b.end(p.ID, "deploy", good)
	b.shows(p.ID, "manual: build=success test=success deploy=success ask=manual")
	if err := b.Play(t.Context(), b.job(p.ID, "ask"), b.user.ID, []model.JobVariable{
		{JobID: b.job(p.ID, "ask").ID, Key: "A", Value: "b"},
	}); err != nil {
		t.Fatal(err)
	}
	b.end(p.ID, "ask", good)
	again, err := b.Retry(t.Context(), b.job(p.ID, "ask"), b.user.ID)
	if err != nil || again.Status != "pending" {
		t.Error("a manual job that is tried again sets out at once:", again.Status, err)
	}
}

func TestNeedsDoNotWaitForStages(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.begin([]syntax.Job{
		job("slow", 0), job("quick", 0), job("early", 1, needing("quick")), job("free", 2, needing()), job("late", 2),
	})
	b.shows(p.ID, "pending: slow=pending quick=pending early=created free=pending late=created")
	b.end(p.ID, "quick", good)
	b.shows(p.ID, "running: slow=pending quick=success early=pending free=pending late=created")
	if err := b.CancelAll(t.Context(), p.ID); err != nil {
		t.Fatal(err)
	}
	b.shows(p.ID, "canceled: slow=canceled quick=success early=canceled free=canceled late=canceled")
	if err := b.RetryAll(t.Context(), p.ID, b.user.ID); err != nil {
		t.Fatal(err)
	}
	b.shows(p.ID, "running: quick=success slow=pending early=pending free=pending late=created")
}

func TestAFailureIsTriedAgainByItself(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.begin([]syntax.Job{job("build", 0, func(j *syntax.Job) { j.Retry = syntax.Retry{Max: 1} }), job("test", 1)})
	b.end(p.ID, "build", bad)
	b.shows(p.ID, "pending: build=pending test=created")
	b.end(p.ID, "build", bad)
	b.shows(p.ID, "failed: build=failed test=skipped")
}

func TestExitCodesDecideAboutAllowFailure(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	code := func(n int) Outcome { return Outcome{Reason: status.ScriptFailure, ExitCode: &n} }
	codes := func(j *syntax.Job) { j.AllowFailureExitCodes = []int{3} }
	p := b.begin([]syntax.Job{job("build", 0, codes), job("test", 1, codes)})
	b.end(p.ID, "build", code(3))
	b.shows(p.ID, "pending: build=failed test=pending")
	b.end(p.ID, "test", code(4))
	b.shows(p.ID, "failed: build=failed test=failed")
}

func TestAResourceIsHeldByOneJobAtATime(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	prod := func(j *syntax.Job) { j.ResourceGroup = "prod" }
	first, second := b.begin([]syntax.Job{job("deploy", 0, prod)}), b.begin([]syntax.Job{job("deploy", 0, prod)})
	b.shows(first.ID, "waiting_for_resource: deploy=waiting_for_resource")
	b.later()
	b.shows(first.ID, "pending: deploy=pending")
	b.shows(second.ID, "waiting_for_resource: deploy=waiting_for_resource")
	b.end(first.ID, "deploy", good)
	b.later()
	b.shows(second.ID, "pending: deploy=pending")
	if err := b.Cancel(t.Context(), b.job(second.ID, "deploy")); err != nil {
		t.Fatal(err)
	}
	b.shows(second.ID, "canceled: deploy=canceled")
}

func TestDelayedJobsAndThoseThatTakeTooLong(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.begin([]syntax.Job{job("later", 0, when("delayed"), func(j *syntax.Job) { j.StartIn = time.Hour }), job("build", 0)})
	b.shows(p.ID, "running: later=scheduled build=pending")
	j := b.job(p.ID, "later")
	if err := b.StartDelayed(t.Context(), StartDelayed{JobID: j.ID}); err != nil {
		t.Fatal(err)
	}
	b.shows(p.ID, "running: later=scheduled build=pending")
	b.exec("UPDATE jobs SET scheduled_at = ? WHERE id = ?", time.Now().UTC().Add(-time.Second), j.ID)
	if err := b.StartDelayed(t.Context(), StartDelayed{JobID: j.ID}); err != nil {
		t.Fatal(err)
	}
	b.shows(p.ID, "pending: later=pending build=pending")
	b.run(p.ID, "build")
	long := time.Now().UTC().Add(-3 * time.Hour)
	b.exec(
		"UPDATE jobs SET started_at = ?, deadline_at = ?, contacted_at = ? WHERE name = 'build'",
		long, long.Add(time.Minute), time.Now().UTC(),
	)
	if err := b.DropOverdue(t.Context(), DropOverdue{}); err != nil {
		t.Fatal(err)
	}
	b.shows(p.ID, "running: later=pending build=failed")
	if j := b.job(p.ID, "build"); *j.FailureReason != "job_execution_timeout" {
		t.Error(*j.FailureReason)
	}
}

func TestANewCommitEndsOlderPipelines(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	may := func(j *syntax.Job) { j.Interruptible = true }
	old := b.begin([]syntax.Job{job("build", 0, may), job("test", 1)})
	fresh := b.begin([]syntax.Job{job("build", 0, may)}, func(n *store.NewPipeline) { n.Pipeline.SHA = strings.Repeat("b", 40) })
	b.run(old.ID, "build")
	if err := b.Supersede(t.Context(), Supersede{PipelineID: fresh.ID}); err != nil {
		t.Fatal(err)
	}
	b.shows(old.ID, "canceled: build=canceled test=canceled")
	b.shows(fresh.ID, "pending: build=pending")
}

func TestAFailureMayEndTheRest(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	p := b.begin([]syntax.Job{job("a", 0), job("b", 0), job("c", 1)}, func(n *store.NewPipeline) { n.Pipeline.OnJobFailure = "all" })
	b.end(p.ID, "a", bad)
	b.shows(p.ID, "failed: a=failed b=canceled c=canceled")
}

func TestManyAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var jobs []syntax.Job
	for i := range 30 {
		jobs = append(jobs, job(fmt.Sprint("job", i), 0))
	}
	p := b.begin(append(jobs, job("last", 1)))
	runner := b.runner()
	var all sync.WaitGroup
	var mu sync.Mutex
	taken := map[int64]int{}
	rows, err := b.st.Jobs.Newest(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	for worker := range 6 {
		all.Go(func() {
			for _, j := range rows[:30] {
				got, err := b.Claim(t.Context(), p.ID, store.Claim{
					JobID: j.ID, RunnerID: runner, Digest: fmt.Sprint(worker, j.ID), Timeout: 60,
					Deploys: j.Environment != nil,
				})
				if err != nil {
					t.Error(err)
				}
				if !got {
					continue
				}
				mu.Lock()
				taken[j.ID]++
				mu.Unlock()
				if err := b.Finish(t.Context(), j, good); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for id, n := range taken {
		if n != 1 {
			t.Errorf("job %d was taken %d times", id, n)
		}
	}
	if j := b.job(p.ID, "last"); len(taken) != 30 || j.Status != "pending" {
		t.Error(len(taken), j.Status)
	}
}

func TestAHundredJobsTakeNoMoreStatementsThanTen(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	count := func(jobs int) int64 {
		var list []syntax.Job
		for i := range jobs {
			list = append(list, job(fmt.Sprint("job", i), i%3))
		}
		before := b.st.Statements()
		b.begin(list)
		return b.st.Statements() - before
	}
	if ten, hundred := count(10), count(100); ten != hundred || hundred > 10 {
		t.Errorf("%d statements for ten jobs, %d for a hundred", ten, hundred)
	}
}
