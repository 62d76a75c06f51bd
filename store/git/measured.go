package git

import (
	"context"
	"errors"
	"iter"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"svc/store/cache"
	"svc/store/observe"
)

// Measured holds what the git processes of this program have cost since the start.
type Measured struct {
	running  atomic.Int64
	locks    observe.Times
	commands sync.Map // *observe.Times by git command; the commands are those of this package
}

// Measured returns what git processes have cost, for metrics.
func (r *Repositories) Measured() *Measured { return &r.measured }

// Running returns the number of git processes that are working.
func (m *Measured) Running() int64 { return m.running.Load() }

// LockWaits returns the times for which callers waited for the lock of a repository.
func (m *Measured) LockWaits() *observe.Times { return &m.locks }

// Commands returns the times of git processes by command. Processes that stay to answer questions are not among them.
func (m *Measured) Commands() iter.Seq2[string, *observe.Times] {
	return func(yield func(string, *observe.Times) bool) {
		m.commands.Range(func(command, times any) bool {
			name, _ := command.(string)
			known, _ := times.(*observe.Times)
			return yield(name, known)
		})
	}
}

// IdleProcesses returns the number of git processes that wait for questions.
func (r *Repositories) IdleProcesses() int {
	return r.pool.size() + r.lines.size()
}

// waited counts a wait for the lock of a repository.
func (m *Measured) waited(ctx context.Context, began time.Time) {
	took := time.Since(began)
	m.locks.Observe(took)
	observe.Of(ctx).Wait(took)
}

// measuredProcess is a git process that is being measured.
type measuredProcess struct {
	measured *Measured
	work     *observe.Work
	span     *observe.Span
	times    *observe.Times
	began    time.Time
}

func (m *Measured) begin(ctx context.Context, command string) measuredProcess {
	m.running.Add(1)
	times, ok := m.commands.Load(command)
	if !ok {
		times, _ = m.commands.LoadOrStore(command, &observe.Times{})
	}
	known, _ := times.(*observe.Times)
	p := measuredProcess{measured: m, work: observe.Of(ctx), times: known, began: time.Now()}
	if p.work.Span() != nil {
		p.span = observe.Start(ctx, "git "+command, observe.Internal)
	}
	return p
}

// end counts the process. An exit status of 1 is an answer of many commands, not a failure.
func (p measuredProcess) end(err error) {
	took := time.Since(p.began)
	p.measured.running.Add(-1)
	p.times.Observe(took)
	p.work.Git(took)
	if p.span == nil {
		return
	}
	var failed *CommandError
	switch {
	case errors.As(err, &failed):
		p.span.SetNumber("process.exit.code", int64(failed.Code))
		if failed.Code != 1 {
			p.span.Fail("git ended with " + strconv.Itoa(failed.Code))
		}
	case err != nil:
		p.span.Fail("git was stopped, or its output could not be read")
	}
	p.span.Finish()
}

// CacheSizes returns the sizes of the caches, for metrics.
func (r *Repositories) CacheSizes() []cache.Size {
	c := r.cache
	return []cache.Size{
		c.kinds.Size("git_kinds"), c.trees.Size("git_trees"), c.commits.Size("git_commits"), c.logs.Size("git_logs"),
		c.bases.Size("git_merge_bases"), c.steps.Size("git_revisions"), c.stats.Size("git_stats"), c.merged.Size("git_merged"),
		c.tags.Size("git_tags"), c.last.Size("git_last_commits"), c.digests.Size("git_digests"), c.authors.Size("git_authors"),
		c.counted.Size("git_counted"), c.behind.Size("git_behind"), c.patches.Size("git_patch_ids"), c.reached.Size("git_reached"),
		c.files.Size("git_files"), c.blobs.Size("git_blobs"), c.sound.Size("git_heads"), c.packed.Size("git_packed_refs"),
		c.graphs.Size("git_graphs"), c.holding.Size("git_holding"),
	}
}
