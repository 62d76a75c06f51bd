package worker

import (
	"errors"
	"time"

	"github.com/riverqueue/river"
)

// Queue is the queue in which jobs of a kind wait. Each queue has its own workers, so slow or waiting jobs of one never
// hold up another.
type Queue struct {
	queue    string
	priority int           // 1 comes first
	outgoing bool          // its jobs wait for other servers
	timeout  time.Duration // of a job; 0 for the usual one
}

var (
	// Interactive is for short jobs that a person or a runner waits for.
	Interactive = Queue{queue: river.QueueDefault, priority: 1}
	// Later is for short jobs that can wait.
	Later = Queue{queue: river.QueueDefault, priority: 3}
	// Long is for long jobs that somebody requested.
	Long = Queue{queue: "long", priority: 1}
	// Upkeep is for jobs that keep the service tidy.
	Upkeep = Queue{queue: "long", priority: 3}
	// Mail is for jobs that send mail.
	Mail = Queue{queue: "mail", priority: 1, outgoing: true}
	// Webhooks is for jobs that deliver to webhooks.
	Webhooks = Queue{queue: "webhooks", priority: 1, outgoing: true}
	// SlowWebhooks is for jobs that deliver to webhooks whose last delivery failed or took long.
	SlowWebhooks = Queue{queue: "slow_webhooks", priority: 1, outgoing: true}
	// Transfers is for jobs that copy repositories and archives from and to servers of others.
	Transfers = Queue{queue: "transfers", priority: 1, outgoing: true, timeout: time.Hour}
	// Network is for jobs that call servers of others.
	Network = Queue{queue: "network", priority: 1, outgoing: true}
)

// bulkPriority is the priority of jobs that are queued many at once: jobs that are queued alone go first.
const bulkPriority = 3

// workersOf sets how many jobs of each queue one process runs at a time, and how often it polls for new ones. A poll
// costs an idle process more than a small request, so queues that nobody watches are polled less often.
var workersOf = map[string]river.QueueConfig{
	Interactive.queue:  {MaxWorkers: 8, FetchPollInterval: 500 * time.Millisecond},
	Long.queue:         {MaxWorkers: 3, FetchPollInterval: time.Second},
	Mail.queue:         {MaxWorkers: 8, FetchPollInterval: time.Second},
	Network.queue:      {MaxWorkers: 4, FetchPollInterval: 2 * time.Second},
	Transfers.queue:    {MaxWorkers: 4, FetchPollInterval: time.Second},
	Webhooks.queue:     {MaxWorkers: 16, FetchPollInterval: time.Second},
	SlowWebhooks.queue: {MaxWorkers: 16, FetchPollInterval: 2 * time.Second},
}

var errStopping = errors.New("the service is stopping; the job will be restarted later")
