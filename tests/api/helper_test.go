package api

import (
	"encoding/json"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// member returns one member of the JSON object in a response.
func member(t *testing.T, a harness.Answer, name string) any {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(a.Body), &object); err != nil {
		t.Fatalf("%v: %d %s", err, a.Status, a.Body)
	}
	return object[name]
}

// named sets the username, name and email of a new user; edit changes more.
func named(username string, edit ...func(*model.User)) func(*model.User) {
	return func(u *model.User) {
		u.Username, u.Name, u.Email = username, strings.ToUpper(username[:1])+username[1:], username+"@example.com"
		for _, f := range edit {
			f(u)
		}
	}
}
