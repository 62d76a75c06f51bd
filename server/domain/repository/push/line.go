package push

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Build makes a commit on top of the current commit of a branch, which is empty if the branch does not exist, and
// returns its id. If the id is empty, nothing changes.
type Build func(repo git.Repo, tip string) (string, error)

// commitRequest is one caller in a line.
type commitRequest struct {
	ctx   context.Context
	row   model.ProjectRow
	actor *reqctx.Actor
	ref   string
	build Build
	rules rules

	batch   string      // the name of the change, once it is noted
	command git.Command // the change, once the commit is made
	err     error
	done    chan struct{}
}

// commitQueue is the queue of callers that wait to commit to one repository.
type commitQueue struct {
	waiting []*commitRequest
	served  bool // whether a goroutine serves the line

	wanted int           // the number of waiting callers that gather waits for
	full   chan struct{} // closed once they are there; nil if gather does not wait
}

// commitQueues holds the lines of all repositories.
type commitQueues struct {
	mu sync.Mutex
	of map[git.Repo]*commitQueue
}

// The limits of one round of a line: how many commits it takes, and how long it makes commits while the repository is
// locked.
const (
	roundMost = 64
	roundTime = 500 * time.Millisecond
)

// After a round of more than fewCallers, the next one waits for them to come back, but not longer than gatherTime.
const (
	fewCallers = 3
	gatherTime = 50 * time.Millisecond
)

// Commit makes a commit on a branch and moves the branch there, by the same rules and with the same event as a push.
// Callers of one repository wait in a line, and waiting callers are served together: each commit goes on top of the one
// before, with an event of its own, but the repository is locked once, the changes are noted and ended in one
// transaction each, and each branch moves once. Since nobody else can move the branch while a commit is made, no commit
// is made in vain. Commit must not be called in a transaction.
func (p *Pusher) Commit(ctx context.Context, row model.ProjectRow, actor *reqctx.Actor, ref string, build Build) (string, error) {
	repo, err := p.Repo(row.Project)
	if err != nil {
		return "", err
	}
	e := &commitRequest{ctx: ctx, row: row, actor: actor, ref: ref, build: build, done: make(chan struct{})}
	if e.rules, err = p.rulesWithCollaboration(ctx, row); err != nil {
		return "", err
	}
	p.lines.join(repo, e, func() { p.serve(repo) })
	<-e.done
	if e.err != nil {
		return "", e.err
	}
	if why := e.command.Refused; why != "" {
		return "", &RefusedError{Why: why}
	}
	return e.command.New, nil
}

// join adds a caller to the end of a line. The first caller starts the goroutine that serves the line.
func (l *commitQueues) join(repo git.Repo, e *commitRequest, serve func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = map[git.Repo]*commitQueue{}
	}
	at := l.of[repo]
	if at == nil {
		at = &commitQueue{}
		l.of[repo] = at
	}
	at.waiting = append(at.waiting, e)
	if at.full != nil && len(at.waiting) >= at.wanted {
		close(at.full)
		at.full = nil
	}
	if !at.served {
		at.served = true
		go serve()
	}
}

// gather waits until the callers that a round has answered are in the line again: who commits all the time comes back at
// once, and one round for all takes much less time than one for the first and one for the others. It returns false, and
// closes the line, if nobody waits.
func (l *commitQueues) gather(repo git.Repo, answered int, most time.Duration) bool {
	if answered > fewCallers {
		select {
		case <-l.announceFull(repo, answered):
		case <-time.After(min(most, gatherTime)):
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.of[repo]
	at.full = nil
	if len(at.waiting) == 0 {
		delete(l.of, repo)
		return false
	}
	return true
}

// announceFull returns a channel that is closed once some more callers are in a line, or as many as a round serves.
func (l *commitQueues) announceFull(repo git.Repo, more int) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, full := l.of[repo], make(chan struct{})
	if at.wanted = min(len(at.waiting)+more, roundMost); len(at.waiting) >= at.wanted {
		close(full)
	} else {
		at.full = full
	}
	return full
}

// next removes the first callers from a line.
func (l *commitQueues) next(repo git.Repo, most int) []*commitRequest {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.of[repo]
	n := min(len(at.waiting), most)
	first := at.waiting[:n:n]
	at.waiting = at.waiting[n:]
	return first
}

// serve serves a line until nobody waits.
func (p *Pusher) serve(repo git.Repo) {
	for more := true; more; {
		began := time.Now()
		some := p.serveSome(repo)
		more = p.lines.gather(repo, some, time.Since(began)/2)
	}
}

// serveSome serves the first callers of a line in one round. It returns their number.
func (p *Pusher) serveSome(repo git.Repo) int {
	lock, err := repo.Lock(context.Background())
	some := p.lines.next(repo, roundMost)
	if err == nil {
		some, err = p.safeRound(repo, lock, some)
		lock.Release()
	}
	for _, e := range some {
		switch {
		case errors.Is(err, git.ErrBusy):
			e.command.Refused = Busy
		case err != nil && e.err == nil:
			e.err = err
		}
		close(e.done)
	}
	return len(some)
}

// safeRound runs one round and turns a panic into an error, because callers wait for a result.
func (p *Pusher) safeRound(repo git.Repo, lock *git.Lock, some []*commitRequest) (served []*commitRequest, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			served, err = some, fmt.Errorf("panic while committing a batch of pushes: %v\n%s", broken, debug.Stack())
		}
	}()
	buffered := repo.Buffered()
	served, made := p.buildCommits(buffered, some)
	p.lines.putBack(repo, some[len(served):])
	if len(made) == 0 {
		return served, nil
	}
	err = buffered.Flush()
	if err == nil {
		err = p.round(repo, lock, made)
	}
	if err != nil {
		for _, e := range made {
			e.err = err
		}
	}
	return served, nil
}

// buildCommits makes the commits of the callers until the time is up. It returns the callers it served, and those whose
// branches must move.
func (p *Pusher) buildCommits(repo git.Repo, some []*commitRequest) (served, made []*commitRequest) {
	began, tips := time.Now(), map[string]string{}
	for i, e := range some {
		if i > 0 && time.Since(began) > roundTime {
			return some[:i], made
		}
		if p.prepare(repo, e, tips); e.err == nil && e.command.Refused == "" && e.command.New != "" {
			made = append(made, e)
		}
	}
	return some, made
}

// prepare makes the commit of a caller on top of the earlier commits of the round, unless a rule forbids it. It stores
// errors in the entry.
func (p *Pusher) prepare(repo git.Repo, e *commitRequest, tips map[string]string) {
	if e.err = e.ctx.Err(); e.err != nil {
		return
	}
	tip, known := tips[e.ref]
	if !known {
		tip, _ = repo.Ref(e.ref) // an error means that the branch does not exist
	}
	c := git.Command{Ref: e.ref, Old: tip}
	if tip == "" {
		c.Old = git.Zero
	}
	if c.New, e.err = e.build(repo, tip); e.err != nil || c.New == "" {
		return
	}
	asked := &git.Push{Commands: []git.Command{c}}
	if e.err = e.rules.check(e.ctx, asked, repo); e.err == nil {
		e.err = p.checkLocks(e.ctx, e.row, e.actor, asked, since{repo, tip})
	}
	if e.err == nil && asked.Commands[0].Refused == "" {
		e.err = p.checkChange(e.ctx, e.row, e.actor.User.ID, c, since{repo, tip})
	}
	if e.command = asked.Commands[0]; e.err == nil && e.command.Refused == "" {
		tips[e.ref] = c.New
	}
}

// round notes the changes of a round, moves the branches and ends the changes.
func (p *Pusher) round(repo git.Repo, lock *git.Lock, made []*commitRequest) error {
	ctx := context.WithoutCancel(made[0].ctx)
	row, err := p.begin(ctx, made[0].row, repo, func(now model.ProjectRow) []model.Push {
		var all []model.Push
		for _, e := range made {
			if now.Project.RepositoryReadOnly {
				e.command.Refused = ReadOnly
				continue
			}
			batch, notes := notes(now, e.actor, &git.Push{Commands: []git.Command{e.command}}, "")
			e.batch, all = batch, append(all, notes...)
		}
		return all
	})
	if err != nil || row.Project.RepositoryReadOnly {
		return err
	}
	if err := move(ctx, lock, made); err != nil {
		return fmt.Errorf("update refs: %w", err) // the next push finds out what happened
	}
	return p.endRound(ctx, row, repo, made)
}

// move moves each branch of a round once: from its old commit to the last new one.
func move(ctx context.Context, lock *git.Lock, made []*commitRequest) error {
	asked, at := &git.Push{}, map[string]int{}
	for _, e := range made {
		if i, known := at[e.ref]; known {
			asked.Commands[i].New = e.command.New
			continue
		}
		at[e.ref] = len(asked.Commands)
		asked.Commands = append(asked.Commands, e.command)
	}
	if err := lock.Advance(ctx, asked); err != nil {
		return err
	}
	for _, e := range made {
		e.command.Refused = asked.Commands[at[e.ref]].Refused
	}
	return nil
}

// endRound ends the changes of a round in one transaction, each with its own event and what follows from it.
func (p *Pusher) endRound(ctx context.Context, row model.ProjectRow, repo git.Repo, made []*commitRequest) error {
	dones, results := make([]store.PushResult, len(made)), make([]Result, len(made))
	for i, e := range made {
		r := Result{ProjectID: row.Project.ID, UserID: e.actor.User.ID}
		if e.command.Refused == "" {
			r.Changes = []git.Command{e.command}
		}
		var err error
		if dones[i], results[i], err = p.plan(ctx, row, repo, e.batch, r); err != nil {
			return err
		}
		row.Project = results[i].Project
	}
	return p.store.Tx(ctx, func(tx context.Context) error {
		ended, err := p.store.Pushes.End(tx, dones...)
		if err != nil {
			return err
		}
		var whole Result
		var changes []git.Command
		for i, e := range made {
			if !ended[e.batch] || len(results[i].Changes) == 0 {
				continue
			}
			own := store.InTransactionOf(context.WithoutCancel(e.ctx), tx)
			if err := runAll(own, p.follow.Each, results[i]); err != nil {
				return err
			}
			changes = append(changes, results[i].Changes...)
			whole = results[i]
		}
		if whole.Changes = changes; len(changes) == 0 {
			return nil
		}
		return runAll(store.InTransactionOf(ctx, tx), p.follow.Once, whole)
	})
}

// putBack returns callers to the front of a line, for the next round.
func (l *commitQueues) putBack(repo git.Repo, some []*commitRequest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.of[repo]
	at.waiting = append(append([]*commitRequest{}, some...), at.waiting...)
}
