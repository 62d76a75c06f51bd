package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// The callers that a rule judged in code is tried with, from the least to the most.
var everyRole = []string{"anonymous", "outsider", "external", "guest", "reporter", "developer", "maintainer", "owner", "admin"}

// cast is one caller of every kind for a project.
type cast map[string]*harness.Caller

func castOf(h *harness.H, p model.Project) cast {
	return cast{
		"anonymous": h.Anonymous(), "outsider": h.NewUser(), "external": h.NewUser(harness.External), "admin": h.Root(),
		"guest": h.ProjectMember(p, model.Guest), "reporter": h.ProjectMember(p, model.Reporter), "developer": h.ProjectMember(p, model.Developer),
		"maintainer": h.ProjectMember(p, model.Maintainer), "owner": h.ProjectMember(p, model.Owner),
	}
}

// answers calls as every role and compares the results, which stand in the order of the roles.
func (c cast) answers(t *testing.T, what, want string, call func(role string, caller *harness.Caller) string) {
	t.Helper()
	expected := strings.Fields(want)
	if len(expected) != len(everyRole) {
		t.Fatalf("%s: %d results are wanted for %d roles", what, len(expected), len(everyRole))
	}
	for i, role := range everyRole {
		if got := call(role, c[role]); got != expected[i] {
			t.Errorf("%s as %s is %s, want %s", what, role, got, expected[i])
		}
	}
}

// statuses is answers for calls whose status is what counts.
func (c cast) statuses(t *testing.T, what, want string, call func(caller *harness.Caller) harness.Answer) {
	t.Helper()
	c.answers(t, what, want, func(_ string, caller *harness.Caller) string { return fmt.Sprint(call(caller).Status) })
}
