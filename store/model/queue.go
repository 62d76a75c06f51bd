package model

import "time"

// QueueProcess is a process that works the job queue.
type QueueProcess struct {
	ID     string
	SeenAt time.Time
}
