package conformance

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteText writes a report for people: the areas, every failure with its request and answer, and what was skipped.
func (r *Report) WriteText(w io.Writer, verbose bool) {
	area := ""
	for i, result := range r.Results {
		if result.Area != area {
			area = result.Area
			passed, failed, skipped := countArea(r.Results[i:], area)
			fmt.Fprintf(w, "%-26s %4d passed  %3d failed  %3d skipped\n", area, passed, failed, skipped)
		}
		if verbose {
			fmt.Fprintf(w, "  %-7s %s: %s\n", result.Outcome, result.Scenario, result.Promise)
		}
	}
	r.writeFailures(w)
	r.writeSkipped(w)
	for _, left := range r.Leftovers {
		fmt.Fprintf(w, "\nNot deleted: %s\n", left)
	}
	fmt.Fprintf(w, "\n%d passed, %d failed, %d skipped; %d requests in %s.\n", r.Passed, r.Failed, r.Skipped, r.Requests,
		r.Took.Round(100*time.Millisecond))
	r.writeCoverageLine(w)
}

func countArea(results []Result, area string) (passed, failed, skipped int) {
	for _, result := range results {
		switch {
		case result.Area != area:
		case result.Outcome == Passed:
			passed++
		case result.Outcome == Failed:
			failed++
		default:
			skipped++
		}
	}
	return passed, failed, skipped
}

func (r *Report) writeFailures(w io.Writer) {
	n := 0
	for _, result := range r.Results {
		if result.Outcome != Failed {
			continue
		}
		n++
		fmt.Fprintf(w, "\nFailure %d: %s, %s\n  promise   %s\n", n, result.Area, result.Scenario, result.Promise)
		for _, problem := range result.Problems {
			fmt.Fprintf(w, "  problem   %s\n", indent(problem))
		}
		for _, part := range []struct{ name, text string }{
			{"contract", result.Contract}, {"request", result.Request}, {"answer", result.Answer},
		} {
			if part.text != "" {
				fmt.Fprintf(w, "  %-9s %s\n", part.name, indent(part.text))
			}
		}
	}
}

// writeSkipped groups what was skipped by its reason.
func (r *Report) writeSkipped(w io.Writer) {
	var reasons []string
	count := map[string]int{}
	for _, result := range r.Results {
		if result.Outcome == Skipped {
			if count[result.Reason] == 0 {
				reasons = append(reasons, result.Reason)
			}
			count[result.Reason]++
		}
	}
	for _, reason := range reasons {
		fmt.Fprintf(w, "\nSkipped %d: %s\n", count[reason], indent(reason))
	}
}

func (r *Report) writeCoverageLine(w io.Writer) {
	if r.Level == "fuzz" {
		return
	}
	covered, complete, total := 0, 0, 0
	for _, row := range r.Coverage {
		if row.Section == "" {
			continue
		}
		total++
		if row.Good+row.Refusals > 0 {
			covered++
		}
		if row.Good > 0 && row.Refusals >= 2 {
			complete++
		}
	}
	fmt.Fprintf(w, "Of %d operations of the contract %d were called; %d of them with a good case and two refusals or more.\n",
		total, covered, complete)
}

// WriteCoverage writes the number of checks of each operation. With all it includes operations outside of the contract.
func (r *Report) WriteCoverage(w io.Writer, all bool) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "good\trefusals\tfailed\tskipped\toperation\trequest")
	for _, row := range r.Coverage {
		if row.Section != "" || all {
			fmt.Fprintf(table, "%d\t%d\t%d\t%d\t%s\t%s\n", row.Good, row.Refusals, row.Failed, row.Skipped, row.Operation, row.Request)
		}
	}
	table.Flush()
}

// WriteList writes every case, without running any. Words select cases as --only does.
func WriteList(w io.Writer, only []string, level Level) {
	for _, area := range Areas() {
		for _, scenario := range area.Scenarios {
			for _, c := range scenario.Cases {
				if !Selects(only, area, scenario, c) || (level == Read && !c.Reads) {
					continue
				}
				operation := c.Operation
				if route := routeOf(c); route != nil {
					operation = route.Op.OperationID
				}
				fmt.Fprintf(w, "%s / %s / %s [%s] %s\n", area.Name, scenario.Name, c.Promise, operation, refusals(c))
			}
		}
	}
}

// refusals returns the callers that a case refuses, for the list.
func refusals(c Case) string {
	if len(c.Refused) == 0 {
		return ""
	}
	var parts []string
	for _, caller := range []Caller{Anonymous, Outsider, Guest, Reporter, Developer, Maintainer, Owner} {
		if status, ok := c.Refused[caller]; ok {
			parts = append(parts, fmt.Sprintf("%s %d", caller, status))
		}
	}
	return "refuses " + strings.Join(parts, ", ")
}

func indent(s string) string {
	return strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n            ")
}
