package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

const (
	maxRatio = 2.0  // CPU per request of svc, relative to the floor
	maxTail  = 10.0 // p99, relative to p50
	tailAt   = 64   // the concurrency at which the tail counts
)

// cell is one line of the table: a request at a concurrency, on both servers.
type cell struct {
	kind        string
	request     request
	concurrency int
	floor, svc  measured
}

func (c *cell) ratio() float64 { return c.svc.over(&c.floor).median }

// verdict is a promised number, the measured one, and whether the promise holds.
type verdict struct {
	holds       bool
	what, found string
}

// report prints lines as they are measured and collects the verdicts for the end.
type report struct {
	out      io.Writer
	cells    []*cell
	verdicts []verdict
	found    ratios
}

func (r *report) heading(kind string) {
	columns := fmt.Sprintf("%7s %7s %8s %8s %6s", "req/s", "CPU µs", "p50 ms", "p99 ms", "99/50")
	fmt.Fprintf(r.out, "\n%-15s | %-40s | %-40s | %s\n", label(kind), "floor", "svc", "CPU")
	fmt.Fprintf(r.out, "%-11s %3s | %s | %s | svc/floor\n", "request", "at", columns, columns)
}

func (r *report) cell(c *cell) {
	over := c.svc.over(&c.floor)
	fmt.Fprintf(r.out, "%-11s %3d | %s | %s | %s\n", c.request.label, c.concurrency, columns(&c.floor), columns(&c.svc), over)
	r.cells = append(r.cells, c)
	r.note(c.kind, fmt.Sprintf("%s at %d", c.request.label, c.concurrency), over)
}

func columns(m *measured) string {
	p50, p99 := m.percentile(50), m.percentile(99)
	return fmt.Sprintf("%7.0f %7.1f %8.3f %8.3f %6.1f", m.perSecond(), micros(m.cpu), millis(p50), millis(p99), tail(m))
}

func tail(m *measured) float64 { return float64(m.percentile(99)) / float64(m.percentile(50)) }

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (r *report) number(holds bool, what, found string) {
	r.verdicts = append(r.verdicts, verdict{holds, what, found})
}

// summary prints for each promised number whether it holds in this run.
func (r *report) summary() {
	r.ratios()
	fmt.Fprintf(r.out, "\nThe promised numbers\n")
	failed := 0
	for _, v := range r.verdicts {
		word := "holds"
		if !v.holds {
			word = "FAILS"
			failed++
		}
		fmt.Fprintf(r.out, "  %s  %-66s %s\n", word, v.what, v.found)
	}
	fmt.Fprintf(r.out, "%d of %d hold.\n", len(r.verdicts)-failed, len(r.verdicts))
}

// ratios judges the table: one verdict on CPU and one on the tail for each database and request.
func (r *report) ratios() {
	for i := 0; i < len(r.cells); {
		first, n := r.cells[i], 1
		for i+n < len(r.cells) && r.cells[i+n].kind == first.kind && r.cells[i+n].request.row == first.request.row {
			n++
		}
		r.judge(r.cells[i : i+n])
		i += n
	}
}

// within judges many lines at once and names those that cost more than allowed.
func (r *report) within(lines []*line, most float64, what, kind string) {
	over := []string{}
	for _, l := range lines {
		if l.ratio() > most {
			over = append(over, fmt.Sprintf("%s %.2f", l.label, l.ratio()))
		}
	}
	r.number(len(over) == 0, fmt.Sprintf("%d %s at most %g x the floor, %s", len(lines), what, most, label(kind)),
		fmt.Sprintf("%d over: %s", len(over), strings.Join(over, ", ")))
}

func (r *report) judge(cells []*cell) {
	name := cells[0].request.label + ", " + label(cells[0].kind)
	holds, most := true, maxRatio
	if cells[0].request.row == "update" {
		most = maxWriteRatio
	}
	found := make([]string, len(cells))
	for i, c := range cells {
		holds = holds && c.ratio() <= most
		found[i] = fmt.Sprintf("%.2f at %d", c.ratio(), c.concurrency)
	}
	r.number(holds, fmt.Sprintf("%s: CPU at most %g x the floor's", name, most), strings.Join(found, ", "))
	for _, c := range cells {
		if c.concurrency == tailAt {
			r.number(tail(&c.svc) <= maxTail, name+": p99 at most 10 x p50 at 64", fmt.Sprintf("%.1f", tail(&c.svc)))
		}
	}
}
