package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

const (
	projectsPath = "/api/v4/projects"
	listLimit    = 1500 * time.Microsecond
)

// projectsLine asks as a user without memberships, whom the floor knows, or as the one with many.
func projectsLine(label, token, query string, behind int, same bool) *line {
	return &line{
		label: label, same: same, svc: [][]byte{rawAs(token, http.MethodGet, projectsPath+"?"+query, "")},
		floor: [][]byte{rawAs(strangerToken, http.MethodGet, fmt.Sprintf("%s?behind=%d", projectsPath, behind), "")},
	}
}

// projectLines are keyset pages: the first, one in the middle and one near the end.
func (c *crowd) projectLines() []*line {
	const all, query = 1 << 50, "order_by=id&pagination=keyset"
	lines := []*line{projectsLine("projects keyset, first", strangerToken, query, all, true)}
	for _, at := range []struct {
		name string
		id   int
	}{{"middle", c.users / 2}, {"end", 100}} {
		lines = append(lines, projectsLine("projects keyset, "+at.name, strangerToken, fmt.Sprintf("%s&id_before=%d", query, at.id), at.id, true))
	}
	return lines
}

// benchProjects measures keyset pages of projects and, among many, lists of a user with 50 memberships.
func (c *crowd) benchProjects(ctx context.Context, o options, svc, bare *process, rep *report) ([]*line, error) {
	pages := c.projectLines()
	if err := c.measureLines(ctx, o, pages, svc, bare, rep); err != nil || c.users != manyPeople {
		return pages, err
	}
	rep.pages(c.kind, "projects", pages)
	const all = 1 << 50
	lists := []*line{
		projectsLine("projects, 50 memberships", personToken, "", all, false),
		projectsLine("the same, membership=true", personToken, "membership=true", all, false),
		projectsLine("the same, page 50", personToken, "page=50", all, false),
	}
	if err := c.measureLines(ctx, o, lists, svc, bare, rep); err != nil {
		return pages, err
	}
	rep.atMost(c.kind, "projects of a user with 50 memberships at most 1.5 ms CPU", listLimit, lists)
	return pages, nil
}

// atMost judges the CPU time of each line.
func (r *report) atMost(kind, what string, limit time.Duration, lines []*line) {
	worst, over := lines[0], 0
	for _, l := range lines {
		if l.found.svc.cpu > worst.found.svc.cpu {
			worst = l
		}
		if l.found.svc.cpu > limit {
			over++
		}
	}
	r.number(over == 0, what+", "+label(kind),
		fmt.Sprintf("%.2f ms at worst (%s); %d of %d over", millis(worst.found.svc.cpu), worst.label, over, len(lines)))
}
