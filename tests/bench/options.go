package main

import (
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// options holds what to measure and for how long.
type options struct {
	svc         string
	duration    time.Duration
	rounds      int
	databases   []string
	concurrency []int
	rows        map[string]bool
	million     bool
	check       string // file of ratios to compare with
	record      string // file of ratios to write
}

var allRows = []string{
	"size", "start", "worlds", "idle", "user", "list", "lists", "update", "writes", "tails", "memory", "issues", "compression",
	"oauth", "steps", "growth", "people", "projects", "search", "passwords", "neighbour", "jobs", "events", "audit", "merges",
	"commits", "branches", "queue", "parcels", "alerts", "errors", "pages", "releases", "packages", "ci", "pushes", "webhooks", "flood",
	"backup", "web", "git", "code",
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&o.svc, "svc", "bin/svc", "program to measure")
	flags.DurationVar(&o.duration, "duration", 500*time.Millisecond, "length of one measurement")
	flags.IntVar(&o.rounds, "rounds", 6, "measurements of floor and svc, by turns, for each line")
	database := flags.String("database", "both", "sqlite, postgres or both")
	concurrency := flags.String("concurrency", "1,16,64", "requests under way at once, separated by commas")
	rows := flags.String("rows", strings.Join(allRows, ","), "what to measure, separated by commas")
	flags.BoolVar(&o.million, "million", false, "in row growth, also with 1,000,000 rows of each kind, which takes long to fill in")
	flags.StringVar(&o.check, "check", "", "fail if a ratio is more than 15 % above the one in this file")
	flags.StringVar(&o.record, "record", "", "write the ratios to this file")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.rounds < 1 || o.duration <= 0 || flags.NArg() > 0 {
		return o, fmt.Errorf("-rounds and -duration must be positive, and nothing follows the flags")
	}
	switch *database {
	case "both":
		o.databases = []string{sqlite, postgres}
	case sqlite, postgres:
		o.databases = []string{*database}
	default:
		return o, fmt.Errorf("-database %q is not sqlite, postgres or both", *database)
	}
	for text := range strings.SplitSeq(*concurrency, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return o, fmt.Errorf("-concurrency %q is not a number above 0", text)
		}
		o.concurrency = append(o.concurrency, n)
	}
	o.rows = map[string]bool{}
	for row := range strings.SplitSeq(*rows, ",") {
		if !slices.Contains(allRows, row) {
			return o, fmt.Errorf("-rows %q is none of %s", row, strings.Join(allRows, ", "))
		}
		o.rows[row] = true
	}
	return o, nil
}

func (o options) anyOf(rows ...string) bool {
	return slices.ContainsFunc(rows, func(row string) bool { return o.rows[row] })
}
