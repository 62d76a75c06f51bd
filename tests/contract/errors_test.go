package contract

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"svc/server/platform/apierr"
	"svc/store/model"
	"svc/tests/harness"

	"github.com/google/go-cmp/cmp"
)

// The document, the program and the page for people have the same codes, and every error response declares the header.
func TestErrorCodesAreTheSameEverywhere(t *testing.T) {
	t.Parallel()
	var rows strings.Builder
	rows.WriteString("| Code | Status | Means | What to do |\n|---|---|---|---|\n")
	var words []any
	for _, row := range apierr.Codes {
		words = append(words, string(row.Code))
		fmt.Fprintf(&rows, "| `%s` | %s | %s | %s |\n", row.Code, row.Status, row.Means, row.Do)
	}
	header := harness.Doc().Components.Headers["XErrorCode"].Value
	if diff := cmp.Diff(words, header.Schema.Value.Enum); diff != "" {
		t.Errorf("the enum of the header differs from the table of the program:\n%s", diff)
	}
	page, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "\n"+rows.String()+"\n") {
		t.Errorf("docs/errors.md does not have this table:\n%s", rows.String())
	}
	for _, r := range harness.Routes() {
		for status, response := range r.Op.Responses.Map() {
			if declared := response.Value.Headers[apierr.CodeHeader]; (declared != nil) != (status >= "400") {
				t.Errorf("%s: the response %s declares %s: %v", r.Op.OperationID, status, apierr.CodeHeader, declared != nil)
			}
		}
	}
}

// A resource that a caller may not see answers exactly like one that does not exist, with every header and the hint.
func TestWhatACallerMayNotSeeAnswersLikeNothing(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	project := h.Project(group.ID)
	elsewhere := h.Group()
	callers := map[string]*harness.Caller{"anonymous": h.Anonymous(), "nobody": h.NewUser(), "external": h.NewUser(harness.External)}
	for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer, model.Owner} {
		callers[fmt.Sprint("role ", role, " elsewhere")] = h.Member(elsewhere, role)
	}
	for _, r := range harness.Routes() {
		hidden := int64(0)
		switch {
		case strings.HasPrefix(r.Path, "/projects/{id}"):
			hidden = project.ID
		case strings.HasPrefix(r.Path, "/groups/{id}"):
			hidden = group.ID
		default:
			continue
		}
		for who, caller := range callers {
			compare(t, who, r, caller, "{id}", fmt.Sprint(hidden), fmt.Sprint(hidden+900000))
		}
	}
}

// Members who may see a project, but not a confidential issue in it, get the answers of an issue that does not exist.
func TestAConfidentialIssueAnswersLikeNothing(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	project := h.Project(group.ID, func(p *model.Project) { p.Visibility = model.Public })
	owner := h.Member(group, model.Owner)
	made := owner.JSON("POST", fmt.Sprintf("/projects/%d/issues", project.ID), `{"title":"secret","confidential":true}`)
	if made.Status != 201 {
		t.Fatal(made.Body)
	}
	callers := map[string]*harness.Caller{
		"anonymous": h.Anonymous(), "outsider": h.NewUser(), "external": h.NewUser(harness.External),
		"guest": h.ProjectMember(project, model.Guest),
	}
	tested := 0
	for _, r := range projectRoutes() {
		if !strings.Contains(r.Path, "{issue_iid}") {
			continue
		}
		tested++
		r.Path = strings.Replace(r.Path, "{id}", fmt.Sprint(project.ID), 1)
		for who, caller := range callers {
			compare(t, who, r, caller, "{issue_iid}", "1", "7")
		}
	}
	if tested < 30 {
		t.Errorf("only %d operations of an issue were tested", tested)
	}
}

// compare sends the same request for a hidden and for a missing resource, and compares all of both answers.
func compare(t *testing.T, who string, r harness.Route, caller *harness.Caller, parameter, hidden, missing string) {
	t.Helper()
	ask := func(value string) harness.Answer {
		at := r
		at.Path = strings.Replace(r.Path, parameter, value, 1)
		return caller.JSON(r.Method, example(t, at), body(t, r))
	}
	a, b := ask(hidden), ask(missing)
	if a.Status < 400 {
		t.Errorf("%s: %s got %d", r.Op.OperationID, who, a.Status)
	}
	a.Header, b.Header = steady(a.Header), steady(b.Header)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("%s: %s can distinguish what is hidden (-) from what is missing (+):\n%s", r.Op.OperationID, who, diff)
	}
}

// steady returns headers without those that differ between any two answers.
func steady(h http.Header) http.Header {
	kept := http.Header{}
	for name, values := range h {
		if !slices.Contains([]string{"X-Request-Id", "X-Runtime", "Date"}, name) && !strings.HasPrefix(name, "Ratelimit-") {
			kept[name] = values
		}
	}
	return kept
}
