package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const (
	startRuns   = 5
	idleAfter   = 3 * time.Second
	emptyLimit  = 300 * time.Millisecond
	againLimit  = 150 * time.Millisecond
	demoLimit   = 500 * time.Millisecond
	memoryLimit = 64 << 20
	sizeLimit   = 60e6
)

// startUp measures the time from exec until /-/readiness succeeds, with an empty data folder and with an existing one.
func startUp(ctx context.Context, o options, folder string, rep *report) error {
	first, again := time.Hour, time.Hour
	for i := range startRuns {
		c := dataCopy{folder: filepath.Join(folder, fmt.Sprint(i))}
		for _, best := range []*time.Duration{&first, &again} {
			took, err := oneStart(ctx, o.svc, c)
			if err != nil {
				return err
			}
			*best = min(*best, took)
		}
	}
	rep.number(first < emptyLimit, "start with an empty data folder under 300 ms", fmt.Sprintf(
		"%d ms, best of %d", first.Milliseconds(), startRuns,
	))
	rep.number(again < againLimit, "start with an existing data folder under 150 ms", fmt.Sprintf(
		"%d ms, best of %d", again.Milliseconds(), startRuns,
	))
	return nil
}

// seededStart measures the start with --ephemeral --seed, which creates data first.
func seededStart(ctx context.Context, o options, folder string, rep *report) error {
	best := time.Hour
	for range startRuns {
		began := time.Now()
		p, err := spawnSvc(ctx, o.svc, dataCopy{folder: folder}, "--ephemeral", "--seed", "7")
		if err != nil {
			return err
		}
		if err := p.waitReady(ctx); err != nil {
			return err
		}
		best = min(best, time.Since(began))
		p.stop()
	}
	rep.number(best < demoLimit, "start with --ephemeral --seed under 500 ms", fmt.Sprintf(
		"%d ms, best of %d", best.Milliseconds(), startRuns,
	))
	return nil
}

func oneStart(ctx context.Context, program string, c dataCopy) (time.Duration, error) {
	start := time.Now()
	p, err := startSvc(ctx, program, c)
	if err != nil {
		return 0, err
	}
	took := time.Since(start)
	p.stop()
	return took, nil
}

// idle measures the memory of a server that has received no requests since its start.
func idle(ctx context.Context, kind string, svc *process, rep *report) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(idleAfter):
	}
	rss, err := svc.rss()
	if err != nil {
		return err
	}
	rep.number(rss < memoryLimit, "idle memory under 64 MiB, "+label(kind), fmt.Sprintf("%.1f MiB", float64(rss)/(1<<20)))
	return nil
}

func size(o options, rep *report) error {
	file, err := os.Stat(o.svc)
	if err != nil {
		return err
	}
	rep.number(file.Size() < sizeLimit, "stripped binary under 60 MB", fmt.Sprintf("%.1f MB", float64(file.Size())/1e6))
	return nil
}
