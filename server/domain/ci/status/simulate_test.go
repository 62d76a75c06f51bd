package status

import (
	"fmt"
	"strings"
	"testing"
)

// simulated is a job of a pipeline that a test runs to its end without an engine.
type simulated struct {
	name    string
	stage   int
	waiting Waiting
	needs   []string
	allow   bool
	fails   bool
	status  Status
}

// simulate starts every job that can start and runs every pending job, until nothing changes.
func simulate(t *testing.T, jobs []*simulated) Status {
	t.Helper()
	for range 100 {
		moved := false
		for _, j := range jobs {
			moved = step(t, jobs, j) || moved
		}
		if !moved {
			var all []Result
			for _, j := range jobs {
				all = append(all, Result{j.status, j.allow})
			}
			status, _ := Composite(all)
			return status
		}
	}
	t.Fatal("the pipeline never comes to rest")
	return ""
}

func step(t *testing.T, jobs []*simulated, j *simulated) bool {
	t.Helper()
	var event Event
	switch j.status {
	case Created:
		next, ok := Next(j.waiting, before(jobs, j))
		if !ok {
			return false
		}
		event = next
	case Pending:
		event = Run
	case Running:
		event = Succeed
		if j.fails {
			event = Drop
		}
	default:
		return false
	}
	status, ok := j.status.After(event)
	if !ok {
		t.Fatalf("%s: %s in %s", j.name, event, j.status)
	}
	j.status = status
	return true
}

func before(jobs []*simulated, j *simulated) []Result {
	var all []Result
	for _, other := range jobs {
		needed := other.stage < j.stage
		if j.waiting.HasNeeds {
			needed = strings.Contains(" "+strings.Join(j.needs, " ")+" ", " "+other.name+" ")
		}
		if needed {
			all = append(all, Result{other.status, other.allow})
		}
	}
	return all
}

// TestPipelines runs whole pipelines, written as "stage:name when flags<needs". The flag f means that the job fails, !
// that it may fail.
func TestPipelines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ jobs, want, pipeline string }{
		{"0:a on_success, 1:b on_success", "a=success b=success", "success"},
		{"0:a on_success f, 1:b on_success, 2:c on_success", "a=failed b=skipped c=skipped", "failed"},
		{"0:a on_success f!, 1:b on_success", "a=failed b=success", "success"},
		{"0:a on_success f, 1:b on_failure, 1:c always, 1:d on_success", "a=failed b=success c=success d=skipped", "failed"},
		{"0:a on_success, 1:b on_failure, 2:c on_success", "a=success b=skipped c=success", "success"},
		{"0:a manual !, 1:b on_success", "a=manual b=success", "success"},
		{"0:a manual, 1:b on_success", "a=manual b=created", "manual"},
		{"0:a manual !, 1:b on_success <a", "a=manual b=skipped", "skipped"},
		{"0:a on_success f, 1:b on_success <, 1:c on_success <b", "a=failed b=success c=success", "failed"},
		{"0:a on_success, 0:b on_success f, 1:c on_success <a, 1:d on_success <a b", "a=success b=failed c=success d=skipped", "failed"},
		{"0:a delayed, 1:b on_success", "a=scheduled b=created", "scheduled"},
		{"0:a on_failure, 1:b on_success", "a=skipped b=success", "success"},
		{"0:a on_failure", "a=skipped", "skipped"},
	} {
		var jobs []*simulated
		for _, text := range strings.Split(c.jobs, ", ") {
			j := &simulated{status: Created}
			text, needs, hasNeeds := strings.Cut(text, "<")
			j.needs = strings.Fields(needs)
			fields := strings.Fields(text)
			fmt.Sscanf(fields[0], "%d:%s", &j.stage, &j.name)
			j.waiting = Waiting{When: fields[1], HasNeeds: hasNeeds}
			j.fails = strings.Contains(strings.Join(fields[2:], ""), "f")
			j.allow = strings.Contains(strings.Join(fields[2:], ""), "!")
			jobs = append(jobs, j)
		}
		pipeline := simulate(t, jobs)
		var got []string
		for _, j := range jobs {
			got = append(got, j.name+"="+string(j.status))
		}
		if strings.Join(got, " ") != c.want || string(pipeline) != c.pipeline {
			t.Errorf("%s:\ngot  %s, %s\nwant %s, %s", c.jobs, strings.Join(got, " "), pipeline, c.want, c.pipeline)
		}
	}
}
