package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"svc/server/domain/doctor"
)

// doctorOutput prints the results of svc doctor.
type doctorOutput struct {
	out      io.Writer
	json     bool
	terminal bool // standard error is a terminal, so progress replaces its line
}

// progress shows how far a long check is, on standard error.
func (o doctorOutput) progress(text string) {
	if o.terminal {
		fmt.Fprintf(os.Stderr, "\r\x1b[K%s", text)
		return
	}
	if !o.json {
		fmt.Fprintln(os.Stderr, text)
	}
}

// result prints the result of one check.
func (o doctorOutput) result(r doctor.Result) {
	if o.terminal {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
	if o.json {
		return
	}
	note := r.Note
	switch r.Status {
	case doctor.StatusSkipped:
		note = r.Skipped
	case doctor.StatusError:
		note = r.Error
	}
	fmt.Fprintln(o.out, strings.TrimRight(fmt.Sprintf("%-8s %-13s %s", r.Status, r.Name, note), " "))
	for _, f := range r.Findings {
		fmt.Fprintf(o.out, "  %s: %s\n", f.Severity, f.Text)
		switch {
		case f.Fixed != "":
			fmt.Fprintf(o.out, "    fixed: %s\n", f.Fixed)
		case f.FixError != "":
			fmt.Fprintf(o.out, "    not fixed: %s\n    repair: %s\n", f.FixError, f.Repair)
		default:
			fmt.Fprintf(o.out, "    repair: %s\n", f.Repair)
		}
	}
	if r.Omitted > 0 {
		fmt.Fprintf(o.out, "  and %d more\n", r.Omitted)
	}
}

// doctorReport is the output of svc doctor --json.
type doctorReport struct {
	ExitStatus int `json:"exit_status"`
	doctor.Report
}

// end prints the end of the report.
func (o doctorOutput) end(r doctor.Report) error {
	if o.json {
		return printJSON(o.out, doctorReport{r.ExitStatus(), r})
	}
	if r.ExitStatus() == 0 {
		return printLine(o.out, "%s", summary(r))
	}
	return nil // the error says it
}

// summary counts the results.
func summary(r doctor.Report) string {
	parts := []string{fmt.Sprintf("%d checks", len(r.Checks))}
	for _, one := range []struct{ status, text string }{
		{doctor.StatusProblem, "with problems"},
		{doctor.StatusWarning, "with warnings"},
		{doctor.StatusSkipped, "skipped"},
		{doctor.StatusError, "could not finish"},
	} {
		if n := r.Count(one.status); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, one.text))
		}
	}
	if len(parts) == 1 {
		return parts[0] + ", nothing is wrong"
	}
	return strings.Join(parts, ", ")
}
