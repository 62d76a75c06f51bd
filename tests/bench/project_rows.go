package main

import (
	"fmt"
	"net/http"
	"time"
)

const (
	projectsPath = "/api/v4/projects"
	listLimit    = 1500 * time.Microsecond
)

// projectsLine sends requests as the user of the token. The floor only accepts the user without memberships.
func projectsLine(label, token, query string, behind int, same bool) *line {
	return &line{
		label: label, same: same, svc: [][]byte{rawAs(token, http.MethodGet, projectsPath+"?"+query, "")},
		floor: [][]byte{rawAs(strangerToken, http.MethodGet, fmt.Sprintf("%s?behind=%d", projectsPath, behind), "")},
	}
}

// projectLines returns keyset pages: the first, one in the middle and one near the end.
func (c *userDatabase) projectLines() []*line {
	const all, query = 1 << 50, "order_by=id&pagination=keyset"
	lines := []*line{projectsLine("projects keyset, first", strangerToken, query, all, true)}
	for _, at := range []struct {
		name string
		id   int
	}{{"middle", c.users / 2}, {"end", 100}} {
		lines = append(lines, projectsLine(
			"projects keyset, "+at.name, strangerToken, fmt.Sprintf("%s&id_before=%d", query, at.id), at.id, true,
		))
	}
	return lines
}

// listLines returns lists of a user with 50 memberships.
func listLines() []*line {
	const all = 1 << 50
	return []*line{
		projectsLine("projects, 50 memberships", personToken, "", all, false),
		projectsLine("projects, membership=true", personToken, "membership=true", all, false),
		projectsLine("projects, page 50", personToken, "page=50", all, false),
	}
}

// atMost checks the CPU time of each line against a limit.
func (r *report) atMost(kind, what string, limit time.Duration, lines []*line) {
	if len(lines) == 0 {
		return
	}
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
		fmt.Sprintf(
			"%.2f ms at worst (%s, %.2f x the floor); %d of %d over", millis(worst.found.svc.cpu), worst.label,
			worst.ratio(), over, len(lines),
		))
}
