package model

import "time"

// QueueProcess is a process that works on the job queue.
type QueueProcess struct {
	ID     string
	SeenAt time.Time
}
