// Command bench measures svc against the floor and prints whether the numbers that we promise hold.
//
//	bin/withpg -durable -- bin/bench [-duration 500ms] [-rounds 6] [-database sqlite|postgres|both] [-rows user,list,…] [-million]
//
// The floor is the least that could answer the same: a bare Echo handler that hashes the token, makes one indexed query
// and encodes the same JSON. It runs as a process of its own (bench floor), so that both are measured from outside.
// Times depend on the machine and on who else uses it; only the ratios inside one run mean something.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	run := bench
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "floor" {
		run, args = floor, args[1:]
	}
	err := run(ctx, args, os.Stdout)
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted") // what the servers said while they were stopped tells nothing
	}
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench: "+err.Error())
		os.Exit(1)
	}
}

// bench measures everything that was asked for, in one folder that ends with it.
func bench(ctx context.Context, args []string, out io.Writer) (err error) {
	o, err := parse(args)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "svc-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	began := time.Now()
	load, _ := os.ReadFile("/proc/loadavg") // only to judge the run by
	fmt.Fprintf(out, "%s, %d CPUs, load %s\n", runtime.Version(), runtime.NumCPU(), strings.TrimSpace(string(load)))

	rep := &report{out: out}
	if o.rows["size"] {
		if err := size(o, rep); err != nil {
			return err
		}
	}
	if o.rows["start"] {
		if err := startUp(ctx, o, filepath.Join(folder, "start"), rep); err != nil {
			return err
		}
		if err := demonstration(ctx, o, filepath.Join(folder, "demonstration"), rep); err != nil {
			return err
		}
	}
	for _, kind := range o.databases {
		for _, bench := range []func(ctx context.Context, o options, kind, folder string, rep *report) error{
			benchDatabase, benchPeople, benchCI, benchJobs, benchEvents, benchMerges, benchCommits, benchBranches, benchQueue, benchParcels, benchAlerts, benchErrors, benchPages,
		} {
			if err := bench(ctx, o, kind, filepath.Join(folder, kind), rep); err != nil {
				return fmt.Errorf("%s: %w", label(kind), err)
			}
		}
	}
	if err := benchGit(ctx, o, filepath.Join(folder, "git"), rep); err != nil {
		return fmt.Errorf("git: %w", err)
	}
	rep.summary()
	fmt.Fprintf(out, "\nThis took %.0f s.\n", time.Since(began).Seconds())
	return nil
}

// benchDatabase measures what depends on the database: the three requests, memory and the steps before the operation.
func benchDatabase(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.anyOf("user", "list", "update", "oauth", "idle", "steps") {
		return nil
	}
	d, err := newData(ctx, o.svc, kind, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.remove()) }()
	if o.anyOf("user", "list", "update", "oauth", "idle") {
		if err := benchServers(ctx, o, kind, d, rep); err != nil {
			return err
		}
	}
	if o.rows["steps"] {
		return steps(ctx, o, kind, d.floor, rep)
	}
	return nil
}

func benchServers(ctx context.Context, o options, kind string, d *data, rep *report) error {
	svc, err := startSvc(ctx, o.svc, d.svc)
	if err != nil {
		return err
	}
	defer svc.stop()
	if o.rows["idle"] {
		if err := idle(ctx, kind, svc, rep); err != nil {
			return err
		}
	}
	bare, err := startFloor(ctx, d.floor)
	if err != nil {
		return err
	}
	defer bare.stop()
	rep.heading(kind)
	for _, r := range requests() {
		if !o.rows[r.row] {
			continue
		}
		if err := benchRequest(ctx, o, kind, r, bare, svc, rep); err != nil {
			return fmt.Errorf("%s: %w", r.label, err)
		}
	}
	if o.rows["oauth"] {
		return benchOAuth(ctx, o, kind, d, bare, svc, rep)
	}
	return nil
}
