// Command bench measures svc against the floor and prints whether the promised numbers hold.
//
//	bin/withpg -durable -- bin/bench [-duration 500ms] [-rounds 6] [-database sqlite|postgres|both]
//		[-rows user,list,…] [-million]
//
// The floor is the least that could give the same answer: a bare Echo handler that hashes the token, makes one indexed
// query and encodes the same JSON. It runs as a process of its own (bench floor), so that both are measured from
// outside. Times depend on the machine and its other load. Only the ratios within one run are meaningful.
//
// The command, its servers and its report:
//
//	main.go, options.go    the command, the order of the measurements, the flags
//	process.go             starts and stops svc and the floor
//	data.go, place.go      databases: two equal copies, or one that SQL statements fill
//	client.go, load.go     the HTTP client, and load over many connections
//	cpu_tree.go            CPU time of a process and its children
//	report.go              the table and the verdicts
//	ratios.go              ratios that are recorded, to notice regressions
//
// The floor:
//
//	floor.go               its routes
//	pools.go, queries.go   its connections and statements
//	floor_times.go         how it reads times
//	list_floor.go          the lists of row lists
//	list_columns.go        the columns that these show
//	write_floor.go         the writes of row writes
//	write_samples.go       the rows that these write
//	job_columns.go         the columns of jobs
//	project_columns.go     the columns of projects
//
// The rows:
//
//	requests.go            rows user, list and update
//	list_rows.go           row lists: lists of 20 rows of most kinds
//	list_fill.go           what row lists shows
//	write_rows.go          row writes: the most common writes of rows
//	tails.go               row tails: latency with 64 callers, of reads beside writers, and with several pools of connections
//	issue_rows.go          row issues: lists of a million issues
//	memory_rows.go         row memory: memory after many requests of all kinds
//	start.go               rows size, start and idle
//	worlds.go              row worlds: resets and memory of the worlds of --test-mode
//	steps.go               row steps: authentication, folding and validation
//	compression.go         row compression
//	oauth.go               row oauth
//	growth.go              row growth: lists with few and with many rows, and bytes per row
//	people.go              fills databases with users
//	people_rows.go         rows people and search
//	projects.go            fills databases with groups and projects
//	project_rows.go        row projects
//	passwords.go           row passwords: latency while passwords are checked
//	neighbour.go           row neighbour: new users beside a program that uses all processors
//	jobs.go, job_rows.go   row jobs: lists of a million jobs
//	event_rows.go          rows events and audit
//	merge_rows.go          row merges
//	commit_rows.go         row commits: file commits over the API
//	branch_rows.go         row branches
//	queue_rows.go          row queue: background jobs
//	parcels.go             row parcels: export and import of groups
//	alerts.go              row alerts
//	error_rows.go          row errors: error tracking
//	pages.go               row pages: files of sites
//	release_rows.go        row releases
//	hook_rows.go           row webhooks: pushes with a webhook, and deliveries
//	hook_flood.go          row flood: latency while 10,000 deliveries wait; also part of row webhooks
//	packages.go            row packages: large files of packages
//	backup_rows.go         row backup: a backup and a restore of 1,000 repositories and 1 GB, against tar
//	web_rows.go            row web: pages for people, against the API, the highlighter and git diff
//	web_history.go         the repository for row web
//	ci.go                  row ci: runners, logs and pipelines
//	job_flow.go            jobs a second, also part of row ci
//	push_rows.go           row pushes: pushes a second, and the space that a small project takes
//	git_rows.go            row git, with the steps that read a repository
//	git_history.go         repositories for row git
//	git_measure.go         how row git measures
//	git_transfers.go       clones, pushes and memory
//	git_moves.go           moves to another storage
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

// helpers are the commands that bench starts itself.
var helpers = map[string]func(ctx context.Context, args []string, out io.Writer) error{"floor": floor, "post": post, "spin": spin}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	run := bench
	args := os.Args[1:]
	if len(args) > 0 {
		if helper := helpers[args[0]]; helper != nil {
			run, args = helper, args[1:]
		}
	}
	err := run(ctx, args, os.Stdout)
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted") // the output of servers that are being stopped explains nothing
	}
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench: "+err.Error())
		os.Exit(1)
	}
}

// bench runs the measurements that the flags select, in a temporary folder.
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
	load, _ := os.ReadFile("/proc/loadavg") // helps to judge the run
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
		if err := seededStart(ctx, o, filepath.Join(folder, "demonstration"), rep); err != nil {
			return err
		}
	}
	if o.rows["worlds"] {
		if err := worlds(ctx, o, rep); err != nil {
			return err
		}
	}
	for _, kind := range o.databases {
		for _, bench := range []func(ctx context.Context, o options, kind, folder string, rep *report) error{
			benchDatabase, benchLists, benchWrites, benchTails, benchMemory, benchIssues, benchPeople, benchNeighbour, benchGrowth,
			benchCI, benchPushes, benchJobs, benchEvents, benchMerges, benchCommits, benchBranches, benchQueue, benchExports,
			benchAlerts, benchErrors, benchPages, benchReleases, benchPackages, benchHooks, benchBackup, benchWeb,
		} {
			if err := bench(ctx, o, kind, filepath.Join(folder, kind), rep); err != nil {
				return fmt.Errorf("%s: %w", label(kind), err)
			}
		}
	}
	if err := benchGit(ctx, o, filepath.Join(folder, "git"), rep); err != nil {
		return fmt.Errorf("git: %w", err)
	}
	if err := benchSearch(ctx, o, filepath.Join(folder, "search"), rep); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	rep.summary()
	fmt.Fprintf(out, "\nThis took %.0f s.\n", time.Since(began).Seconds())
	return o.keepRatios(rep)
}

// benchDatabase measures what depends on the database: the three requests, OAuth, memory, and the steps before an
// operation.
func benchDatabase(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.anyOf("user", "list", "update", "oauth", "idle", "compression", "steps") {
		return nil
	}
	d, err := newData(ctx, o.svc, kind, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.remove()) }()
	if o.anyOf("user", "list", "update", "oauth", "idle", "compression") {
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
	if o.rows["compression"] {
		if err := benchCompression(ctx, o, kind, svc, rep); err != nil {
			return err
		}
	}
	if o.rows["oauth"] {
		return benchOAuth(ctx, o, kind, d, bare, svc, rep)
	}
	return nil
}
