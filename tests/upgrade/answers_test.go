package upgrade

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"svc/tests/process"
)

// answer is what a version answered to a GET. The URL of the server is replaced by a word.
type answer struct {
	Path   string `json:"path"`
	Status int    `json:"status"`
	Body   string `json:"body"`
}

const serverWord = "http://server"

// ask sends a GET as the administrator.
func ask(t *testing.T, s *process.Server, path string) answer {
	t.Helper()
	status, body, err := s.Do(context.WithoutCancel(t.Context()), "GET", "/api/v4"+path, "")
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return answer{path, status, strings.ReplaceAll(body, s.URL, serverWord)}
}

// instancePaths and projectPaths are what is compared, besides logs, files and wiki pages.
var (
	instancePaths = []string{
		"/user", "/users?per_page=100&order_by=id", "/groups?per_page=100", "/projects?per_page=100&order_by=id&sort=asc",
		"/admin/ci/variables", "/snippets", "/hooks", "/runners/all?per_page=100", "/personal_access_tokens?per_page=100",
	}
	projectPaths = []string{
		"", "/members/all?per_page=100", "/labels?per_page=100", "/milestones?per_page=100", "/issues?per_page=100",
		"/merge_requests?per_page=100", "/pipelines?per_page=100", "/jobs?per_page=100", "/releases", "/hooks", "/variables",
		"/packages", "/protected_branches", "/repository/branches?per_page=100", "/repository/tags",
		"/repository/commits?per_page=100", "/repository/tree", "/wikis?with_content=1", "/events?per_page=100",
	}
)

// readAll asks for everything that is compared.
func readAll(t *testing.T, s *process.Server) []answer {
	t.Helper()
	var all []answer
	for _, path := range instancePaths {
		all = append(all, ask(t, s, path))
	}
	for _, project := range ids(t, ask(t, s, "/projects?per_page=100&order_by=id&sort=asc")) {
		place := fmt.Sprintf("/projects/%d", project)
		for _, path := range projectPaths {
			all = append(all, ask(t, s, place+path))
		}
		for _, job := range ids(t, ask(t, s, place+"/jobs?per_page=100")) {
			all = append(all, ask(t, s, fmt.Sprintf("%s/jobs/%d/trace", place, job)))
		}
		for _, number := range numbers(t, ask(t, s, place+"/issues?per_page=100"), "iid") {
			all = append(all, ask(t, s, fmt.Sprintf("%s/issues/%d/notes", place, number)))
		}
		for _, number := range numbers(t, ask(t, s, place+"/merge_requests?per_page=100"), "iid") {
			all = append(all, ask(t, s, fmt.Sprintf("%s/merge_requests/%d/diffs", place, number)))
		}
	}
	return all
}

func ids(t *testing.T, a answer) []int { return numbers(t, a, "id") }

// numbers returns a member of each element of a list.
func numbers(t *testing.T, a answer, member string) (found []int) {
	t.Helper()
	var rows []map[string]any
	if err := json.Unmarshal([]byte(a.Body), &rows); err != nil {
		t.Fatalf("%s: %d %s", a.Path, a.Status, a.Body)
	}
	for _, row := range rows {
		number, ok := row[member].(float64)
		if !ok {
			t.Fatalf("%s has no number %s: %v", a.Path, member, row)
		}
		found = append(found, int(number))
	}
	return found
}

// changing are members that follow the time, or that a request changes.
var changing = []string{
	"contacted_at", "current_sign_in_at", "duration", "expired", "last_activity_at", "last_activity_on", "last_used_at",
	"last_sign_in_at", "queued_duration", "stuck_or_timeout_failure_count",
}

// compare reports what an earlier answer has and the new one lacks. New members are no difference.
func compare(before, now answer) []string {
	if before.Status != now.Status {
		return []string{fmt.Sprintf("%s: status %d became %d %.300s", before.Path, before.Status, now.Status, now.Body)}
	}
	var old, fresh any
	if json.Unmarshal([]byte(before.Body), &old) != nil || json.Unmarshal([]byte(now.Body), &fresh) != nil {
		if before.Body != now.Body {
			return []string{fmt.Sprintf("%s: %.300q became %.300q", before.Path, before.Body, now.Body)}
		}
		return nil
	}
	return compareValues(before.Path, old, fresh)
}

func compareValues(place string, before, now any) (lost []string) {
	switch old := before.(type) {
	case map[string]any:
		fresh, ok := now.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s: an object became %v", place, now)}
		}
		for name, value := range old {
			found, ok := fresh[name]
			switch {
			case slices.Contains(changing, name):
			case !ok:
				lost = append(lost, place+": "+name+" is missing")
			default:
				lost = append(lost, compareValues(place+" "+name, value, found)...)
			}
		}
	case []any:
		fresh, ok := now.([]any)
		if !ok || len(fresh) != len(old) {
			return []string{fmt.Sprintf("%s: a list of %d became %.300v", place, len(old), now)}
		}
		for i, value := range old {
			lost = append(lost, compareValues(fmt.Sprintf("%s %d", place, i), value, fresh[i])...)
		}
	default:
		if !reflect.DeepEqual(before, now) {
			return []string{fmt.Sprintf("%s: %v became %v", place, before, now)}
		}
	}
	return lost
}

func TestDifferencesBetweenAnswersAreFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, now string
		same        bool
	}{
		{`{"a":1}`, `{"a":1,"b":2}`, true},
		{`{"a":1,"last_used_at":null}`, `{"a":1,"last_used_at":"x"}`, true},
		{`{"a":1,"b":2}`, `{"a":1}`, false},
		{`[{"a":1}]`, `[{"a":2}]`, false},
		{`[1]`, `[1,2]`, false},
		{`{"a":{}}`, `{"a":[]}`, false},
		{`a log`, `a log`, true},
		{`a log`, `another`, false},
	} {
		found := compare(answer{"/x", 200, c.before}, answer{"/x", 200, c.now})
		if (len(found) == 0) != c.same {
			t.Errorf("%s and %s: %v", c.before, c.now, found)
		}
	}
	if len(compare(answer{"/x", 200, ""}, answer{"/x", 500, ""})) == 0 {
		t.Error("another status is not found")
	}
}
