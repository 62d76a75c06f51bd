package worker

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/store"
)

// Numbers are numbers of the jobs and processes of the queue.
type Numbers struct {
	Queues    map[string]store.QueueWaiting // all queues, also those in which nothing waits
	Processes []Process
	Completed int64 // jobs that have ended with success and are still in the queue
	Failed    int64 // jobs whose last attempt failed
	Discarded int64 // jobs that failed for good
	Waiting   int64 // jobs that wait, now or until their time comes
}

// Process is a process that works on the queue.
type Process struct {
	Hostname string
	PID      int64
	Started  *time.Time // nil for other processes than this one
	Busy     int64      // jobs that it runs
}

// Capacity returns how many jobs one process can run at the same time.
func Capacity() (jobs int64) {
	for _, queue := range workersOf {
		jobs += int64(queue.MaxWorkers)
	}
	return jobs
}

// QueueNames returns the names of all queues.
func QueueNames() []string { return slices.Sorted(maps.Keys(workersOf)) }

// Numbers counts the jobs of all processes.
func (w *Worker) Numbers(ctx context.Context) (Numbers, error) {
	counted, waiting, err := w.store.QueueNumbers(ctx)
	if err != nil {
		return Numbers{}, err
	}
	alive, err := w.store.QueueAlive(ctx, Lease)
	if err != nil {
		return Numbers{}, err
	}
	if !slices.Contains(alive, w.lease.process) {
		alive = append(alive, w.lease.process) // the process that answers lives
	}
	n := Numbers{
		Queues: map[string]store.QueueWaiting{}, Completed: counted.Completed, Failed: counted.Failed, Discarded: counted.Discarded,
		Waiting: waiting,
	}
	for name := range workersOf {
		n.Queues[name] = counted.Waiting[name]
	}
	for _, id := range alive {
		p := readProcess(id)
		p.Busy = counted.Running[id]
		if id == w.lease.process {
			p.Started = &w.started
		}
		n.Processes = append(n.Processes, p)
	}
	return n, nil
}

// readProcess reads the name of a process that processID returned: the machine, the number, and a random text.
func readProcess(id string) Process {
	rest, _, _ := cutLast(id)
	host, number, _ := cutLast(rest)
	pid, _ := strconv.ParseInt(number, 10, 64)
	return Process{Hostname: host, PID: pid}
}

// cutLast cuts a text at its last underscore.
func cutLast(text string) (before, after string, found bool) {
	at := strings.LastIndexByte(text, '_')
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+1:], true
}
