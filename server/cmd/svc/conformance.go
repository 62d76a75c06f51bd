package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"svc/server/cmd/svc/conformance"
)

const conformanceUsage = `svc conformance tests an installation against the contract: this service, or another product with the same API.

  svc conformance --url https://svc.example.com --token TOKEN

  --url URL         the installation (or CONFORMANCE_URL)
  --token TOKEN     the token of an administrator with the scope api (or CONFORMANCE_TOKEN)
  --level LEVEL     write (default): create users, groups and projects with one random prefix, and delete them at the end
                    read: only read what is there
  --only WORDS      only these areas, operations or parts of a promise, separated by commas
  --parallel N      scenarios that run at the same time (default 4)
  --keep            do not delete what was created
  --lenient         accept more members and other headers than the document has
  --junit FILE      write a report for CI systems
  --json FILE       write a report for programs
  --coverage        print the number of checks of each operation of the contract
  --verbose         print every check
  --list            print every check without running any
  --fuzz            send requests that are generated from the document instead, on things that the suite has created
                    (--only then takes operations and tags of the document)
  --time 60s        how long to do so
  --fuzz-seed N     repeat the requests of a run that printed this number

The exit status is 0 if everything passed, 1 if something failed, and 2 if the tests could not run.
`

// conformanceFlags has the flags of svc conformance.
type conformanceFlags struct {
	options                 conformance.Options
	fuzzOptions             conformance.FuzzOptions
	only, level             string
	junit, json             string
	list, coverage, verbose bool
	fuzz                    bool
}

func parseConformance(args []string) (conformanceFlags, error) {
	var f conformanceFlags
	flags := flag.NewFlagSet("svc conformance", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&f.options.URL, "url", os.Getenv("CONFORMANCE_URL"), "")
	flags.StringVar(&f.options.Token, "token", os.Getenv("CONFORMANCE_TOKEN"), "")
	flags.StringVar(&f.level, "level", "write", "")
	flags.StringVar(&f.only, "only", "", "")
	flags.IntVar(&f.options.Parallel, "parallel", 4, "")
	flags.BoolVar(&f.options.Keep, "keep", false, "")
	flags.BoolVar(&f.options.Lenient, "lenient", false, "")
	flags.StringVar(&f.junit, "junit", "", "")
	flags.StringVar(&f.json, "json", "", "")
	flags.BoolVar(&f.coverage, "coverage", false, "")
	flags.BoolVar(&f.verbose, "verbose", false, "")
	flags.BoolVar(&f.list, "list", false, "")
	flags.BoolVar(&f.fuzz, "fuzz", false, "")
	flags.DurationVar(&f.fuzzOptions.Time, "time", time.Minute, "")
	flags.Uint64Var(&f.fuzzOptions.Seed, "fuzz-seed", uint64(time.Now().UnixNano()%1_000_000), "")
	if err := flags.Parse(args); err != nil {
		return f, err
	}
	if flags.NArg() > 0 {
		return f, fmt.Errorf("svc conformance takes no arguments, only flags: %q", flags.Arg(0))
	}
	f.options.Level = conformance.Level(f.level)
	if f.options.Level != conformance.Read && f.options.Level != conformance.Write {
		return f, fmt.Errorf("--level %q: use read or write", f.level)
	}
	for word := range strings.SplitSeq(f.only, ",") {
		if word = strings.TrimSpace(word); word != "" {
			f.options.Only = append(f.options.Only, word)
		}
	}
	return f, nil
}

// testConformance runs svc conformance.
func testConformance(ctx context.Context, args []string, out io.Writer) error {
	f, err := parseConformance(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err := io.WriteString(out, conformanceUsage)
		return err
	case err != nil:
		return exitError{2, fmt.Errorf("%w\n\n%s", err, conformanceUsage)}
	case f.list:
		conformance.WriteList(out, f.options.Only, f.options.Level)
		return nil
	}
	report, err := f.run(ctx, out)
	if report == nil {
		return exitError{2, err}
	}
	report.WriteText(out, f.verbose)
	if f.coverage {
		fmt.Fprintln(out)
		report.WriteCoverage(out, false)
	}
	if problem := errors.Join(writeFile(f.junit, report.WriteJUnit), writeFile(f.json, report.WriteJSON)); problem != nil {
		return exitError{2, problem}
	}
	switch {
	case err != nil:
		return exitError{2, fmt.Errorf("the run was interrupted: %w", err)}
	case !report.OK():
		return exitError{1, fmt.Errorf("%d checks failed", report.Failed)}
	case report.Passed == 0:
		return exitError{2, errors.New("nothing was tested; svc conformance --list prints the checks")}
	}
	return nil
}

// maxAnswerTime is how long an answer to a generated request may take.
const maxAnswerTime = 30 * time.Second

// run runs the tests.
func (f conformanceFlags) run(ctx context.Context, out io.Writer) (*conformance.Report, error) {
	if !f.fuzz {
		return conformance.Run(ctx, f.options)
	}
	f.fuzzOptions.Limit = maxAnswerTime
	fmt.Fprintf(out, "Generated requests for %s; --fuzz-seed %d repeats them.\n\n", f.fuzzOptions.Time, f.fuzzOptions.Seed)
	return conformance.Fuzz(ctx, f.options, f.fuzzOptions)
}

// writeFile writes a report to a file, if one is named.
func writeFile(path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}
