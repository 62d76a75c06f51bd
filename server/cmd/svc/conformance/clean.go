package conformance

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// cleanTime is how long cleaning up may take, even if the run was interrupted.
const cleanTime = 60 * time.Second

// maxPages limits how far a list is read.
const maxPages = 100

// kept is a list of things that are recognized by the prefix in one of their members.
type kept struct{ list, member, delete, id string }

// everything has the lists in which the suite looks for what it created. Groups are deleted before the users who own
// them; projects, tokens, members and domains end with them.
var everything = []kept{
	{"/groups?search=<prefix>&per_page=100&top_level_only=true", "path", "/groups/%s", "id"},
	{"/projects?search=<prefix>&per_page=100&simple=true", "path_with_namespace", "/projects/%s", "id"},
	{"/admin/ci/variables?per_page=100", "key", "/admin/ci/variables/%s", "key"},
	{"/applications?per_page=100", "application_name", "/applications/%s", "id"},
	{"/runners/all?per_page=100", "description", "/runners/%s", "id"},
	{"/users?search=<prefix>&per_page=100", "username", "/users/%s?hard_delete=true", "id"},
}

// clean deletes everything with the prefix of this run, and returns what it could not delete.
func (s *suite) clean(ctx context.Context) []string {
	if s.options.Keep || s.prefix == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanTime)
	defer cancel()
	session := s.session("cleaning up", "cleaning up")
	var left []string
	for _, k := range everything {
		left = append(left, session.deleteAll(ctx, k)...)
	}
	return left
}

// deleteAll deletes what a list has with the prefix.
func (s *Session) deleteAll(ctx context.Context, k kept) []string {
	found, err := s.findAll(ctx, k)
	if err != nil {
		return []string{err.Error()}
	}
	var left []string
	for _, path := range found {
		if err := s.delete(ctx, path); err != nil {
			left = append(left, fmt.Sprintf("%s: %v", path, err))
		}
	}
	return left
}

// findAll returns the paths to delete of what a list has with the prefix.
func (s *Session) findAll(ctx context.Context, k kept) ([]string, error) {
	var found []string
	for page := 1; page <= maxPages; page++ {
		list, err := s.Call(ctx, Admin, fmt.Sprintf("GET %s&page=%d", k.list, page), "", 200)
		if err != nil {
			return nil, err
		}
		rows, _ := list.JSON.([]any)
		for _, row := range rows {
			own, _ := member(row, k.member)
			if id, ok := member(row, k.id); ok && s.suite.owns(text(own)) {
				found = append(found, fmt.Sprintf(k.delete, url.PathEscape(text(id))))
			}
		}
		if list.Header.Get("X-Next-Page") == "" {
			break
		}
	}
	return found, nil
}

// owns reports whether a name begins with the prefix of this run.
func (s *suite) owns(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	return strings.HasPrefix(name, s.prefix)
}

func (s *Session) delete(ctx context.Context, path string) error {
	r, err := s.request(Case{Send: "DELETE " + path})
	if err != nil {
		return err
	}
	a, err := s.suite.client.send(ctx, r)
	switch {
	case err != nil:
		return err
	case a.Status == 404, a.Status < 300:
		return nil
	}
	return fmt.Errorf("%d %s", a.Status, clip(string(a.Body), 200))
}
