package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// Clients that use something deprecated learn it from the headers, also if the request fails.
func TestAnswersSayWhatIsDeprecated(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	web := h.Project(h.Group().ID, called("web", model.Private))
	root := h.Root()
	var made struct{ ID int64 }
	decode(t, root.JSON("POST", "/user/runners", `{"runner_type": "instance_type"}`), &made)
	aRunner := fmt.Sprintf("/runners/%d", made.ID)
	changes := fmt.Sprintf("/projects/%d/merge_requests/7/changes", web.ID)
	for name, c := range map[string]struct {
		method, url, body string
		status            int
		about             string // the operation that the link leads to, or empty
	}{
		"a list":                          {"GET", "/users", "", 200, ""},
		"offset pagination of users":      {"GET", "/users?page=1", "", 200, "users#listusers"},
		"a page that is no number":        {"GET", "/users?page=x", "", 400, "users#listusers"},
		"an operation that finds none":    {"GET", changes, "", 404, "mergerequests#getprojectmergerequestchanges"},
		"a filter of runners":             {"GET", "/runners/all?scope=online", "", 200, "runners#listrunnersall"},
		"the newer filter of runners":     {"GET", "/runners/all?status=online", "", 200, ""},
		"the older member of a runner":    {"PUT", aRunner, `{"active": false}`, 200, "runners#updaterunner"},
		"the newer member of a runner":    {"PUT", aRunner, `{"paused": false}`, 200, ""},
		"both members, which is an error": {"PUT", aRunner, `{"active": false, "paused": true}`, 400, "runners#updaterunner"},
	} {
		res := root.JSON(c.method, c.url, c.body)
		if res.Status != c.status {
			t.Errorf("%s: %d %s", name, res.Status, res.Body)
		}
		links := strings.Join(res.Header.Values("Link"), ", ")
		announced := strings.HasPrefix(res.Header.Get("Deprecation"), "@17")
		linked := strings.Contains(links, "/-/docs/api/"+c.about+`>; rel="deprecation"`)
		if announced != (c.about != "") || linked != (c.about != "") {
			t.Errorf("%s: Deprecation %q, Link %q", name, res.Header.Get("Deprecation"), links)
		}
	}
	if first := root.Send("GET", "/users?page=1", "").Header.Get("Link"); !strings.Contains(first, `rel="first"`) {
		t.Errorf("the first Link header is %q", first)
	}
}
