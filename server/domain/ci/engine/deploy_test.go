package engine

import (
	"testing"
	"time"

	"svc/server/domain/ci/syntax"
	"svc/store"
)

func TestAnEnvironmentStopsWhenItsTimeIsOver(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	name, start, stop := "review/x", "start", "stop"
	deploy := job("deploy", 0, func(j *syntax.Job) { j.Environment = &syntax.Environment{Name: name, AutoStopIn: "1 hour"} })
	p := b.begin([]syntax.Job{deploy, job("stop", 1, when("manual"), mayFail)}, func(n *store.NewPipeline) {
		n.Jobs[0].Environment, n.Jobs[0].EnvironmentAction = &name, &start
		n.Jobs[1].Environment, n.Jobs[1].EnvironmentAction = &name, &stop
	})
	b.end(p.ID, "deploy", good)
	b.shows(p.ID, "success: deploy=success stop=manual")
	b.exec("UPDATE environments SET auto_stop_at = ?", time.Now().UTC().Add(-time.Second))
	for range 2 {
		if err := b.AutoStop(t.Context(), AutoStop{}); err != nil {
			t.Fatal(err)
		}
	}
	b.shows(p.ID, "running: deploy=success stop=pending")
	rows, _, err := b.st.Environments.List(t.Context(), b.project.ID, store.EnvironmentFilter{State: "stopping"}, store.Page{Limit: 2})
	if err != nil || len(rows) != 1 {
		t.Error(rows, err)
	}
}
