// Package graphql tests GraphQL from outside, with the queries that clients send.
package graphql

import (
	"encoding/json"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// body returns the JSON of a request.
func body(query string, variables map[string]any) string {
	text, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// ask sends an operation and returns the answer, which must have the status 200.
func ask(t *testing.T, c *harness.Caller, query string, variables map[string]any) string {
	t.Helper()
	got := c.JSON("POST", "/api/graphql", body(query, variables))
	if got.Status != 200 {
		t.Fatalf("status %d: %s", got.Status, got.Body)
	}
	return got.Body
}

// expect compares the answer to an operation.
func expect(t *testing.T, c *harness.Caller, query string, variables map[string]any, want string) {
	t.Helper()
	if got := ask(t, c, query, variables); got != want {
		t.Errorf("%s\n got %s\nwant %s", query, got, want)
	}
}

// expectData compares the data of an answer without errors.
func expectData(t *testing.T, c *harness.Caller, query string, variables map[string]any, want string) {
	t.Helper()
	expect(t, c, query, variables, `{"data":`+want+`}`)
}

// failure returns the text of the first error of an answer.
func failure(t *testing.T, answer string) string {
	t.Helper()
	var got struct{ Errors []struct{ Message string } }
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Errors) == 0 {
		t.Errorf("there is no error: %s", answer)
		return ""
	}
	return got.Errors[0].Message
}

// find returns a value in JSON by its path, such as data.project.id.
func find(t *testing.T, text, path string) any {
	t.Helper()
	var at any
	if err := json.Unmarshal([]byte(text), &at); err != nil {
		t.Fatal(err)
	}
	for key := range strings.SplitSeq(path, ".") {
		object, ok := at.(map[string]any)
		if !ok {
			t.Fatalf("there is no %s in %s", path, text)
		}
		at = object[key]
	}
	return at
}

type vars = map[string]any

func named(path string, v model.Visibility) func(*model.Namespace) {
	return func(n *model.Namespace) { n.Name, n.Path, n.Visibility = path, path, v }
}

func inside(parent model.Namespace) func(*model.Namespace) {
	return func(n *model.Namespace) { n.ParentID = &parent.ID }
}

func called(path string, v model.Visibility) func(*model.Project) {
	return func(p *model.Project) { p.Name, p.Path, p.Visibility = path, path, v }
}
