package api

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"

	"github.com/google/go-cmp/cmp"
)

var (
	groupRelations   = []string{"self", "labels", "milestones", "badges", "boards", "members"}
	projectRelations = []string{
		"self", "user_contributions", "labels", "milestones", "issues", "merge_requests", "notes", "project_members", "protected_branches",
		"protected_tags", "boards", "releases", "project_badges",
	}
)

type relationState struct {
	Relation string
	Status   int64
	Error    *string
	Batched  bool
	Count    int64 `json:"batches_count"`
	Total    int64 `json:"total_objects_count"`
	Batches  *[]struct {
		Status  int64
		Number  int64 `json:"batch_number"`
		Objects int64 `json:"objects_count"`
	}
}

// exportRelations exports the relations of a group or project, and returns their states once all are written.
func exportRelations(t *testing.T, c *harness.Caller, at, body string) []relationState {
	t.Helper()
	expect(t, c.JSON("POST", at+"/export_relations", body), 202, `{"message":"202 Accepted"}`)
	var states []relationState
	wait.Until(t, "all relations are written", func() bool {
		states = read[[]relationState](t, c.Send("GET", at+"/export_relations/status", ""), 200)
		written := 0
		for _, s := range states {
			if s.Status < 0 || s.Error != nil {
				t.Fatalf("%+v", s)
			}
			written += int(s.Status)
		}
		return written > 0 && written == len(states)
	})
	return states
}

// unzipped returns the content of a downloaded relation.
func unzipped(t *testing.T, file harness.Answer) string {
	t.Helper()
	if file.Status != 200 || file.Header.Get("Content-Type") != "application/gzip" {
		t.Fatalf("%d %v %s", file.Status, file.Header, file.Body)
	}
	zip, err := gzip.NewReader(strings.NewReader(file.Body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// archiveFiles returns the files of an archive that begin with a prefix, by the rest of their names.
func archiveFiles(t *testing.T, data, prefix string) map[string]string {
	t.Helper()
	zip, err := gzip.NewReader(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for files := tar.NewReader(zip); ; {
		file, err := files.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		if name, ok := strings.CutPrefix(file.Name, prefix); ok {
			text, err := io.ReadAll(files)
			if err != nil {
				t.Fatal(err)
			}
			found[name] = string(text)
		}
	}
}

// checkRelations compares the relations of a group or project with the files of an archive.
func checkRelations(t *testing.T, c *harness.Caller, at string, states []relationState, names []string, want map[string]string) {
	t.Helper()
	var listed []string
	for _, s := range states {
		listed = append(listed, s.Relation)
		file := c.Send("GET", at+"/export_relations/download?relation="+s.Relation, "")
		text := unzipped(t, file)
		if diff := cmp.Diff(want[s.Relation], text); diff != "" {
			t.Errorf("%s: %s", s.Relation, diff)
		}
		if lines := int64(strings.Count(text, "\n")); s.Batched || s.Count != 0 || s.Batches != nil || s.Total != lines || lines == 0 {
			t.Errorf("%+v has %d lines", s, lines)
		}
		if name := file.Header.Get("Content-Disposition"); name != "attachment; filename="+s.Relation+".ndjson.gz" {
			t.Errorf("the file is called %s", name)
		}
	}
	if diff := cmp.Diff(names, listed); diff != "" {
		t.Error(diff)
	}
}

func TestTheRelationsOfAGroupAreThoseOfItsArchive(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser(withPublicEmail("owner"))
	g := fillGroup(t, h, owner)
	status, download := g+"/export_relations/status", g+"/export_relations/download?relation=labels"
	expect(t, owner.Send("GET", status, ""), 200, `[]`)
	expect(t, owner.Send("GET", download, ""), 404, `{"message":"404 Not found or has expired"}`)
	expect(t, owner.Send("POST", g+"/export_relations", ""), 202, `{"message":"202 Accepted"}`)
	for _, s := range read[[]relationState](t, owner.Send("GET", status, ""), 200) {
		if s.Status != 0 || s.Error != nil || s.Total != 0 {
			t.Errorf("before it is written: %+v", s)
		}
	}
	expect(t, owner.Send("GET", download, ""), 404, `{"message":"404 Export file Not Found"}`)
	h.StartWorker()
	states := exportRelations(t, owner, g, `{"batched":false}`)
	expect(t, owner.Send("POST", g+"/export", ""), 202, "")
	want := archiveFiles(t, waitForExport(t, owner, g).Body, "tree"+g)
	for name, text := range want {
		if part, ok := strings.CutPrefix(name, "/"); ok {
			want[strings.TrimSuffix(part, ".ndjson")] = text
		}
	}
	want["self"] = want[".json"]
	checkRelations(t, owner, g, states, groupRelations, want)
	one := read[[]relationState](t, owner.Send("GET", status+"?relation=labels", ""), 200)
	if diff := cmp.Diff([]relationState{states[1]}, one); diff != "" {
		t.Error(diff)
	}
	expectParts(t, owner, download)
	expectAuditEvents(t, h.Root().Send("GET", g+"/audit_events", ""),
		"group_relations_export_scheduled", "group_relation_export_downloaded", "Downloaded the exported relation labels")
	// After another export, the files of the one before are gone, and the batches have numbers.
	states = exportRelations(t, owner, g, `{"batched":true}`)
	for _, s := range states {
		if !s.Batched || s.Count != 1 || s.Batches == nil || len(*s.Batches) != 1 || (*s.Batches)[0].Number != 1 ||
			(*s.Batches)[0].Objects != s.Total || (*s.Batches)[0].Status != 1 {
			t.Errorf("%+v", s)
		}
	}
	if got := unzipped(t, owner.Send("GET", download+"&batched=true&batch_number=1", "")); got != want["labels"] {
		t.Errorf("the batch has %s", got)
	}
	for _, c := range [][2]string{
		{"&batched=true&batch_number=2", `404 {"message":"404 Export file Not Found"}`},
		{"", `400 {"message":"Export is batched"}`},
		{"&batched=true", `400 {"error":"batch_number is missing"}`},
		{"&batch_number=1", `400 {"error":"batch_number needs batched"}`},
		{"&batched=true&batch_number=9223372036854775807", `404 {"message":"404 Export file Not Found"}`},
	} {
		got := owner.Send("GET", download+c[0], "")
		if text := fmt.Sprintf("%d %s", got.Status, strings.TrimSpace(got.Body)); text != c[1] {
			t.Errorf("%s: %s", c[0], text)
		}
	}
}

// expectParts checks that a file can be downloaded in parts, and only if it has changed.
func expectParts(t *testing.T, c *harness.Caller, url string) {
	t.Helper()
	whole := c.Send("GET", url, "")
	part := c.Send("GET", url, "", "Range", "bytes=2-5")
	if part.Status != 206 || part.Body != whole.Body[2:6] {
		t.Errorf("a part: %d %q", part.Status, part.Body)
	}
	expect(t, c.Send("GET", url, "", "Range", "bytes=1000000-"), 416, "")
	expect(t, c.Send("GET", url, "", "If-None-Match", whole.Header.Get("ETag")), 304, "")
}

func TestWhoMayExportTheRelationsOfAGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Path, g.Visibility = "acme", model.Private })
	at := fmt.Sprintf("/groups/%d", g.ID)
	owner := h.Member(g, model.Owner)
	for _, op := range []string{
		"GET " + at + "/export_relations/status", "GET " + at + "/export_relations/download?relation=labels",
		"POST " + at + "/export_relations",
	} {
		method, path, _ := strings.Cut(op, " ")
		expect(t, h.Anonymous().Send(method, path, ""), 401, "")
		expect(t, h.NewUser().Send(method, path, ""), 404, `{"message":"404 Group Not Found"}`)
		for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer} {
			expect(t, h.Member(g, role).Send(method, path, ""), 403, `{"message":"403 Forbidden"}`)
		}
	}
	expect(t, owner.Send("GET", at+"/export_relations/status", ""), 200, `[]`)
	expectRelationRefusals(t, owner, at)
	expect(t, owner.JSON("POST", at+"/export_relations", `{"batched":"maybe"}`), 400, `{"error":"batched is invalid"}`)
	expect(t, owner.Send("GET", at+"/export_relations/status", ""), 200, `[]`)
	limited := 0
	for range 14 {
		if owner.Send("POST", at+"/export_relations", "").Status == 429 {
			limited++
		}
	}
	if limited == 0 {
		t.Error("exports are not counted")
	}
}

// expectRelationRefusals sends what is not a relation or not a batch.
func expectRelationRefusals(t *testing.T, c *harness.Caller, at string) {
	t.Helper()
	for _, name := range []string{"wiki", "users", "../labels", "labels.ndjson", "LABELS", "%27%3B--", "%00", "a%00b"} {
		for _, path := range []string{"/export_relations/status?relation=", "/export_relations/download?relation="} {
			if got := c.Send("GET", at+path+name, ""); got.Status != 400 {
				t.Errorf("%s%s: %d %s", path, name, got.Status, got.Body)
			}
		}
	}
	expect(t, c.Send("GET", at+"/export_relations/download", ""), 400, `{"error":"relation is missing"}`)
	for _, rest := range []string{"&batched=x", "&batched=true&batch_number=0", "&batched=true&batch_number=-1", "&batch_number=x"} {
		if got := c.Send("GET", at+"/export_relations/download?relation=labels"+rest, ""); got.Status != 400 {
			t.Errorf("%s: %d %s", rest, got.Status, got.Body)
		}
	}
}
