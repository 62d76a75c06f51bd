package engine

import (
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
)

func TestABridgeWaitsForItsPipeline(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	trigger := func(strategy string) func(*syntax.Job) {
		return func(j *syntax.Job) { j.Trigger = &syntax.Trigger{Project: "p", Strategy: strategy} }
	}
	up := b.begin([]syntax.Job{job("child", 0, trigger("depend")), job("fire", 0, trigger("")), job("after", 1)})
	if len(b.put) != 2 {
		t.Fatal(b.put)
	}
	bridge := b.job(up.ID, "child")
	from := func(j model.Job) func(*store.NewPipeline) {
		return func(n *store.NewPipeline) { n.Pipeline.UpstreamJobID, n.Pipeline.Child = &j.ID, true }
	}
	down := b.begin([]syntax.Job{job("build", 0)}, from(bridge))
	if err := b.BridgeStarted(t.Context(), bridge, down.ID, true); err != nil {
		t.Fatal(err)
	}
	if err := b.BridgeStarted(t.Context(), b.job(up.ID, "fire"), down.ID, false); err != nil {
		t.Fatal(err)
	}
	b.later()
	b.shows(up.ID, "running: child=running fire=success after=created")
	b.end(down.ID, "build", bad)
	b.later()
	b.shows(up.ID, "failed: child=failed fire=success after=skipped")
	if _, err := b.Retry(t.Context(), b.job(down.ID, "build"), b.user.ID); err != nil {
		t.Fatal(err)
	}
	b.later()
	b.shows(up.ID, "running: child=running fire=success after=created")
	b.end(down.ID, "build", good)
	b.later()
	b.shows(up.ID, "running: child=success fire=success after=pending")
}

// A retried job of the downstream pipeline may finish before the bridge is updated.
func TestABridgeFollowsAPipelineThatGoesOnAndEndsAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	up := b.begin([]syntax.Job{
		job("child", 0, func(j *syntax.Job) { j.Trigger = &syntax.Trigger{Project: "p", Strategy: "depend"} }),
		job("after", 1),
	})
	bridge := b.job(up.ID, "child")
	down := b.begin(
		[]syntax.Job{job("build", 0)},
		func(n *store.NewPipeline) { n.Pipeline.UpstreamJobID, n.Pipeline.Child = &bridge.ID, true },
	)
	if err := b.BridgeStarted(t.Context(), bridge, down.ID, true); err != nil {
		t.Fatal(err)
	}
	b.end(down.ID, "build", bad)
	b.later()
	b.shows(up.ID, "failed: child=failed after=skipped")
	for _, c := range []struct {
		outcome Outcome
		want    string
	}{
		{good, "running: child=success after=pending"},
		{bad, "running: child=failed after=pending"},
		{good, "running: child=success after=pending"},
	} {
		if _, err := b.Retry(t.Context(), b.job(down.ID, "build"), b.user.ID); err != nil {
			t.Fatal(err)
		}
		b.end(down.ID, "build", c.outcome)
		b.later()
		b.shows(up.ID, c.want)
	}
	if j := b.job(up.ID, "child"); j.FailureReason != nil || j.FinishedAt == nil || j.StartedAt == nil {
		t.Errorf("the bridge is %+v", j)
	}
}
