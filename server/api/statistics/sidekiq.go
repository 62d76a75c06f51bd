package statistics

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/worker"
)

// GetSidekiqQueueMetrics shows how many background jobs wait.
// GET /sidekiq/queue_metrics
func (s *Statistics) GetSidekiqQueueMetrics(
	ctx context.Context, _ gen.GetSidekiqQueueMetricsRequestObject,
) (gen.GetSidekiqQueueMetricsResponseObject, error) {
	n, err := s.numbers(ctx)
	if err != nil {
		return nil, err
	}
	return gen.GetSidekiqQueueMetrics200JSONResponse{Queues: queues(n)}, nil
}

// GetSidekiqProcessMetrics shows the processes that run background jobs.
// GET /sidekiq/process_metrics
func (s *Statistics) GetSidekiqProcessMetrics(
	ctx context.Context, _ gen.GetSidekiqProcessMetricsRequestObject,
) (gen.GetSidekiqProcessMetricsResponseObject, error) {
	n, err := s.numbers(ctx)
	if err != nil {
		return nil, err
	}
	return gen.GetSidekiqProcessMetrics200JSONResponse{Processes: processes(n)}, nil
}

// GetSidekiqJobStats shows the numbers of background jobs by outcome.
// GET /sidekiq/job_stats
func (s *Statistics) GetSidekiqJobStats(
	ctx context.Context, _ gen.GetSidekiqJobStatsRequestObject,
) (gen.GetSidekiqJobStatsResponseObject, error) {
	n, err := s.numbers(ctx)
	if err != nil {
		return nil, err
	}
	return gen.GetSidekiqJobStats200JSONResponse{Jobs: jobs(n)}, nil
}

// GetSidekiqCompoundMetrics shows all numbers about background jobs.
// GET /sidekiq/compound_metrics
func (s *Statistics) GetSidekiqCompoundMetrics(
	ctx context.Context, _ gen.GetSidekiqCompoundMetricsRequestObject,
) (gen.GetSidekiqCompoundMetricsResponseObject, error) {
	n, err := s.numbers(ctx)
	if err != nil {
		return nil, err
	}
	return gen.GetSidekiqCompoundMetrics200JSONResponse{Queues: queues(n), Processes: processes(n), Jobs: jobs(n)}, nil
}

// numbers counts the background jobs for an administrator.
func (s *Statistics) numbers(ctx context.Context) (worker.Numbers, error) {
	if _, err := access.Allow(ctx, access.ReadStatistics); err != nil {
		return worker.Numbers{}, err
	}
	return s.queue(ctx)
}

func queues(n worker.Numbers) map[string]gen.SidekiqQueue {
	shown := make(map[string]gen.SidekiqQueue, len(n.Queues))
	for name, q := range n.Queues {
		shown[name] = gen.SidekiqQueue{Backlog: q.Jobs, Latency: q.Seconds}
	}
	return shown
}

func processes(n worker.Numbers) []gen.SidekiqProcess {
	shown := make([]gen.SidekiqProcess, len(n.Processes))
	for i, p := range n.Processes {
		shown[i] = gen.SidekiqProcess{
			Hostname: p.Hostname, Pid: p.PID, Tag: "svc", Queues: worker.QueueNames(), Labels: []string{},
			Concurrency: worker.Capacity(), Busy: p.Busy,
		}
		if p.Started != nil {
			at := wire.NewTime(*p.Started)
			shown[i].StartedAt = &at
		}
	}
	return shown
}

func jobs(n worker.Numbers) gen.SidekiqJobs {
	return gen.SidekiqJobs{Processed: n.Completed, Failed: n.Failed, Enqueued: n.Waiting, Dead: n.Discarded}
}
