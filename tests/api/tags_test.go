package api

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

const tagsPath = "/projects/acme%2Fweb/repository/tags"

// tag is a tag in a response.
type tag struct {
	Name      string  `json:"name"`
	Message   *string `json:"message"`
	Target    string  `json:"target"`
	Commit    *commit `json:"commit"`
	Protected bool    `json:"protected"`
	CreatedAt *string `json:"created_at"`
}

func tagNames(rows []tag) []string {
	out := []string{}
	for _, row := range rows {
		out = append(out, row.Name)
	}
	return out
}

func TestTagsAreListedAsGitDoes(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Private)
	r.run("tag", "v1.10", "main~1")
	r.run("tag", "v1.2", "main~3")
	r.run("tag", "-a", "-m", "candidate", "v1.10-rc1", "main~4")
	r.run("tag", "-a", "-m", "of a tag", "nested", "v1.0")
	r.run("tag", "blob", "main:README.md")
	r.run("tag", "-a", "-m", "of a tree\n\n-----BEGIN PGP SIGNATURE-----\nxyz\n-----END PGP SIGNATURE-----", "tree", "main^{tree}")
	r.push(h, maintainer, "--tags")
	for query, args := range map[string][]string{
		"order_by=name&sort=asc":     {},
		"order_by=name":              {"--sort=-refname"},
		"order_by=name&search=^V1":   {"--sort=-refname", "refs/tags/v1*"},
		"order_by=name&search=0$":    {"--sort=-refname", "refs/tags/v1.0", "refs/tags/v1.10"},
		"order_by=updated&search=v1": {"--sort=-creatordate", "refs/tags/v1*"},
		"sort=asc&search=v1":         {"--sort=creatordate", "refs/tags/v1*"},
	} {
		if !strings.Contains(strings.Join(args, " "), "refs/tags/") {
			args = append(args, "refs/tags/")
		}
		want := r.lines(append([]string{"for-each-ref", "--format=%(refname:lstrip=2)"}, args...)...)
		got := tagNames(read[[]tag](t, maintainer.Send("GET", tagsPath+"?"+query, ""), 200))
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	versions := tagNames(read[[]tag](t, maintainer.Send("GET", tagsPath+"?order_by=version&sort=asc&search=v1", ""), 200))
	if !slices.Equal(versions, []string{"v1.0", "v1.2", "v1.10-rc1", "v1.10"}) {
		t.Errorf("versions %v", versions)
	}
	for _, row := range read[[]tag](t, maintainer.Send("GET", tagsPath, ""), 200) {
		expectTagOfGit(t, r, row)
	}
	if got := maintainer.Send("GET", tagsPath+"?per_page=3&page=2", ""); got.Header.Get("X-Total") != "8" ||
		len(read[[]tag](t, got, 200)) != 3 {
		t.Errorf("%v %s", got.Header, got.Body)
	}
	want := r.lines("for-each-ref", "--format=%(refname:lstrip=2)", "--sort=-refname", "refs/tags")
	if walked := walkTags(t, h, maintainer); !slices.Equal(walked, want) {
		t.Errorf("walked %v, want %v", walked, want)
	}
	expect(t, maintainer.Send("GET", tagsPath+"?pagination=keyset&page_token=none", ""), 422, `{"message":"Invalid page token: none"}`)
	expect(t, maintainer.Send("GET", tagsPath+"?pagination=keyset&order_by=version", ""), 405, "")
	expect(t, maintainer.Send("GET", tagsPath+"?order_by=size", ""), 400, `{"error":"order_by does not have a valid value"}`)
}

// expectTagOfGit compares a tag with the tag of git.
func expectTagOfGit(t *testing.T, r *history, row tag) {
	t.Helper()
	kind := r.run("cat-file", "-t", row.Name+"^{}")
	annotated := r.run("cat-file", "-t", row.Name) == "tag"
	if row.Target != r.run("rev-parse", row.Name) || (row.Commit != nil) != (kind == "commit") ||
		(row.Message != nil) != annotated || (row.CreatedAt != nil) != annotated {
		t.Errorf("%+v", row)
	}
	if row.Commit != nil && row.Commit.ID != r.run("rev-parse", row.Name+"^{commit}") {
		t.Errorf("%+v", row)
	}
	if row.Name == "tree" && *row.Message != "of a tree" {
		t.Errorf("%q", *row.Message)
	}
}

// walkTags returns the names of all tags, read with the pagination keyset.
func walkTags(t *testing.T, h *harness.H, c *harness.Caller) []string {
	t.Helper()
	var walked []string
	for path := tagsPath + "?pagination=keyset&per_page=3"; path != ""; {
		got := c.Send("GET", path, "")
		walked = append(walked, tagNames(read[[]tag](t, got, 200))...)
		next, _, _ := strings.Cut(strings.TrimPrefix(got.Header.Get("Link"), "<"), ">")
		path = strings.TrimPrefix(next, h.URL+"/api/v4")
	}
	return walked
}

func TestATagIsReadCreatedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Public)
	developer, anyone := h.ProjectMember(r.project, model.Developer), h.Anonymous()
	for name, path := range map[string]string{"annotated": "v1.0", "light": "light"} {
		h.Golden("getProjectRepositoryTag/"+name, anyone.Send("GET", tagsPath+"/"+path, "").Body)
	}
	light := developer.JSON("POST", tagsPath, `{"tag_name":"rel/1","ref":"topic"}`)
	got := read[tag](t, light, 201)
	if got.Target != r.run("rev-parse", "topic") || got.Message != nil || got.CreatedAt != nil {
		t.Errorf("%s", light.Body)
	}
	expect(t, anyone.Send("GET", tagsPath+"/rel%2F1", ""), 200, light.Body)
	annotated := developer.JSON("POST", tagsPath, `{"tag_name":"v2.0","ref":"v1.0","message":"Two\n\nmore\n"}`)
	got = read[tag](t, annotated, 201)
	if got.Target == got.Commit.ID || got.Message == nil || *got.Message != "Two\n\nmore" || got.CreatedAt == nil ||
		got.Commit.ID != r.run("rev-parse", "v1.0^{}") {
		t.Errorf("%s", annotated.Body)
	}
	// git accepts the tag as valid.
	r.run("fetch", "-q", h.URL+"/acme/web.git", "refs/tags/v2.0:refs/tags/v2.0")
	if text := r.run("cat-file", "-p", "v2.0"); !strings.Contains(text, "tag v2.0\ntagger "+developer.User.Name+
		" <"+developer.User.Email+">") {
		t.Errorf("%s", text)
	}
	r.run("fsck", "--strict")
	for body, want := range map[string]string{
		`{"tag_name":"v1.0","ref":"main"}`:    `{"message":"Tag v1.0 already exists"}`,
		`{"tag_name":"rel","ref":"main"}`:     `{"message":"Failed to create tag 'rel': the name conflicts with another tag"}`,
		`{"tag_name":"x","ref":"none"}`:       `{"message":"Target none is invalid"}`,
		`{"tag_name":"x","ref":"main..v1.0"}`: `{"message":"Target main..v1.0 is invalid"}`,
		`{"tag_name":"-x","ref":"main"}`:      `{"message":"Tag name invalid"}`,
		`{"tag_name":"a..b","ref":"main"}`:    `{"message":"Tag name invalid"}`,
		`{"tag_name":"a@{b","ref":"main"}`:    `{"message":"Tag name invalid"}`,
		`{"ref":"main"}`:                      `{"error":"tag_name is missing"}`,
	} {
		expect(t, developer.JSON("POST", tagsPath, body), 400, want)
	}
	for _, name := range []string{"none", "-x", "a..b", "a%0Ab"} {
		expect(t, anyone.Send("GET", tagsPath+"/"+name, ""), 404, `{"message":"404 Tag Not Found"}`)
	}
	long := time.Unix(1600000000, 0).UTC().Format(http.TimeFormat)
	expect(t, maintainer.Send("DELETE", tagsPath+"/rel%2F1", "", "If-Unmodified-Since", long), 412, "")
	expect(t, developer.Send("DELETE", tagsPath+"/rel%2F1", ""), 403,
		`{"message":"403 Forbidden - You are not allowed to change existing tags on this project."}`)
	expect(t, maintainer.Send("DELETE", tagsPath+"/rel%2F1", ""), 204, "")
	expect(t, maintainer.Send("DELETE", tagsPath+"/rel%2F1", ""), 404, `{"message":"404 Tag Not Found"}`)
	// Only maintainers may create protected tags.
	expect(t, maintainer.JSON("POST", "/projects/acme%2Fweb/protected_tags", `{"name":"v*"}`), 201, "")
	expect(t, developer.JSON("POST", tagsPath, `{"tag_name":"v3","ref":"main"}`), 403,
		`{"message":"403 Forbidden - You are not allowed to create this tag as it is protected."}`)
	if got := read[tag](t, maintainer.JSON("POST", tagsPath, `{"tag_name":"v3","ref":"main"}`), 201); !got.Protected {
		t.Errorf("%+v", got)
	}
}
