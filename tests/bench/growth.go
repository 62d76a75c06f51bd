package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"
)

const maxGrowth = 1.3 // CPU of a page with many rows, relative to the same page with few

// growing is a kind of rows, with the pages that must cost the same with few and with many of them. Lists without keyset
// pagination have their first and hundredth pages.
type growing struct {
	what  string
	fill  func(ctx context.Context, c *userDatabase, program string) error
	pages func(c *userDatabase) []*line
}

// growths returns the kinds in the order in which they are filled in: all the others belong to the first project.
func growths() []growing {
	statements := func(some func(c *filledDatabase, rows int) []string) func(context.Context, *userDatabase, string) error {
		return func(ctx context.Context, c *userDatabase, _ string) error {
			return c.run(ctx, some(c.filledDatabase, c.users))
		}
	}
	return []growing{
		{"users", func(ctx context.Context, c *userDatabase, _ string) error { return c.fill(ctx) }, (*userDatabase).pageLines},
		{"projects", func(ctx context.Context, c *userDatabase, program string) error {
			return c.fillProjects(ctx, program)
		}, (*userDatabase).projectLines},
		{"issues", fillGrowingIssues, func(*userDatabase) []*line { return numberedPages("/api/v4/projects/1/issues") }},
		{"jobs", statements((*filledDatabase).jobStatements), func(c *userDatabase) []*line { return keysetPages(jobsPath, c.users) }},
		{"events", statements((*filledDatabase).eventStatements), func(*userDatabase) []*line { return numberedPages(eventsPath) }},
		{"audit events", statements((*filledDatabase).auditStatements), func(c *userDatabase) []*line {
			return keysetPages(auditPath, c.users)
		}},
	}
}

// keysetPages returns the first keyset page of a list as the administrator reads it, one in the middle and one near the end.
func keysetPages(path string, rows int) []*line {
	const query = "?pagination=keyset&order_by=id&sort=desc"
	lines := []*line{{label: "keyset, first", svc: [][]byte{rawRequest(http.MethodGet, path+query, "")}}}
	for _, at := range []struct {
		name string
		id   int
	}{{"middle", rows / 2}, {"end", 100}} {
		cursor := "&cursor=" + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"_kd":"n","id":"%d"}`, at.id))
		lines = append(lines, &line{label: "keyset, " + at.name, svc: [][]byte{rawRequest(http.MethodGet, path+query+cursor, "")}})
	}
	return lines
}

func numberedPages(path string) []*line {
	var lines []*line
	for _, page := range []int{1, 100} {
		raw := rawRequest(http.MethodGet, fmt.Sprintf("%s?page=%d", path, page), "")
		lines = append(lines, &line{label: fmt.Sprintf("page %d", page), svc: [][]byte{raw}})
	}
	return lines
}

// fillGrowingIssues adds the issue and the label that the others copy, and then the others.
func fillGrowingIssues(ctx context.Context, c *userDatabase, program string) error {
	for path, body := range map[string]string{"/issues": `{"title":"First"}`, "/labels": `{"name":"label1","color":"#112233"}`} {
		if err := c.ask(ctx, program, http.MethodPost, projectsPath+"/1"+path, body, http.StatusCreated); err != nil {
			return err
		}
	}
	return c.run(ctx, c.issueStatements(c.users))
}

// grown is a database with as many rows of each kind, and svc on it.
type grown struct {
	*userDatabase
	svc   *process
	pages [][]*line // by kind
}

// benchGrowth compares pages of lists with 20,000 rows of each kind with the same pages with 100,000 rows, and with the flag
// -million also with 1,000,000. It prints how many bytes of the database a row takes.
func benchGrowth(ctx context.Context, o options, kind, folder string, rep *report) error {
	if !o.rows["growth"] {
		return nil
	}
	sizes := []int{manyPeople}
	if o.million {
		sizes = append(sizes, millionPeople)
	}
	few, err := newGrown(ctx, o, kind, folder, fewPeople, rep)
	if err != nil {
		return err
	}
	defer few.close()
	for _, rows := range sizes {
		many, err := newGrown(ctx, o, kind, folder, rows, rep)
		if err != nil {
			return err
		}
		err = compareGrowth(ctx, o, few, many, rep)
		many.close()
		if err != nil {
			return err
		}
	}
	return nil
}

// newGrown fills a database and starts svc on it.
func newGrown(ctx context.Context, o options, kind, folder string, rows int, rep *report) (g *grown, err error) {
	c, err := newUserDatabase(ctx, o, kind, folder, fmt.Sprintf("growth_%d", rows), rows)
	if err != nil {
		return nil, err
	}
	g = &grown{userDatabase: c}
	defer func() {
		if err != nil {
			g.close()
		}
	}()
	fmt.Fprintf(rep.out, "\n%s, %d rows of each kind: bytes of the database for a row, with its indexes\n", label(kind), rows)
	for _, one := range growths() {
		began := time.Now()
		before, err := c.size(ctx)
		if err != nil {
			return nil, err
		}
		if err := one.fill(ctx, c, o.svc); err != nil {
			return nil, fmt.Errorf("fill in %d %s: %w", rows, one.what, err)
		}
		after, err := c.size(ctx)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(rep.out, "%-14s %7.0f (filled in %.0f s)\n", one.what, float64(after-before)/float64(rows), time.Since(began).Seconds())
		g.pages = append(g.pages, one.pages(c))
	}
	if err := c.analyseAll(ctx); err != nil {
		return nil, err
	}
	g.svc, err = startSvc(ctx, o.svc, c.dataCopy)
	return g, err
}

func (g *grown) close() {
	if g.svc != nil {
		g.svc.stop()
	}
	if err := errors.Join(g.remove(), os.RemoveAll(g.folder)); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
}

// size returns the bytes of the database's file, or of its tables and indexes.
func (c *filledDatabase) size(ctx context.Context) (bytes int64, err error) {
	query := "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
	if c.kind == postgres {
		query = "SELECT pg_database_size(current_database())"
	}
	err = c.sql.QueryRowContext(ctx, query).Scan(&bytes)
	return bytes, err
}

// analyseAll collects statistics of all tables.
func (c *filledDatabase) analyseAll(ctx context.Context) error {
	if c.kind == postgres {
		return c.run(ctx, []string{"VACUUM (ANALYZE)"})
	}
	return c.analyse(ctx)
}

// compareGrowth measures each page with few and with many rows by turns, because the speed of a machine changes from minute to
// minute. The least CPU time of each counts: noise only adds.
func compareGrowth(ctx context.Context, o options, few, many *grown, rep *report) error {
	for i, one := range growths() {
		what, grew := fmt.Sprintf("pages of %d %s", many.users, one.what), spread{}
		found := make([][2]measured, len(few.pages[i]))
		for round := range o.rounds + 1 { // the first round warms up
			for j := range found {
				for side, g := range []*grown{few, many} {
					m, err := g.measure(ctx, g.svc, g.pages[i][j].svc, o.duration/2)
					if err != nil {
						return fmt.Errorf("%s, %s: %w", one.what, g.pages[i][j].label, err)
					}
					if round > 0 {
						found[j][side].add(m)
					}
				}
			}
		}
		for j, page := range found {
			fmt.Fprintf(rep.out, "%-14s %-24s %8.1f µs CPU with %d, %8.1f with %d\n", one.what, few.pages[i][j].label,
				micros(page[0].cpu), few.users, micros(page[1].cpu), many.users)
			if r := overOnce(page[1].cpu, page[0].cpu); r.median > grew.median {
				grew = r
			}
		}
		rep.compared(few.kind, "CPU of "+what, fmt.Sprintf("the same with %d", few.users), grew, maxGrowth, "the page that grew most")
	}
	return nil
}
