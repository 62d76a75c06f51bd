package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	usersPath   = "/api/v4/users"
	atOnce      = 16 // requests under way in the rows on many users
	mostGrowth  = 1.3
	searchLimit = 2 * time.Millisecond
)

// line is one request on many rows: what svc is asked, and the floor for it. Rows on projects are lines, too.
type line struct {
	label      string
	svc, floor [][]byte // asked in turn
	same       bool     // whether both must answer the same
	found      struct{ svc, floor measured }
}

func (l *line) ratio() float64 { return float64(l.found.svc.cpu) / float64(l.found.floor.cpu) }

// floorPage is what the floor is asked for a page behind an id.
func floorPage(behind int) []byte {
	return rawAs(personToken, http.MethodGet, fmt.Sprintf("%s?behind=%d", usersPath, behind), "")
}

func usersLine(label, query string, behind int, same bool) *line {
	return &line{label: label, svc: [][]byte{rawAs(personToken, http.MethodGet, usersPath+"?"+query, "")}, floor: [][]byte{floorPage(behind)}, same: same}
}

// pageLines are keyset pages: the first, one in the middle and one near the end.
func (c *crowd) pageLines() []*line {
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

// searchTerms are common, rare and unknown, short and long, and what means something to a database.
var searchTerms = []string{"a", "us", "user", "ann", "an", "schmidt", "quixote", "r Sch", "anna schmidt", "user.9999", "samuel fischer nobody", "zzzzz", "%", "ü", "müller", "user.5@example.com"}

func searchLines() []*line {
	var lines []*line
	for _, term := range searchTerms {
		lines = append(lines, usersLine("search "+term, "search="+url.QueryEscape(term), 1<<50, false))
	}
	return lines
}

// benchPeople measures lists of users on few and on many rows.
func benchPeople(ctx context.Context, o options, kind, folder string, rep *report) error {
	if !o.anyOf("people", "projects", "search", "passwords") {
		return nil
	}
	sizes := []int{fewPeople, manyPeople}
	if o.million {
		sizes = append(sizes, millionPeople)
	}
	people, projects := map[int][]*line{}, map[int][]*line{}
	for _, users := range sizes {
		found, err := benchCrowd(ctx, o, kind, folder, users, rep)
		if err != nil {
			return err
		}
		people[users], projects[users] = found.people, found.projects
	}
	if o.rows["people"] {
		rep.flatness(kind, "users", sizes, people)
	}
	if o.rows["projects"] {
		rep.flatness(kind, "projects", sizes, projects)
	}
	return nil
}

// pages are the keyset pages of one size.
type pages struct{ people, projects []*line }

func benchCrowd(ctx context.Context, o options, kind, folder string, users int, rep *report) (found pages, err error) {
	began := time.Now()
	c, err := newCrowd(ctx, o, kind, folder, users)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	svc, err := startSvc(ctx, o.svc, c.dataCopy)
	if err != nil {
		return found, err
	}
	defer svc.stop()
	bare, err := startFloor(ctx, c.dataCopy)
	if err != nil {
		return found, err
	}
	defer bare.stop()
	rep.placeHeading(c.place, fmt.Sprintf("%d users", users), time.Since(began))
	if o.rows["people"] {
		found.people = c.pageLines()
		lines := append(slices.Clone(found.people), usersLine("offset page, first", "page=1", 1<<50, true), usersLine("offset page, 100th", "page=100", users-100*20, false))
		if err := c.measureLines(ctx, o, lines, svc, bare, rep); err != nil {
			return found, err
		}
	}
	if o.rows["projects"] {
		if found.projects, err = c.benchProjects(ctx, o, svc, bare, rep); err != nil {
			return found, err
		}
	}
	if users != manyPeople {
		return found, nil
	}
	if o.rows["people"] {
		rep.pages(kind, "users", found.people)
	}
	if o.rows["search"] {
		lines := searchLines()
		if err := c.measureLines(ctx, o, lines, svc, bare, rep); err != nil {
			return found, err
		}
		rep.searches(kind, lines)
	}
	if o.rows["passwords"] {
		return found, passwords(ctx, o, kind, svc, rep)
	}
	return found, nil
}

func (c *place) measureLines(ctx context.Context, o options, lines []*line, svc, bare *process, rep *report) error {
	for _, l := range lines {
		if err := l.check(svc, bare); err != nil {
			return fmt.Errorf("%s: %w", l.label, err)
		}
		for round := range min(o.rounds, 4) + 1 { // the first warms up
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
		rep.line(l)
	}
	return nil
}

// check makes sure that the floor does the work that it is the floor of, and that svc answers at all.
func (l *line) check(svc, bare *process) error {
	want, _, err := answer(svc, l.svc[0])
	if err != nil {
		return err
	}
	got, _, err := answer(bare, l.floor[0])
	if err != nil {
		return err
	}
	if l.same && !bytes.Equal(got, want) {
		return fmt.Errorf("the answers differ:\nfloor: %s\nsvc:   %s", got, want)
	}
	return nil
}

func (r *report) placeHeading(c *place, holds string, took time.Duration) {
	columns := fmt.Sprintf("%7s %8s %8s %8s", "req/s", "CPU µs", "p50 ms", "p99 ms")
	fmt.Fprintf(r.out, "\n%s, %s (filled in %.0f s), %d at once; CPU with the database's\n", label(c.kind), holds, took.Seconds(), atOnce)
	fmt.Fprintf(r.out, "%-28s | %-34s | %-34s | CPU\n", "", "floor", "svc")
	fmt.Fprintf(r.out, "%-28s | %s | %s | svc/floor\n", "request", columns, columns)
}

func (r *report) line(l *line) {
	columns := func(m *measured) string {
		return fmt.Sprintf("%7.0f %8.1f %8.3f %8.3f", m.perSecond(), micros(m.cpu), millis(m.percentile(50)), millis(m.percentile(99)))
	}
	fmt.Fprintf(r.out, "%-28s | %s | %s | %5.2f\n", l.label, columns(&l.found.floor), columns(&l.found.svc), l.ratio())
}

func (r *report) pages(kind, what string, lines []*line) {
	holds := true
	var found []string
	for _, l := range lines {
		holds = holds && l.ratio() <= mostRatio
		found = append(found, fmt.Sprintf("%.2f", l.ratio()))
	}
	r.number(holds, "keyset page of 20 of 100,000 "+what+" at most 2 x the floor, "+label(kind), strings.Join(found, ", "))
}

func (r *report) searches(kind string, lines []*line) {
	r.atMost(kind, "search among 100,000 users at most 2 ms CPU", searchLimit, lines)
}

// flatness compares the dearest page among many users with the cheapest among few.
func (r *report) flatness(kind, what string, sizes []int, pages map[int][]*line) {
	few := pages[sizes[0]][0].found.svc.cpu
	for _, l := range pages[sizes[0]] {
		few = min(few, l.found.svc.cpu)
	}
	for _, users := range sizes[1:] {
		var most time.Duration
		for _, l := range pages[users] {
			most = max(most, l.found.svc.cpu)
		}
		growth := float64(most) / float64(few)
		r.number(growth <= mostGrowth, fmt.Sprintf("keyset page as flat as 1.3 from %d to %d %s, %s", sizes[0], users, what, label(kind)), fmt.Sprintf("%.2f", growth))
	}
}
