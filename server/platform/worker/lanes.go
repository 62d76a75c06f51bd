package worker

import (
	"errors"
	"time"

	"github.com/riverqueue/river"
)

// Lane is where jobs of a kind wait. A lane has workers of its own: whatever waits in one, or takes long, never holds up another.
type Lane struct {
	queue    string
	priority int  // 1 comes first
	outgoing bool // its jobs wait for other servers
}

var (
	// People is for what a person or a runner waits for, and what takes a moment.
	People = Lane{queue: river.QueueDefault, priority: 1}
	// Later is for what takes a moment and can wait.
	Later = Lane{queue: river.QueueDefault, priority: 3}
	// Long is for what takes long and somebody has asked for.
	Long = Lane{queue: "long", priority: 1}
	// Upkeep is for what keeps the service tidy.
	Upkeep = Lane{queue: "long", priority: 3}
	// Mail is for letters.
	Mail = Lane{queue: "mail", priority: 1, outgoing: true}
	// Network is for what asks servers of others.
	Network = Lane{queue: "network", priority: 1, outgoing: true}
)

// many is the priority of jobs that are queued many at once: those that are queued alone go first.
const many = 3

// workersOf says how many jobs of each lane one process works at a time, and how often it looks for new ones. A look costs
// an idle process more than a small request, so lanes that nobody watches are looked into less often.
var workersOf = map[string]river.QueueConfig{
	People.queue:  {MaxWorkers: 8, FetchPollInterval: 500 * time.Millisecond},
	Long.queue:    {MaxWorkers: 3, FetchPollInterval: time.Second},
	Mail.queue:    {MaxWorkers: 8, FetchPollInterval: time.Second},
	Network.queue: {MaxWorkers: 4, FetchPollInterval: 2 * time.Second},
}

var errStopping = errors.New("the service stops; the job begins again later")
