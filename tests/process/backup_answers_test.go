package process

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"svc/gen"
)

// crawler asks every GET operation of the document, with names and IDs that the lists of the instance contain.
type crawler struct {
	*testing.T
	server  *Server
	answers map[string]string // by path
	lists   map[string][]map[string]any
}

// ofProcess are paths whose answers are about the running process or have times of its files, or that are not for callers with a
// token.
var ofProcess = regexp.MustCompile(`^/-/|^/sidekiq/|oauth|/snapshot$`)

// everyAnswer returns the answers of all GET operations of the document, except those of ofProcess.
func (s *Server) everyAnswer(t *testing.T) map[string]string {
	t.Helper()
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(gen.SpecJSON, &document); err != nil {
		t.Fatal(err)
	}
	c := crawler{T: t, server: s, answers: map[string]string{}, lists: map[string][]map[string]any{}}
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		if document.Paths[path]["get"] != nil && !ofProcess.MatchString(path) {
			c.visit("", path)
		}
	}
	return c.answers
}

// most is how many elements of a list are looked at.
const most = 3

var parameter = regexp.MustCompile(`^([^{]*)/\{(\w+)\}(.*)$`)

// visit replaces the first parameter of a path by what the list before it contains, and so on, and asks.
func (c *crawler) visit(done, rest string) {
	found := parameter.FindStringSubmatch(rest)
	if found == nil {
		c.get(done + rest)
		return
	}
	for _, value := range c.values(done+found[1], found[2]) {
		c.visit(done+found[1]+"/"+url.PathEscape(value), found[3])
	}
}

// values returns values for a parameter from the elements of a list: its member of that name, or its ID or name.
func (c *crawler) values(list, name string) []string {
	end := name[strings.LastIndex(name, "_")+1:]
	var all []string
	for _, element := range c.list(list) {
		for _, member := range []string{name, end, "iid", "id", "name", "key"} {
			if value, ok := element[member]; ok && (member != "iid" || end == "iid") {
				all = append(all, fmt.Sprint(value))
				break
			}
		}
	}
	return all
}

// list returns the first elements of a list, or none if the path is not a list.
func (c *crawler) list(path string) []map[string]any {
	if found, ok := c.lists[path]; ok {
		return found
	}
	var elements []map[string]any
	if err := json.Unmarshal([]byte(c.get(path)), &elements); err != nil {
		elements = nil
	}
	c.lists[path] = elements[:min(len(elements), most)]
	return c.lists[path]
}

// moving are members that change because somebody uses the API.
var moving = regexp.MustCompile(`"(last_used_at|contacted_at|last_activity_on|current_sign_in_at)":("[^"]*"|null)`)

// get asks once for each path and returns the body.
func (c *crawler) get(path string) string {
	c.Helper()
	status, body, err := c.server.Do(c.Context(), "GET", "/api/v4"+path, "")
	if err != nil || status >= 500 {
		c.Fatal(path, status, body, err)
	}
	text := strings.ReplaceAll(body, c.server.URL, "URL")
	c.answers[path] = fmt.Sprint(status, " ", moving.ReplaceAllString(text, `"$1":…`))
	return body
}

// compareAnswers reports the answers that differ.
func compareAnswers(t *testing.T, want, got map[string]string) {
	t.Helper()
	if len(want) < 150 {
		t.Errorf("only %d answers were compared", len(want))
	}
	good := 0
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if strings.HasPrefix(want[path], "200 ") {
			good++
		}
		if got[path] != want[path] {
			t.Errorf("%s has changed:\nbefore %.1500s\nafter  %.1500s", path, want[path], got[path])
		}
	}
	t.Logf("%d answers were compared, %d of them good", len(want), good)
}
