package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

const (
	usersPath   = "/api/v4/users"
	atOnce      = 16 // concurrent requests in the rows with many users
	searchLimit = 2 * time.Millisecond
)

// line is one request on many rows: to svc, and the one to the floor that it is compared with.
type line struct {
	label      string
	svc, floor [][]byte // sent in turn
	same       bool     // whether both must give the same answer
	found      struct{ svc, floor measured }
}

func (l *line) ratio() float64 { return l.found.svc.over(&l.found.floor).median }

// floorPage returns the request to the floor for a page of users with ids below behind.
func floorPage(behind int) []byte {
	return rawAs(personToken, http.MethodGet, fmt.Sprintf("%s?behind=%d", usersPath, behind), "")
}

func usersLine(label, query string, behind int, same bool) *line {
	return &line{
		label: label, svc: [][]byte{rawAs(personToken, http.MethodGet, usersPath+"?"+query, "")},
		floor: [][]byte{floorPage(behind)}, same: same,
	}
}

// pageLines returns keyset pages: the first, one in the middle and one near the end.
func (c *userDatabase) pageLines() []*line {
	const all = 1 << 50
	lines := []*line{usersLine("keyset page, first", "pagination=keyset", all, true)}
	for _, at := range []struct {
		name string
		id   int
	}{{"middle", c.users / 2}, {"end", 100}} {
		cursor := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"_kd":"n","id":"%d"}`, at.id))
		lines = append(lines, usersLine("keyset page, "+at.name, "pagination=keyset&cursor="+cursor, at.id, true))
	}
	return lines
}

// searchTerms are common, rare and unknown, short and long, and some contain characters that are special in SQL.
var searchTerms = []string{
	"a", "us", "user", "ann", "an", "schmidt", "quixote", "r Sch", "anna schmidt", "user.9999", "samuel fischer nobody",
	"zzzzz", "%", "ü", "müller", "user.5@example.com",
}

func searchLines() []*line {
	var lines []*line
	for _, term := range searchTerms {
		lines = append(lines, usersLine("search "+term, "search="+url.QueryEscape(term), 1<<50, false))
	}
	return lines
}

// benchPeople measures lists of many users and projects.
func benchPeople(ctx context.Context, o options, kind, folder string, rep *report) error {
	if !o.anyOf("people", "projects", "search", "passwords") {
		return nil
	}
	many, err := serveUsers(ctx, o, kind, folder, manyPeople, rep)
	if err != nil {
		return err
	}
	defer many.close()
	for _, what := range slices.Sorted(maps.Keys(many.pages)) {
		rep.pages(kind, what, many.pages[what])
	}
	if err := many.measureLimited(ctx, o, rep); err != nil {
		return err
	}
	if o.rows["passwords"] {
		return passwords(ctx, o, kind, many.svc, rep)
	}
	return nil
}

// measureLimited measures the lines with a fixed limit. It uses twice as many rounds as for other lines, because the best
// round counts.
func (g *servedUsers) measureLimited(ctx context.Context, o options, rep *report) error {
	var lists, searches []*line
	if o.rows["projects"] {
		lists = listLines()
	}
	if o.rows["search"] {
		searches = searchLines()
	}
	o.rounds *= 2
	if err := g.measureLines(ctx, o, slices.Concat(lists, searches), g.svc, g.bare, rep); err != nil {
		return err
	}
	for _, l := range lists {
		rep.atMost(g.kind, l.label+", at most 1.5 ms CPU", listLimit, []*line{l})
	}
	rep.atMost(g.kind, "search among 100,000 users at most 2 ms CPU", searchLimit, searches)
	return nil
}

// servedUsers is a crowd with the programs that serve it, and with its keyset pages by resource.
type servedUsers struct {
	*userDatabase
	svc, bare *process
	pages     map[string][]*line
}

// serveUsers creates a crowd, starts the programs and measures the pages.
func serveUsers(ctx context.Context, o options, kind, folder string, users int, rep *report) (g *servedUsers, err error) {
	began := time.Now()
	c, err := newUserDatabase(ctx, o, kind, folder, "users", users)
	if err != nil {
		return nil, err
	}
	if err := c.fillPeople(ctx, o); err != nil {
		return nil, errors.Join(err, c.remove())
	}
	g = &servedUsers{userDatabase: c, pages: map[string][]*line{}}
	defer func() {
		if err != nil {
			g.close()
		}
	}()
	if g.svc, err = startSvc(ctx, o.svc, c.dataCopy); err != nil {
		return nil, err
	}
	if g.bare, err = startFloor(ctx, c.dataCopy); err != nil {
		return nil, err
	}
	rep.lineHeading(c.filledDatabase, fmt.Sprintf("%d users", users), time.Since(began))
	if o.rows["people"] {
		g.pages["users"] = c.pageLines()
		lines := append(slices.Clone(g.pages["users"]), usersLine("offset page, first", "page=1", 1<<50, true), usersLine(
			"offset page, 100th", "page=100", users-100*20, false,
		))
		if err := c.measureLines(ctx, o, lines, g.svc, g.bare, rep); err != nil {
			return nil, err
		}
	}
	if o.rows["projects"] {
		g.pages["projects"] = c.projectLines()
		if err := c.measureLines(ctx, o, g.pages["projects"], g.svc, g.bare, rep); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// close stops the programs and removes the database.
func (g *servedUsers) close() {
	for _, p := range []*process{g.svc, g.bare} {
		if p != nil {
			p.stop()
		}
	}
	if err := g.remove(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
}

// measureLines measures all lines in each round, because the speed of a machine changes from minute to minute.
func (c *filledDatabase) measureLines(ctx context.Context, o options, lines []*line, svc, bare *process, rep *report) error {
	for _, l := range lines {
		if err := l.check(svc, bare); err != nil {
			return fmt.Errorf("%s: %w", l.label, err)
		}
	}
	for round := range o.rounds + 1 { // the first round warms up
		for _, l := range lines {
			for _, side := range []struct {
				p   *process
				raw [][]byte
				to  *measured
			}{{bare, l.floor, &l.found.floor}, {svc, l.svc, &l.found.svc}} {
				m, err := c.measure(ctx, side.p, side.raw, o.duration/2)
				if err != nil {
					return fmt.Errorf("%s: %w", l.label, err)
				}
				if round > 0 {
					side.to.add(m)
				}
			}
		}
	}
	for _, l := range lines {
		rep.line(l)
		rep.note(c.kind, l.label, l.found.svc.over(&l.found.floor))
	}
	return nil
}

// check makes sure that the floor does the work that svc is compared with, and that svc answers at all.
func (l *line) check(svc, bare *process) error {
	want, _, err := answer(svc, withNumber(l.svc[0]))
	if err != nil {
		return err
	}
	got, _, err := answer(bare, withNumber(l.floor[0]))
	if err != nil {
		return err
	}
	if l.same && !bytes.Equal(got, want) {
		return fmt.Errorf("the answers differ:\nfloor: %s\nsvc:   %s", got, want)
	}
	return nil
}

func (r *report) lineHeading(c *filledDatabase, holds string, took time.Duration) {
	columns := fmt.Sprintf("%7s %8s %8s %8s", "req/s", "CPU µs", "p50 ms", "p99 ms")
	fmt.Fprintf(r.out, "\n%s, %s (filled in %.0f s), %d at once; CPU with the database's\n", label(c.kind), holds, took.Seconds(), atOnce)
	fmt.Fprintf(r.out, "%-50s | %-34s | %-34s | CPU\n", "", "floor", "svc")
	fmt.Fprintf(r.out, "%-50s | %s | %s | svc/floor\n", "request", columns, columns)
}

func (r *report) line(l *line) {
	columns := func(m *measured) string {
		return fmt.Sprintf("%7.0f %8.1f %8.3f %8.3f", m.perSecond(), micros(m.cpu), millis(m.percentile(50)), millis(m.percentile(99)))
	}
	fmt.Fprintf(r.out, "%-50s | %s | %s | %s\n", l.label, columns(&l.found.floor), columns(&l.found.svc), l.found.svc.over(&l.found.floor))
}

func (r *report) pages(kind, what string, lines []*line) {
	holds := true
	var found []string
	for _, l := range lines {
		holds = holds && l.ratio() <= maxRatio
		found = append(found, fmt.Sprintf("%.2f", l.ratio()))
	}
	r.number(holds, "keyset page of 20 of 100,000 "+what+" at most 2 x the floor, "+label(kind), strings.Join(found, ", "))
}
