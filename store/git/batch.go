package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"svc/store/observe"
)

// Info describes an object.
type Info struct {
	ID   string
	Kind string // commit, tree, blob or tag
	Size int64
}

// batch is a running git process that answers questions about one repository: `git cat-file --batch-command` about objects,
// or `git diff-tree --stdin` about the changed lines of commits.
type batch struct {
	cmd   *exec.Cmd
	in    *bufio.Writer
	out   *bufio.Reader
	stop  context.CancelFunc
	used  time.Time
	asked int // commits whose lines it has counted
}

func (r Repo) startBatch(args ...string) (*batch, error) {
	ctx, stop := context.WithCancel(context.Background()) // it outlives the request
	cmd := r.command(ctx, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		stop()
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		stop()
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		stop()
		return nil, fmt.Errorf("start git: %w", err)
	}
	return &batch{cmd: cmd, in: bufio.NewWriter(in), out: bufio.NewReaderSize(out, 32<<10), stop: stop, used: time.Now()}, nil
}

func (b *batch) close() {
	b.stop()
	_ = b.cmd.Wait() // it was killed
}

// ask sends a question and reads the line that answers it. Callers make sure that the revision has no line break.
func (b *batch) ask(verb, rev string) (Info, error) {
	if err := b.send(verb, rev); err != nil {
		return Info{}, err
	}
	return b.answer()
}

// send sends questions that git answers together.
func (b *batch) send(verb string, revs ...string) error {
	for _, rev := range revs {
		b.in.WriteString(verb + " " + rev + "\n") //nolint:errcheck // Flush tells
	}
	b.in.WriteString("flush\n") //nolint:errcheck // Flush tells
	return b.in.Flush()
}

func (b *batch) answer() (Info, error) {
	line, err := b.out.ReadString('\n')
	if err != nil {
		return Info{}, err
	}
	parts := strings.Fields(line)
	if len(parts) != 3 || !IsID(parts[0]) {
		return Info{}, ErrNotFound // missing, or ambiguous
	}
	size, err := strconv.ParseInt(parts[2], 10, 64)
	return Info{ID: parts[0], Kind: parts[1], Size: size}, err
}

// infos describes objects. If one is missing, infos reads all answers first and then returns ErrNotFound.
func (b *batch) infos(ids []string) ([]Info, error) {
	if err := b.send("info", ids...); err != nil {
		return nil, err
	}
	var missing error
	infos := make([]Info, len(ids))
	for i := range infos {
		info, err := b.answer()
		if errors.Is(err, ErrNotFound) {
			missing = err
		} else if err != nil {
			return nil, err
		}
		infos[i] = info
	}
	return infos, missing
}

// each reads the contents of objects, and reports a missing one after it has read all answers.
func (b *batch) each(infos []Info, read func(i int, data []byte)) error {
	ids := make([]string, len(infos))
	for i, info := range infos {
		ids[i] = info.ID
	}
	if err := b.send("contents", ids...); err != nil {
		return err
	}
	var missing error
	for i := range infos {
		data, err := b.content()
		switch {
		case errors.Is(err, ErrNotFound):
			missing = err
		case err != nil:
			return err
		default:
			read(i, data)
		}
	}
	return missing
}

// withBatch lends a git process that sees all objects, also those that were in the buffer: it flushes the buffer first.
func (r Repo) withBatch(ctx context.Context, use func(*batch) error) error {
	if err := r.Flush(); err != nil {
		return err
	}
	return r.withBatchUnflushed(ctx, use)
}

// withBatchUnflushed lends a git process, and returns it to the pool unless the two are out of step. The process may not see what is
// in the buffer.
func (r Repo) withBatchUnflushed(ctx context.Context, use func(*batch) error) error {
	return r.lend(ctx, r.all.pool, use)
}

func (r Repo) lend(ctx context.Context, from *pool, use func(*batch) error) error {
	if !r.Exists() {
		return r.storageMark.Missing(ErrNotFound)
	}
	b, err := from.take(ctx, r)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	stopped := context.AfterFunc(ctx, func() { // if the client disconnects, git must not hang
		b.stop()
		close(done)
	})
	began := time.Now()
	err = use(b)
	observe.Of(ctx).Git(time.Since(began))
	if !stopped() {
		<-done
		from.drop(b)
		return context.Cause(ctx)
	}
	if err == nil || errors.Is(err, ErrNotFound) || errors.Is(err, errBatchUsable) {
		from.give(r, b)
	} else {
		from.drop(b)
	}
	return err
}

// errBatchUsable marks a failure after which the git process can still be used.
var errBatchUsable = errors.New("in step")

// Info describes the object that a revision names.
func (r Repo) Info(ctx context.Context, rev string) (Info, error) {
	if o, ok := r.findBuffered(rev); ok {
		return Info{ID: rev, Kind: o.kind, Size: int64(len(o.data))}, nil
	}
	var info Info
	err := r.withBatch(ctx, func(b *batch) (err error) {
		info, err = b.ask("info", rev)
		return err
	})
	return info, err
}

// Object reads an object of at most the given size. A larger one is ErrTooLarge.
func (r Repo) Object(ctx context.Context, rev string, most int64) (Info, []byte, error) {
	if o, ok := r.findBuffered(rev); ok && int64(len(o.data)) <= most {
		return Info{ID: rev, Kind: o.kind, Size: int64(len(o.data))}, o.data, nil
	}
	borrow := r.withBatch
	if IsID(rev) {
		borrow = r.withBatchUnflushed // it is not in the buffer
	}
	var info Info
	var data []byte
	err := borrow(ctx, func(b *batch) (err error) {
		if info, err = b.ask("info", rev); err != nil {
			return err
		}
		if info.Size > most {
			return fmt.Errorf("%w: %w", ErrTooLarge, errBatchUsable)
		}
		data, err = b.contents(info.ID)
		return err
	})
	return info, data, err
}

func (b *batch) contents(id string) ([]byte, error) {
	if err := b.send("contents", id); err != nil {
		return nil, err
	}
	return b.content()
}

func (b *batch) content() ([]byte, error) {
	info, err := b.answer()
	if err != nil {
		return nil, err
	}
	data := make([]byte, info.Size+1) // and the line break after it
	if _, err := io.ReadFull(b.out, data); err != nil {
		return nil, err
	}
	return data[:info.Size], nil
}

// Stream copies an object of any size.
func (r Repo) Stream(ctx context.Context, id string, to io.Writer) error {
	return r.withBatch(ctx, func(b *batch) error {
		info, err := b.ask("contents", id)
		if err != nil {
			return err
		}
		if _, err := io.CopyN(to, b.out, info.Size); err != nil {
			return err
		}
		_, err = b.out.ReadByte()
		return err
	})
}

// pool keeps a few git processes for the repositories that are in use.
type pool struct {
	args   []string // of git
	mu     sync.Mutex
	idle   map[string][]*batch // by folder
	room   chan struct{}       // limits how many run at once
	closed bool
}

const (
	maxBatches = 48
	idlePer    = 16 // idle processes for one repository
	idleFor    = 30 * time.Second
	mostAsked  = 10_000 // a process keeps the commits that it has compared in memory
)

// newPool returns a pool of git processes with the given arguments, of which at most some run at once.
func newPool(most int, args ...string) *pool {
	return &pool{args: args, idle: map[string][]*batch{}, room: make(chan struct{}, most)}
}

func newObjectPool() *pool { return newPool(maxBatches, "cat-file", "--batch-command", "--buffer") }

// size returns the number of idle processes.
func (p *pool) size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for _, waiting := range p.idle {
		n += len(waiting)
	}
	return n
}

func (p *pool) take(ctx context.Context, r Repo) (*batch, error) {
	p.mu.Lock()
	if waiting := p.idle[r.dir]; len(waiting) > 0 {
		b := waiting[len(waiting)-1]
		p.idle[r.dir] = waiting[:len(waiting)-1]
		p.mu.Unlock()
		return b, nil
	}
	p.mu.Unlock()
	select {
	case p.room <- struct{}{}:
	default:
		p.evict()
		select {
		case p.room <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	b, err := r.startBatch(p.args...)
	if err != nil {
		<-p.room
	}
	return b, err
}

// give returns a process to the pool, and makes sure that a sweep ends it if nobody uses it.
func (p *pool) give(r Repo, b *batch) {
	p.mu.Lock()
	b.used = time.Now()
	if p.closed || len(p.idle[r.dir]) >= idlePer || b.asked >= mostAsked {
		p.mu.Unlock()
		p.drop(b)
		return
	}
	p.idle[r.dir] = append(p.idle[r.dir], b)
	p.mu.Unlock()
	time.AfterFunc(idleFor+time.Second, p.sweep)
}

func (p *pool) drop(b *batch) {
	b.close()
	<-p.room
}

// sweep ends processes that have been idle for long.
func (p *pool) sweep() { p.end(func(_ string, b *batch) bool { return time.Since(b.used) >= idleFor }) }

// evict ends all idle processes, to make room.
func (p *pool) evict() { p.end(func(string, *batch) bool { return true }) }

// forget ends the processes of one repository.
func (p *pool) forget(dir string) { p.end(func(of string, _ *batch) bool { return of == dir }) }

func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.evict()
}

func (p *pool) end(which func(dir string, b *batch) bool) {
	var ended []*batch
	p.mu.Lock()
	for dir, waiting := range p.idle {
		var kept []*batch
		for _, b := range waiting {
			if which(dir, b) {
				ended = append(ended, b)
			} else {
				kept = append(kept, b)
			}
		}
		if len(kept) == 0 {
			delete(p.idle, dir)
		} else {
			p.idle[dir] = kept
		}
	}
	p.mu.Unlock()
	for _, b := range ended {
		p.drop(b)
	}
}
