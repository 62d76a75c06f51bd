package worker

import (
	"errors"
	"time"

	"github.com/riverqueue/river"
)

// Lane is the queue in which jobs of a kind wait. Each queue has its own workers, so slow or waiting jobs of one never
// hold up another.
type Lane struct {
	queue    string
	priority int  // 1 comes first
	outgoing bool // its jobs wait for other servers
}

var (
	// People is for short jobs that a person or a runner waits for.
	People = Lane{queue: river.QueueDefault, priority: 1}
	// Later is for short jobs that can wait.
	Later = Lane{queue: river.QueueDefault, priority: 3}
	// Long is for long jobs that somebody requested.
	Long = Lane{queue: "long", priority: 1}
	// Upkeep is for jobs that keep the service tidy.
	Upkeep = Lane{queue: "long", priority: 3}
	// Mail is for jobs that send mail.
	Mail = Lane{queue: "mail", priority: 1, outgoing: true}
	// Network is for jobs that call servers of others.
	Network = Lane{queue: "network", priority: 1, outgoing: true}
)

// many is the priority of jobs that are queued many at once: jobs that are queued alone go first.
const many = 3

// workersOf sets how many jobs of each queue one process runs at a time, and how often it polls for new ones. A poll
// costs an idle process more than a small request, so queues that nobody watches are polled less often.
var workersOf = map[string]river.QueueConfig{
	People.queue:  {MaxWorkers: 8, FetchPollInterval: 500 * time.Millisecond},
	Long.queue:    {MaxWorkers: 3, FetchPollInterval: time.Second},
	Mail.queue:    {MaxWorkers: 8, FetchPollInterval: time.Second},
	Network.queue: {MaxWorkers: 4, FetchPollInterval: 2 * time.Second},
}

var errStopping = errors.New("the service stops; the job begins again later")
