package conformance

import (
	"context"
	"fmt"
	"time"
)

// discover finds things that the token can read, for cases that must not create any. What the installation does not have
// stays without a value, and the cases that need it are skipped.
func (s *suite) discover(ctx context.Context) error {
	session := s.session("preparation", "discovery")
	session.values = s.values
	now := time.Now().UTC()
	s.values.set("missing", noSuchID)
	s.values.set("prefix", "conformance-nothing")
	s.values.set("key_prefix", "CONFORMANCE_NOTHING")
	s.values.set("today", now.Format(time.DateOnly))
	s.values.set("yesterday", now.AddDate(0, 0, -1).Format(time.DateOnly))
	for _, find := range []struct{ name, send, member string }{
		{"project", "GET /projects?simple=true&per_page=1&order_by=id&sort=asc", "0.id"},
		{"project_path", "GET /projects?simple=true&per_page=1&order_by=id&sort=asc", "0.path_with_namespace"},
		{"group", "GET /groups?per_page=1", "0.id"},
		{"group_path", "GET /groups?per_page=1", "0.full_path"},
		{"pipeline", "GET /projects/<project>/pipelines?per_page=1", "0.id"},
		{"job", "GET /projects/<project>/jobs?per_page=1", "0.id"},
		{"project_with_code", "GET /projects?per_page=100&order_by=id&sort=asc", "0.id"},
		{"code_sha", "GET /projects/<project_with_code>/repository/commits?per_page=1", "0.id"},
	} {
		r, err := session.request(Case{Send: find.send})
		if err != nil {
			s.values.lack(find.name, "the installation has none that the token can read")
			continue
		}
		a, err := s.client.send(ctx, r)
		if err != nil {
			return fmt.Errorf("%s: %w", find.send, err)
		}
		if find.name == "project_with_code" {
			a.JSON = withCode(a.JSON)
		}
		if found := a.Member(find.member); found != "" && a.Status == 200 {
			s.values.set(find.name, found)
		} else {
			s.values.lack(find.name, "the installation has none that the token can read")
		}
	}
	return nil
}

// withCode returns the projects of a list whose repositories have commits.
func withCode(list any) any {
	var found []any
	rows, _ := list.([]any)
	for _, row := range rows {
		if empty, _ := member(row, "empty_repo"); empty == false {
			found = append(found, row)
		}
	}
	return found
}
