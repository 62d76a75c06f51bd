package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"svc/store/model"
	"svc/tests/harness"

	"github.com/google/go-cmp/cmp"
)

// The list of all projects uses a cache, other lists do not. After any change, both must show the same to all readers.
func TestTheListOfProjectsShowsEveryChange(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"), seen(model.Public))
	ann, bob, eve := h.NewUser(named("ann")), h.NewUser(named("bob")), h.NewUser(named("eve"))
	h.Join(group, ann.User, model.Owner)
	web := h.Project(group.ID, called("web", model.Public))
	own := h.Project(*bob.User.NamespaceID, called("own", model.Public))
	readers := map[string]*harness.Caller{"ann": ann, "bob": bob, "eve": eve, "root": h.Root(), "nobody": h.Anonymous()}
	compare := func(after string) {
		t.Helper()
		for who, reader := range readers {
			for _, query := range []string{"", "simple=true", "membership=true", "order_by=id&pagination=keyset"} {
				want := append(listRows(t, reader.Send("GET", fmt.Sprintf("/groups/%d/projects?%s", group.ID, query), "")),
					listRows(t, reader.Send("GET", fmt.Sprintf("/users/%d/projects?%s", bob.User.ID, query), ""))...)
				slices.Sort(want)
				for range 2 { // once without the cache and once from it
					got := listRows(t, reader.Send("GET", "/projects?"+query, ""))
					slices.Sort(got)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("after %s: what %s sees with %q: %s", after, who, query, diff)
					}
				}
			}
		}
	}
	compare("nothing")
	for _, change := range []struct {
		by           *harness.Caller
		method, path string
		body         string
	}{
		{ann, "PUT", fmt.Sprintf("/projects/%d", web.ID), `{"description":"another"}`},
		{ann, "PUT", fmt.Sprintf("/projects/%d", web.ID), `{"repository_access_level":"private"}`},
		{ann, "POST", fmt.Sprintf("/projects/%d/members", web.ID), fmt.Sprintf(`{"user_id":%d,"access_level":20}`, eve.User.ID)},
		{ann, "PUT", fmt.Sprintf("/projects/%d/members/%d", web.ID, eve.User.ID), `{"access_level":40}`},
		{eve, "POST", fmt.Sprintf("/projects/%d/star", web.ID), ""},
		{eve, "POST", fmt.Sprintf("/projects/%d/issues", web.ID), `{"title":"One","confidential":true}`},
		{ann, "PUT", fmt.Sprintf("/groups/%d", group.ID), `{"name":"Another"}`},
		{ann, "PUT", fmt.Sprintf("/groups/%d", group.ID), `{"path":"other"}`},
		{h.Root(), "PUT", fmt.Sprintf("/users/%d", bob.User.ID), `{"name":"Robert"}`},
		{h.Root(), "PUT", fmt.Sprintf("/users/%d", bob.User.ID), `{"username":"robert"}`},
		{ann, "DELETE", fmt.Sprintf("/projects/%d/members/%d", web.ID, eve.User.ID), ""},
		{bob, "POST", fmt.Sprintf("/projects/%d/archive", own.ID), ""},
		{ann, "PUT", fmt.Sprintf("/projects/%d", web.ID), `{"visibility":"private"}`},
		{h.Root(), "POST", fmt.Sprintf("/users/%d/block", bob.User.ID), ""},
	} {
		done := change.by.JSON(change.method, change.path, change.body)
		if done.Status >= 300 {
			t.Fatalf("%s %s: %d %s", change.method, change.path, done.Status, done.Body)
		}
		if change.path == fmt.Sprintf("/users/%d/block", bob.User.ID) {
			delete(readers, "bob")
		}
		compare(change.method + " " + change.path + " " + change.body)
	}
}

// listRows returns the elements of a list as raw JSON.
func listRows(t *testing.T, a harness.Answer) []string {
	t.Helper()
	var rows []json.RawMessage
	if err := json.Unmarshal([]byte(a.Body), &rows); err != nil || a.Status != 200 {
		t.Fatalf("answered %d %s", a.Status, a.Body)
	}
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = string(row)
	}
	return texts
}
