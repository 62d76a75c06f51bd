package middleware

import (
	"os"
	"strings"
	"testing"
	"time"

	"svc/gen"
)

func published(t testing.TB) *Operations {
	t.Helper()
	ops, err := LoadOperations(gen.Requests)
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

func TestASlipInAPathIsAnsweredWithTheNearestPath(t *testing.T) {
	t.Parallel()
	paths := published(t).help().templates
	for request, want := range map[string]string{
		"GET /api/v4/project/1":                 "/api/v4/projects/{id}",
		"GET /api/v4/projects/1/isues":          "/api/v4/projects/{id}/issues",
		"GET /api/v4/projects/acme%2Fweb/isseu": "",
		"GET /api/v4/projects/a%2Fb/issuse/3":   "/api/v4/projects/{id}/issues/{issue_iid}",
		"GET /api/v4/user/1":                    "/api/v4/users/{id}",
		"GET /api/v4/usres":                     "/api/v4/users",
		"POST /api/v4/projects/1/merge_request": "/api/v4/projects/{id}/merge_requests",
		"GET /api/v4/groups/acme/member":        "/api/v4/groups/{id}/members",
		"GET /api/v4/versions":                  "/api/v4/version",
		"GET /projects/1/issues":                "/api/v4/projects/{id}/issues",
		"GET /acme/web":                         "",
		"GET /api/v4/projects/1/no/such":        "",
		"GET /api/v4/nothing":                   "",
		"GET /api/v4/projects/1/issues":         "",
		"GET /":                                 "",
		"GET /api":                              "",
		"GET /api/v5/projects":                  "",
	} {
		method, path, _ := strings.Cut(request, " ")
		got := paths.hintForPath(method, path)
		if named := strings.Contains(strings.ToLower(got), "did you mean "+want+"?"); named != (want != "") || (want == "") != (got == "") {
			t.Errorf("the hint of %s is %q, want %q", request, got, want)
		}
	}
}

func TestAWrongMethodIsAnsweredWithTheRightOne(t *testing.T) {
	t.Parallel()
	paths := published(t).help().templates
	for request, want := range map[string]string{
		"POST /api/v4/projects/1":            "To change this resource, send PUT. To create one, send POST to /api/v4/projects.",
		"PATCH /api/v4/projects/acme%2Fweb":  "To change this resource, send PUT.",
		"DELETE /api/v4/projects/1/issues":   "Name one resource: DELETE /api/v4/projects/{id}/issues/{issue_iid}.",
		"PUT /api/v4/projects/1/issues":      "Name one resource: PUT /api/v4/projects/{id}/issues/{issue_iid}.",
		"DELETE /api/v4/version":             "",
		"POST /api/v4/projects/1/issues/2/x": "",
		"POST /":                             "",
	} {
		method, path, _ := strings.Cut(request, " ")
		if got := paths.hintForMethod(method, path); got != want {
			t.Errorf("the hint of %s is %q, want %q", request, got, want)
		}
	}
}

// A path of the list is in no path of the document, and its section is in the table of the page to which the hint leads.
func TestNothingThatIsOfferedIsCalledUnoffered(t *testing.T) {
	t.Parallel()
	ops := published(t)
	for route := range ops.byRoute {
		segments := splitPath(route.path)
		for i, s := range segments {
			if _, _, parameter := strings.Cut(s, ":"); parameter {
				segments[i] = "1"
			}
		}
		if path := "/" + strings.Join(segments, "/"); ops.isUnoffered(route.method, path) {
			t.Errorf("%s %s is offered", route.method, path)
		}
	}
	page, err := os.ReadFile("../../../docs/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	_, missing, found := strings.Cut(string(page), "\n## Missing\n")
	if !found {
		t.Fatal("docs/compatibility.md has no section Missing")
	}
	missing, _, _ = strings.Cut(missing, "\n## ")
	for section, paths := range Unoffered {
		if !strings.Contains(missing, section) {
			t.Errorf("docs/compatibility.md does not list %s", section)
		}
		if len(paths) == 0 {
			t.Errorf("%s has no paths", section)
		}
	}
}

func TestPathsOfOtherSectionsAreUnoffered(t *testing.T) {
	t.Parallel()
	ops := published(t)
	for request, want := range map[string]bool{
		"POST /api/v4/projects/1/services/slack/trigger":     true,
		"POST /api/v4/projects/acme%2Fweb/services/3/x":      false,
		"GET /api/v4/geo_nodes":                              true,
		"GET /api/v4/groups/acme/epics":                      false,
		"POST /api/graphql":                                  false,
		"POST /api/v4/projects/1/deployments":                false,
		"POST /api/v4/projects/1/merge_requests/2/approvals": true,
		"GET /api/v4/projects/1/merge_requests/2/approvals":  false,
		"POST /api/v4/projects/remote-import-s3":             true,
		"GET /api/v4/projects/1/issues/1/resource_events":    false,
		"GET /api/v4/hook":                                   false,
		"GET /hooks":                                         false,
		"GET /api/v3/hooks":                                  false,
		"GET /api":                                           false,
		"GET /":                                              false,
		"GET /api/v4/" + strings.Repeat("search/", 5000):     false,
		"GET /api/v4/projects/" + strings.Repeat("x", 5000):  false,
	} {
		method, path, _ := strings.Cut(request, " ")
		if got := ops.isUnoffered(method, path); got != want {
			t.Errorf("%.80s is unoffered: %v", request, got)
		}
	}
}

// The help costs little, whatever the path is.
func TestALongPathGetsNoHelp(t *testing.T) {
	t.Parallel()
	paths := published(t).help().templates
	for _, path := range []string{
		"/api/v4/" + strings.Repeat("isues/", 3000), "/api/v4/projects/1/" + strings.Repeat("i", 16000),
		strings.Repeat("/", 16000), "/api/v4/projects/" + strings.Repeat("%2F", 5000) + "/isues",
	} {
		began := time.Now()
		if got := paths.hintForPath("GET", path); got != "" {
			t.Errorf("the hint of %.50s… is %q", path, got)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("%.50s… took %s", path, took)
		}
	}
}

// It is not parallel, because it counts what the process allocates.
func TestAHintForAPathNeedsLittleMemory(t *testing.T) {
	paths := published(t).help().templates
	if n := testing.AllocsPerRun(10, func() { paths.hintForPath("GET", "/api/v4/projects/1/isues") }); n > 20 {
		t.Errorf("a hint allocates %v times", n)
	}
}

func FuzzPath(f *testing.F) {
	for _, seed := range []string{"/api/v4/projects/1/isues", "/api/graphql", "/", "//", "/api/v4/%2F/\x00", "/projects/1"} {
		f.Add("GET", seed)
	}
	ops := published(f)
	f.Fuzz(func(t *testing.T, method, path string) {
		for _, hint := range []string{ops.help().templates.hintForPath(method, path), ops.help().templates.hintForMethod(method, path)} {
			if len(hint) > 500 {
				t.Errorf("the hint of %q has %d bytes", path, len(hint))
			}
		}
		ops.isUnoffered(method, path)
	})
}
