package status

import (
	"slices"
	"strings"
	"testing"
)

// short maps short names to the statuses in the tables below.
var short = map[string]Status{
	"c": Created, "w": WaitingForResource, "prep": Preparing, "p": Pending, "r": Running, "cg": Canceling, "ok": Success, "f": Failed,
	"x": Canceled, "s": Skipped, "m": Manual, "t": Scheduled,
}

// results parses texts such as "ok f! m". An exclamation mark means allow_failure.
func results(t *testing.T, words string) []Result {
	t.Helper()
	var all []Result
	for _, word := range strings.Fields(words) {
		name, allowed := strings.CutSuffix(word, "!")
		status, known := short[name]
		if !known {
			t.Fatalf("%q is no state", word)
		}
		all = append(all, Result{status, allowed})
	}
	return all
}

func TestGroups(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		fits  func(Status) bool
		words string
	}{
		{"active", Status.IsActive, "w prep p r cg"},
		{"alive", Status.IsAlive, "c w prep p r cg"},
		{"cancelable", Status.IsCancelable, "c w prep p r t"},
		{"complete", Status.IsComplete, "ok f x s"},
		{"blocked", Status.IsBlocked, "m t"},
	} {
		for name, status := range short {
			if got, want := c.fits(status), slices.Contains(strings.Fields(c.words), name); got != want {
				t.Errorf("%s %s: %v", status, c.name, got)
			}
		}
	}
	if len(All) != len(short) || !IsValid("waiting_for_resource") || IsValid("done") || IsValid("") {
		t.Error("the list of states")
	}
}

// TestTransitions has a row for each event and a column for each status. A cell is the resulting status, or a dash.
func TestTransitions(t *testing.T) {
	t.Parallel()
	columns := strings.Fields("c w prep p r cg ok f x s m t")
	for event, row := range map[Event]string{
		//                 c    w    prep p    r    cg   ok   f    x    s    m    t
		Enqueue:          " p    p    p    -    -    -    -    -    -    p    p    p",
		WaitForResource:  " w    -    -    -    -    -    -    -    -    w    w    w",
		Prepare:          " prep prep -    -    -    -    -    -    -    prep prep prep",
		Actionize:        " m    -    -    -    -    -    -    -    -    -    -    m",
		Schedule:         " t    -    -    -    -    -    -    -    -    -    -    -",
		Run:              " -    -    -    r    -    -    -    -    -    -    -    -",
		Skip:             " s    s    s    s    -    -    -    -    -    -    -    -",
		Succeed:          " ok   ok   ok   ok   ok   x    -    -    -    -    -    -",
		Drop:             " f    f    f    f    f    x    -    -    -    -    f    f",
		Cancel:           " x    x    x    x    x    x    -    -    -    -    x    x",
		CancelGracefully: " -    -    -    -    cg   -    -    -    -    -    -    -",
		Process:          " -    -    -    -    -    -    -    -    -    c    c    -",
	} {
		for i, word := range strings.Fields(row) {
			from := short[columns[i]]
			to, ok := from.After(event)
			if ok != (word != "-") || ok && to != short[word] || !ok && to != from {
				t.Errorf("%s of %s: %s %v, want %s", event, from, to, ok, word)
			}
			if slices.Contains(SourceStatuses(event), from) != ok {
				t.Errorf("From(%s) and After differ about %s", event, from)
			}
		}
	}
	if CancelEvent(Running, true) != CancelGracefully || CancelEvent(Running, false) != Cancel || CancelEvent(Pending, true) != Cancel {
		t.Error("CancelEvent")
	}
}

func TestComposite(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"s": "s", "s s": "s", "m!": "s", "s m!": "s",
		"ok": "ok", "ok s": "ok", "ok f!": "ok", "f!": "ok", "x!": "ok", "f! s": "ok", "ok m!": "ok",
		"c": "c", "c f!": "c", "c m!": "c", "c c": "c",
		"prep": "prep", "prep m!": "prep", "prep f!": "prep",
		"x": "x", "x ok": "x", "x ok s": "x", "x f!": "x",
		"p": "p", "p c": "p", "p s": "p", "c s": "p", "p c f!": "p",
		"p ok": "r", "r": "r", "r f": "r", "r c": "r", "p f": "r", "r m": "r", "p m": "r", "r x": "r", "cg": "r", "cg ok": "r",
		"w": "w", "w ok": "w", "w c": "w", "w m": "w", "w f": "w",
		"m": "m", "m ok": "m", "m c": "m", "m f": "m", "m t": "m",
		"t": "t", "t ok": "t", "t c": "t", "t f": "t", "t prep": "t",
		"prep ok": "prep", "prep c": "prep", "prep x": "prep",
		"c ok": "r", "c f": "r", "c x": "r",
		"f": "f", "f ok": "f", "f s": "f", "f x": "f", "f m!": "f", "f f!": "f",
	} {
		if got, ok := Composite(results(t, words)); !ok || got != short[want] {
			t.Errorf("%s: %s, want %s", words, got, short[want])
		}
	}
	if _, ok := Composite(nil); ok {
		t.Error("nothing has a state")
	}
	if !HasWarnings(results(t, "ok f!")) || HasWarnings(results(t, "f m!")) {
		t.Error("warnings")
	}
}

// Every set of results has a status that does not depend on the order.
func TestCompositeIsTotal(t *testing.T) {
	t.Parallel()
	for _, a := range All {
		for _, b := range All {
			for _, c := range All {
				for allowed := range 8 {
					one := []Result{{a, allowed&1 > 0}, {b, allowed&2 > 0}, {c, allowed&4 > 0}}
					other := []Result{one[2], one[0], one[1], one[1]}
					first, ok := Composite(one)
					second, _ := Composite(other)
					if !ok || first != second || !slices.Contains(All, first) {
						t.Fatalf("%v: %s, %s", one, first, second)
					}
				}
			}
		}
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ when, before, stage, needs string }{
		// the results before; then the event for a job that waits for stages, and for a job with needs
		{"on_success", "", "enqueue", "enqueue"},
		{"on_success", "ok", "enqueue", "enqueue"},
		{"on_success", "ok f!", "enqueue", "enqueue"},
		{"on_success", "x!", "enqueue", "enqueue"},
		{"on_success", "s", "enqueue", "skip"},
		{"on_success", "ok s", "enqueue", "skip"},
		{"on_success", "m!", "enqueue", "skip"},
		{"on_success", "ok m!", "enqueue", "skip"},
		{"on_success", "m", "", ""},
		{"on_success", "ok m", "", ""},
		{"on_success", "f", "skip", "skip"},
		{"on_success", "ok f", "skip", "skip"},
		{"on_success", "x", "skip", "skip"},
		{"on_success", "r", "", ""},
		{"on_success", "p", "", ""},
		{"on_success", "c", "", ""},
		{"on_success", "ok c", "", ""},
		{"on_success", "f r", "", ""},
		{"on_success", "t", "", ""},
		{"on_success", "w", "", ""},
		{"on_success", "cg", "", ""},
		{"on_success", "r s", "", "skip"},
		{"on_failure", "", "skip", "skip"},
		{"on_failure", "ok", "skip", "skip"},
		{"on_failure", "f", "enqueue", "enqueue"},
		{"on_failure", "f ok", "enqueue", "enqueue"},
		{"on_failure", "f!", "skip", "skip"},
		{"on_failure", "s", "skip", "skip"},
		{"on_failure", "x", "skip", "skip"},
		{"on_failure", "f r", "", ""},
		{"on_failure", "f s", "enqueue", "skip"},
		{"always", "", "enqueue", "enqueue"},
		{"always", "ok", "enqueue", "enqueue"},
		{"always", "f", "enqueue", "enqueue"},
		{"always", "s", "enqueue", "enqueue"},
		{"always", "x", "skip", "skip"},
		{"always", "r", "", ""},
		{"manual", "", "actionize", "actionize"},
		{"manual", "ok", "actionize", "actionize"},
		{"manual", "f", "skip", "skip"},
		{"manual", "s", "actionize", "skip"},
		{"manual", "r", "", ""},
		{"delayed", "ok", "schedule", "schedule"},
		{"delayed", "f", "skip", "skip"},
		{"never", "ok", "skip", "skip"},
	} {
		for needs, want := range map[bool]string{false: c.stage, true: c.needs} {
			event, ok := Next(Waiting{When: c.when, HasNeeds: needs}, results(t, c.before))
			if string(event) != want || ok != (want != "") {
				t.Errorf("%s after %q, needs %v: %q %v, want %q", c.when, c.before, needs, event, ok, want)
			}
		}
	}
	if event, _ := Next(Waiting{When: "on_success", ResourceGroup: true}, nil); event != WaitForResource {
		t.Errorf("a resource group: %s", event)
	}
	if event, _ := Next(Waiting{When: "manual", ResourceGroup: true}, nil); event != Actionize {
		t.Errorf("a manual job with a resource group: %s", event)
	}
	if (Waiting{ResourceGroup: true}).Play() != WaitForResource || (Waiting{}).Play() != Enqueue {
		t.Error("Play")
	}
}

func TestActions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		can   string
		asked func(Job) bool
		job   Job
		words string
	}{
		{"cancel", Job.CanCancel, Job{}, "c w prep p r m t"},
		{"retry", Job.CanRetry, Job{}, "ok f x"},
		{"retry what was retried", Job.CanRetry, Job{Retried: true}, ""},
		{"retry what is archived", Job.CanRetry, Job{Archived: true}, ""},
		{"retry what was rejected", Job.CanRetry, Job{Rejected: true}, ""},
		{"erase", Job.CanErase, Job{HasLog: true}, "ok f x s"},
		{"erase artifacts", Job.CanErase, Job{HasArtifacts: true}, "ok f x s"},
		{"erase nothing", Job.CanErase, Job{}, ""},
		{"erase twice", Job.CanErase, Job{HasLog: true, Erased: true}, ""},
		{"play", Job.CanPlay, Job{When: "on_success"}, "m t"},
		{"play again", Job.CanPlay, Job{When: "manual"}, "m t ok f x"},
		{"play what is archived", Job.CanPlay, Job{When: "manual", Archived: true}, ""},
		{"reopen", Job.Reopens, Job{}, "s m"},
		{"reopen what was retried", Job.Reopens, Job{Retried: true}, ""},
		{"play as a new job", Job.PlaysByRetry, Job{}, "c w prep p r cg ok f x s"},
	} {
		for name, status := range short {
			c.job.Status = status
			if got, want := c.asked(c.job), slices.Contains(strings.Fields(c.words), name); got != want {
				t.Errorf("%s in %s: %v", c.can, status, got)
			}
		}
	}
}

func TestRetry(t *testing.T) {
	t.Parallel()
	code := func(n int) *int { return &n }
	for _, c := range []struct {
		name   string
		retry  Retry
		times  int
		reason Reason
		exit   *int
		want   bool
	}{
		{"none", Retry{}, 0, ScriptFailure, code(1), false},
		{"once", Retry{Max: 1}, 0, ScriptFailure, code(1), true},
		{"once more than once", Retry{Max: 1}, 1, ScriptFailure, code(1), false},
		{"always", Retry{Max: 2, When: []string{"always"}}, 1, RunnerSystemFailure, nil, true},
		{"for its reason", Retry{Max: 2, When: []string{"runner_system_failure"}}, 0, RunnerSystemFailure, nil, true},
		{"for another reason", Retry{Max: 2, When: []string{"runner_system_failure"}}, 0, ScriptFailure, code(1), false},
		{"for its exit code", Retry{Max: 2, ExitCodes: []int{137}}, 0, ScriptFailure, code(137), true},
		{"for another exit code", Retry{Max: 2, ExitCodes: []int{137}}, 0, ScriptFailure, code(1), false},
		{"without exit code", Retry{Max: 2, ExitCodes: []int{137}}, 0, RunnerSystemFailure, nil, false},
		{"for either", Retry{Max: 2, When: []string{"api_failure"}, ExitCodes: []int{137}}, 0, APIFailure, nil, true},
		{"our own fault", Retry{}, 1, SchedulerFailure, nil, true},
		{"our own fault, often", Retry{}, 2, SchedulerFailure, nil, false},
		{"our own fault and one retry", Retry{Max: 1}, 1, SchedulerFailure, nil, false},
		{"no use", Retry{Max: 2}, 0, MissingDependencyFailure, nil, false},
	} {
		if got := c.retry.ShouldRetry(c.times, c.reason, c.exit); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	for _, c := range []struct {
		allow bool
		codes []int
		exit  *int
		want  bool
	}{
		{true, nil, nil, true},
		{false, nil, code(1), false},
		{false, []int{3}, code(3), true},
		{false, []int{3}, code(4), false},
		{true, []int{3}, nil, false},
	} {
		if got := FailureAllowed(c.allow, c.codes, c.exit); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	for told, want := range map[string]Reason{
		"script_failure": ScriptFailure, "job_execution_timeout": JobExecutionTimeout, "": UnknownFailure, "bad luck": UnknownFailure,
		"ci_quota_exceeded": UnknownFailure, "image_pull_failure": ImagePullFailure,
	} {
		if got := ReportedReason(told); got != want {
			t.Errorf("%s: %s", told, got)
		}
	}
}

func TestChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to Status
		want     TimestampChange
	}{
		{Created, Pending, TimestampChange{}},
		{Pending, Running, TimestampChange{Start: true}},
		{Running, Success, TimestampChange{Finish: true}},
		{Running, Failed, TimestampChange{Finish: true}},
		{Pending, Canceled, TimestampChange{Finish: true}},
		{Failed, Running, TimestampChange{Start: true, Reopen: true}},
		{Success, Pending, TimestampChange{Reopen: true}},
		{Running, Manual, TimestampChange{}},
		{Success, Success, TimestampChange{}},
		{Created, Skipped, TimestampChange{}},
	} {
		if got := TimestampsAfter(c.from, c.to); got != c.want {
			t.Errorf("%s to %s: %+v", c.from, c.to, got)
		}
	}
}
