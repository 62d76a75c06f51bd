package push

import "context"

// Recovery is the job that ends the pushes that a killed server has left.
type Recovery struct{}

// Kind returns the name of the job in the queue.
func (Recovery) Kind() string { return "recover_pushes" }

// RecoverJob runs the job.
func (p *Pusher) RecoverJob(ctx context.Context, _ Recovery) error { return p.Recover(ctx) }
