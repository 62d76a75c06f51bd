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

// maxSeeded is how long a start with the demonstration data may take, times a start without data.
const maxSeeded = 1.5

// seededStart measures the start with --ephemeral --seed, and by turns the start without data.
func seededStart(ctx context.Context, o options, folder string, rep *report) error {
	best := map[string]time.Duration{}
	for range startRuns {
		for name, flags := range map[string][]string{"empty": {"--ephemeral"}, "seed": {"--ephemeral", "--seed", "1"}} {
			began := time.Now()
			p, err := spawnSvc(ctx, o.svc, dataCopy{folder: folder}, flags...)
			if err != nil {
				return err
			}
			if err := p.waitReady(ctx); err != nil {
				return err
			}
			took := time.Since(began)
			p.stop()
			if best[name] == 0 || took < best[name] {
				best[name] = took
			}
		}
	}
	rep.number(best["seed"] < demoLimit, "start with --ephemeral --seed under 500 ms", fmt.Sprintf(
		"%d ms, best of %d", best["seed"].Milliseconds(), startRuns,
	))
	rep.compared("", "start with --ephemeral --seed", "a start without data", overOnce(best["seed"], best["empty"]), maxSeeded, fmt.Sprintf(
		"%d ms and %d ms, best of %d by turns", best["seed"].Milliseconds(), best["empty"].Milliseconds(), startRuns,
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
	case <-time.After(quietAfter):
	}
	rss, err := svc.rss()
	if err != nil {
		return err
	}
	rep.number(rss < memoryLimit, fmt.Sprintf("idle memory %v after the start under 64 MiB, %s", quietAfter, label(kind)),
		fmt.Sprintf("%.1f MiB", float64(rss)/(1<<20)))
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
