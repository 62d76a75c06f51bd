package intake

import (
	"context"
	"sync"
	"time"

	"svc/store"
	"svc/store/model"
)

const (
	// alertsPerWrite is how many alerts are written in one transaction. A single message is always written whole.
	alertsPerWrite = 200
	// writeTimeout is how long a transaction may take.
	writeTimeout = 30 * time.Second
)

// queues writes alerts of one project that arrive at the same time in one transaction. They get consecutive numbers, so
// each would otherwise wait for the commit of the one before. No message waits for others to arrive: if nobody is
// writing, it is written at once.
type queues struct {
	write func(ctx context.Context, projectID int64, rows []model.Alert) ([]store.RecordedAlert, error)

	mu       sync.Mutex
	projects map[int64]*[]*message // the waiting messages of each project that is being written to
}

// message is the alerts of one message that wait to be written.
type message struct {
	rows []model.Alert
	lead chan struct{} // closed when this one is to write for all that wait
	done chan struct{} // closed when it is written or has failed
	back []store.RecordedAlert
	err  error
}

// do writes a message and returns when it is committed.
func (q *queues) do(ctx context.Context, projectID int64, rows []model.Alert) ([]store.RecordedAlert, error) {
	m := &message{rows: rows, lead: make(chan struct{}), done: make(chan struct{})}
	q.mu.Lock()
	if q.projects == nil {
		q.projects = map[int64]*[]*message{}
	}
	waiting := q.projects[projectID]
	if waiting == nil {
		waiting = &[]*message{}
		q.projects[projectID] = waiting
		close(m.lead)
	}
	*waiting = append(*waiting, m)
	q.mu.Unlock()
	select {
	case <-m.done:
	case <-m.lead:
		q.serve(ctx, projectID, waiting)
	}
	return m.back, m.err
}

// serve writes the waiting messages, its own first, and then lets the next message lead.
func (q *queues) serve(ctx context.Context, projectID int64, waiting *[]*message) {
	q.mu.Lock()
	batch := take(waiting)
	q.mu.Unlock()
	defer func() { // also after a panic, so that only the leader fails
		q.mu.Lock()
		defer q.mu.Unlock()
		if len(*waiting) == 0 {
			delete(q.projects, projectID)
			return
		}
		close((*waiting)[0].lead)
	}()
	var rows []model.Alert
	for _, m := range batch {
		rows = append(rows, m.rows...)
		m.err = context.DeadlineExceeded // unless it is written
		defer close(m.done)
	}
	// Other requests wait for this, so it continues when the leader's client disconnects.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	back, err := q.write(ctx, projectID, rows)
	for _, m := range batch {
		if m.err = err; err == nil {
			m.back, back = back[:len(m.rows)], back[len(m.rows):]
		}
	}
}

// take removes and returns the messages that are written next.
func take(waiting *[]*message) []*message {
	n, rows := 0, 0
	for n < len(*waiting) && (n == 0 || rows+len((*waiting)[n].rows) <= alertsPerWrite) {
		rows += len((*waiting)[n].rows)
		n++
	}
	batch := (*waiting)[:n:n]
	*waiting = (*waiting)[n:]
	return batch
}
