package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"svc/server/domain/fixture"
	"svc/server/domain/seed"
	"svc/tests/harness"
)

// seeded returns a service with the data of a seed.
func seeded(t *testing.T, number uint64) (*harness.H, *harness.Caller, *fixture.Document) {
	t.Helper()
	h := harness.New(t)
	root := h.Root()
	doc, _ := seed.Document(number, seed.Small)
	if _, err := fixture.Load(t.Context(), h.Server.Fixtures(), doc, nil); err != nil {
		t.Fatal(err)
	}
	return h, root, doc
}

// field returns a member of the first element of a list that has a given text somewhere.
func field(t *testing.T, c *harness.Caller, path, with, member string) string {
	t.Helper()
	a := c.Send("GET", path, "")
	var rows []map[string]any
	if err := json.Unmarshal([]byte(a.Body), &rows); err != nil || a.Status != 200 {
		t.Fatalf("%s: %d %s", path, a.Status, a.Body)
	}
	for _, row := range rows {
		if text, _ := json.Marshal(row); strings.Contains(string(text), with) {
			if n, ok := row[member].(float64); ok {
				return fmt.Sprint(int64(n))
			}
			return fmt.Sprint(row[member])
		}
	}
	t.Fatalf("%s has nothing with %s", path, with)
	return ""
}

// reader knows the values of the parameters of paths, for objects of the seed.
type reader struct {
	inProject, inGroup, others map[string]string
	query                      map[string]string // by path
}

func newReader(t *testing.T, root *harness.Caller, doc *fixture.Document) reader {
	t.Helper()
	project := url.PathEscape(doc.Projects[1].Path)
	base := "/projects/" + project
	group := url.PathEscape(doc.Groups[0].Path)
	sha := field(t, root, base+"/repository/commits", "Count requests", "id")
	pipeline := field(t, root, base+"/pipelines?ref=main&status=success", "main", "id")
	job := field(t, root, base+"/pipelines/"+pipeline+"/jobs", `"build"`, "id")
	request := base + "/merge_requests/3"
	ada := field(t, root, "/users?username=ada", "ada", "id")
	return reader{
		inProject: map[string]string{
			"id": project, "issue_iid": "1", "merge_request_iid": "3", "pipeline_id": pipeline, "job_id": job, "ref_name": "main",
			"artifact_path": "bin/service", "name": "bug", "user_id": ada, "key": "DEPLOY_TARGET", "tag_name": "v1.0.0",
			"milestone_id": field(t, root, base+"/milestones", "1.1", "id"), "sha": sha, "branch": "fix-guide",
			"file_path": url.PathEscape("docs/guide.md"), "hook_id": field(t, root, base+"/hooks", "invalid", "id"),
			"package_id":    field(t, root, base+"/packages", "1.0.0", "id"),
			"version_id":    field(t, root, request+"/versions", "head_commit_sha", "id"),
			"discussion_id": field(t, root, request+"/discussions", "still true", "id"),
			"note_id":       field(t, root, request+"/notes", "still true", "id"),
			"link_id":       field(t, root, base+"/releases/v1.0.0/assets/links", "Handbook", "id"),
			"format":        "zip", "suffix": "downloads/handbook", "direct_asset_path": "handbook",
		},
		inGroup: map[string]string{
			"id": group, "user_id": ada, "name": "urgent", "milestone_id": field(t, root, "/groups/"+group+"/milestones", "Quarter", "id"),
			"hook_id": field(t, root, "/groups/"+group+"/hooks", "invalid", "id"),
		},
		others: map[string]string{
			"/users/{id}": ada, "/users/{user_id}": ada, "/hooks/{hook_id}": field(t, root, "/hooks", "invalid", "id"),
			"/runners/{id}":                field(t, root, "/runners/all", "shared runner", "id"),
			"/personal_access_tokens/{id}": field(t, root, "/personal_access_tokens?user_id="+ada, "demonstration", "id"),
			"/issues/{id}":                 field(t, root, base+"/issues", "Explain", "id"), "/namespaces/{id}": group,
		},
		query: map[string]string{
			"/projects/{id}/repository/compare": "from=v1.0.0&to=main", "/projects/{id}/repository/merge_base": "refs[]=main&refs[]=v1.0.0",
			"/projects/{id}/repository/files/{file_path}": "ref=main", "/projects/{id}/repository/files/{file_path}/raw": "ref=main",
			"/projects/{id}/repository/files/{file_path}/blame":            "ref=main",
			"/projects/{id}/jobs/artifacts/{ref_name}/download":            "job=build",
			"/projects/{id}/jobs/artifacts/{ref_name}/raw/{artifact_path}": "job=build",
			"/projects/{id}/repository/changelog":                          "version=1.1.0",
			"/avatar":                                                      "email=ada@example.com",
			"/search":                                                      "scope=projects&search=beacon",
			"/groups/{id}/search":                                          "scope=issues&search=explain",
			"/projects/{id}/search":                                        "scope=blobs&search=guide",
			"/analytics/group_activity/new_members_count":                  "group_path=" + group,
			"/analytics/group_activity/merge_requests_count":               "group_path=" + group,
			"/analytics/group_activity/issues_count":                       "group_path=" + group,
		},
	}
}

// lacking are paths whose objects the seed does not have, although the names of their parameters are known.
var lacking = regexp.MustCompile(strings.Join([]string{
	`custom_attributes/`, `projects/\{id\}/members/\{user_id\}`, `resource_groups/`, `protected_tags/`, `/variables/\{key\}$`, `/avatar$`,
	`/pages$`, `/import$`, `/export(_relations)?/download$`, `/uploads/`, `/signature$`, `/alert_settings$`, `/error_tracking/`, `/wikis/`,
	`/badges/render`, `^/(openapi|oauth|job|keys)`, `issues/\{issue_iid\}/(discussions|notes)/\{`, `commits/\{sha\}/discussions/\{`,
	`blobs/\{sha\}`, `pipelines/\{pipeline_id\}/variables`, `/push_rule$`, `/service_accounts/\{`, `/merge_ref$`,
	`^/groups/\{id\}/protected_branches/`, `/feature_flags_client$`, `/terraform/`, `/protected_environments/`, `/mirror/pull$`,
}, "|"))

var parameter = regexp.MustCompile(`\{([a-z_]+)\}`)

// url returns a path with values, or nothing if the seed has no such object.
func (r reader) url(path string) string {
	if lacking.MatchString(path) {
		return ""
	}
	values := map[string]string{}
	switch {
	case strings.HasPrefix(path, "/projects/{id}"):
		values = r.inProject
		if strings.Contains(path, "protected_branches/{name}") {
			path = strings.Replace(path, "{name}", "main", 1)
		}
	case strings.HasPrefix(path, "/groups/{id}"):
		values = r.inGroup
	default:
		for prefix, value := range r.others {
			if strings.HasPrefix(path, prefix) {
				name := parameter.FindStringSubmatch(prefix)[1]
				values = map[string]string{name: value}
			}
		}
	}
	query := r.query[path]
	known := true
	path = parameter.ReplaceAllStringFunc(path, func(name string) string {
		value, has := values[strings.Trim(name, "{}")]
		known = known && has
		return value
	})
	if !known {
		return ""
	}
	if query != "" {
		path += "?" + query
	}
	return path
}

// Every answer is also checked against the document, by the client of the harness.
func TestEveryReadOfSeededObjectsAnswers(t *testing.T) {
	t.Parallel()
	_, root, doc := seeded(t, 1)
	known := newReader(t, root, doc)
	read := 0
	for _, route := range harness.Routes() {
		if route.Method != "GET" || route.Base != "/api/v4" {
			continue
		}
		at := known.url(route.Path)
		if at == "" {
			continue
		}
		read++
		if a := root.Send("GET", at, ""); a.Status != 200 && a.Status != 301 && a.Status != 302 {
			t.Errorf("GET %s: %d %.200s", at, a.Status, a.Body)
		}
	}
	if read < 150 {
		t.Errorf("only %d operations were called", read)
	}
}
