package git

import (
	"context"
	"sync"
)

// queues are the requests of this process that wait for the locks of repositories, by folder. They get their turn in
// the order in which they came, and only the first one checks whether another process has the lock.
type queues struct {
	mu sync.Mutex
	of map[string][]chan struct{} // the first one has its turn
}

// wait waits for a turn. The caller must call leave afterwards.
func (q *queues) wait(ctx context.Context, dir string) error {
	turn := make(chan struct{})
	q.mu.Lock()
	if q.of == nil {
		q.of = map[string][]chan struct{}{}
	}
	q.of[dir] = append(q.of[dir], turn)
	if len(q.of[dir]) == 1 {
		close(turn)
	}
	q.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case <-turn: // the turn came just now
		q.pass(dir)
	default:
		for i, other := range q.of[dir] {
			if other == turn {
				q.of[dir] = append(q.of[dir][:i:i], q.of[dir][i+1:]...)
				break
			}
		}
	}
	return ErrBusy
}

// leave gives a turn back.
func (q *queues) leave(dir string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pass(dir)
}

// pass lets the next one in.
func (q *queues) pass(dir string) {
	rest := q.of[dir][1:]
	if len(rest) == 0 {
		delete(q.of, dir)
		return
	}
	q.of[dir] = rest
	close(rest[0])
}
