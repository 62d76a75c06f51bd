package api

import (
	"crypto/sha1"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// npmBody returns what npm publishes.
func npmBody(name, version, tarball string, edit ...func(document, described map[string]any)) string {
	sum, sha := sha512.Sum512([]byte(tarball)), sha1.Sum([]byte(tarball))
	described := map[string]any{
		"name": name, "version": version, "dependencies": map[string]string{"left": "^1.0.0"}, "scripts": map[string]string{"test": "x"},
		"dist": map[string]string{
			"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]), "shasum": hex.EncodeToString(sha[:]),
		},
	}
	document := map[string]any{
		"_id": name, "name": name, "dist-tags": map[string]string{"latest": version},
		"versions": map[string]any{version: described},
		"_attachments": map[string]any{name + "-" + version + ".tgz": map[string]any{
			"content_type": "application/octet-stream", "data": base64.StdEncoding.EncodeToString([]byte(tarball)), "length": len(tarball),
		}},
	}
	for _, f := range edit {
		f(document, described)
	}
	text, _ := json.Marshal(document)
	return string(text)
}

type npmAnswer struct {
	Name     string
	Tags     map[string]string `json:"dist-tags"`
	Versions map[string]struct {
		Version      string
		Dependencies map[string]string
		Scripts      map[string]string
		Deprecated   string
		Dist         struct{ Shasum, Tarball, Integrity string }
	}
}

func TestAnNPMPackageIsPublishedAndInstalled(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer, reporter := f.members[model.Developer], f.members[model.Reporter]
	path := f.base + "/packages/npm/@acme%2fdemo"
	expect(t, reporter.Send("GET", path, ""), 404, "")
	expect(t, developer.Send("PUT", path, npmBody("@acme/demo", "1.0.0", "the first")), 200, "")
	expect(t, developer.Send("PUT", path, npmBody("@acme/demo", "1.1.0-beta.1", "the second", func(document, _ map[string]any) {
		document["dist-tags"] = map[string]string{"next": "1.1.0-beta.1"}
	})), 200, "")
	for _, place := range []string{
		path, f.base + "/packages/npm/@acme/demo", "/groups/acme/-/packages/npm/@acme%2Fdemo", "/packages/npm/@acme%2Fdemo",
	} {
		got := read[npmAnswer](t, reporter.Send("GET", place, ""), 200)
		one := got.Versions["1.0.0"]
		if got.Name != "@acme/demo" || len(got.Versions) != 2 || got.Tags["latest"] != "1.0.0" || got.Tags["next"] != "1.1.0-beta.1" ||
			one.Dependencies["left"] != "^1.0.0" || one.Scripts != nil || !strings.HasPrefix(one.Dist.Integrity, "sha512-") ||
			one.Dist.Tarball != f.h.URL+"/api/v4"+f.base+"/packages/npm/@acme/demo/-/@acme/demo-1.0.0.tgz" {
			t.Errorf("%s: %+v", place, got)
		}
	}
	expect(t, reporter.Send("GET", f.base+"/packages/npm/@acme/demo/-/@acme/demo-1.0.0.tgz", ""), 200, "the first")
	expect(t, reporter.Send("GET", f.base+"/packages/npm/@acme/demo/-/demo-1.1.0-beta.1.tgz", ""), 200, "the second")
	expect(t, reporter.Send("GET", f.base+"/packages/npm/@acme/demo/-/demo-2.0.0.tgz", ""), 404, "")
	expect(t, reporter.Send("GET", "/packages/npm/@other%2Fdemo", ""), 404, "")
	expect(t, f.h.NewUser().Send("GET", "/packages/npm/@acme%2Fdemo", ""), 404, "")
	expect(t, f.h.NewUser().Send("GET", path, ""), 404, "")
	expect(t, f.members[model.Guest].Send("GET", path, ""), 403, "")
	expect(t, reporter.Send("PUT", path, npmBody("@acme/demo", "2.0.0", "x")), 403, "")
	expect(t, developer.Send("PUT", "/groups/acme/-/packages/npm/@acme%2Fdemo", npmBody("@acme/demo", "2.0.0", "x")), 405, "")
	expect(t, reporter.JSON("POST", f.base+"/packages/npm/-/npm/v1/security/advisories/bulk", `{"demo":["1.0.0"]}`), 200, "[]")
	rows := f.list("?package_type=npm&order_by=version")
	if len(rows) != 2 || rows[0].Name != "@acme/demo" || len(rows[0].Tags) != 1 || rows[0].Tags[0].Name != "latest" {
		t.Errorf("%+v", rows)
	}
}

func TestNPMRefusesWhatItCannotPublish(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer := f.members[model.Developer]
	path := f.base + "/packages/npm/@acme%2fdemo"
	expect(t, developer.Send("PUT", path, npmBody("@acme/demo", "1.0.0", "the first")), 200, "")
	expect(t, developer.Send("PUT", path, npmBody("@acme/demo", "1.0.0", "the first")), 403, `{"message":"Package already exists."}`)
	good := npmBody("@acme/demo", "2.0.0", "the second")
	changed := func(edit func(document, described map[string]any)) string {
		return npmBody("@acme/demo", "2.0.0", "the second", edit)
	}
	for name, body := range map[string]string{
		"another name":      npmBody("@acme/other", "2.0.0", "x"),
		"a version with v":  npmBody("@acme/demo", "v2.0.0", "x"),
		"a short version":   npmBody("@acme/demo", "2.0", "x"),
		"a traversal":       npmBody("@acme/demo", "../../2.0.0", "x"),
		"no version":        changed(func(d, _ map[string]any) { d["versions"] = map[string]any{} }),
		"a wrong shasum":    changed(func(_, v map[string]any) { v["dist"] = map[string]string{"shasum": strings.Repeat("0", 40)} }),
		"a wrong integrity": changed(func(_, v map[string]any) { v["dist"] = map[string]string{"integrity": "sha512-AAAA"} }),
		"a wrong tag":       changed(func(d, _ map[string]any) { d["dist-tags"] = map[string]string{"../x": "2.0.0"} }),
		"a tag of another":  changed(func(d, _ map[string]any) { d["dist-tags"] = map[string]string{"x": "3.0.0"} }),
		"huge metadata":     changed(func(d, _ map[string]any) { d["readme"] = strings.Repeat("x", 5<<20) }),
		"huge dependencies": changed(func(_, v map[string]any) {
			v["dependencies"] = map[string]string{"x": strings.Repeat("x", 300<<10)}
		}),
		"no base64":          strings.Replace(good, `"data":"`, `"data":"%%%`, 1),
		"an escape":          strings.Replace(good, `"data":"`, `"data":"\u0041`, 1),
		"two files":          strings.Replace(good, `"_attachments":{`, `"_attachments":{"a":{"data":"AAAA"},`, 1),
		"cut off":            good[:len(good)/2],
		"a number as data":   strings.Replace(good, `"data":"`, `"data":1,"x":"`, 1),
		"no JSON":            "hello",
		"an array":           "[]",
		"nothing":            "",
		"more after the end": good + "{}",
		"deep":               strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100),
	} {
		if got := developer.Send("PUT", path, body); got.Status != 400 {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
	for _, name := range []string{"..", "%2e%2e%2fx", "@acme%2f..", "@acme%2f.x", "@%2fx", "%C3%A9", strings.Repeat("a", 215), "a%20b"} {
		if got := developer.Send("PUT", f.base+"/packages/npm/"+name, good); got.Status != 404 {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
	if rows := f.list("?package_type=npm"); len(rows) != 1 {
		t.Errorf("stored %+v", rows)
	}
	// Members in another order, with spaces, and a slash that is escaped.
	odd := strings.ReplaceAll(good, "/", `\/`)
	odd = strings.Replace(odd, `"name":`, "\n \"name\" :\t", 1)
	expect(t, developer.Send("PUT", path, odd), 200, "")
	expect(t, developer.Send("GET", f.base+"/packages/npm/@acme/demo/-/@acme/demo-2.0.0.tgz", ""), 200, "the second")
}

func TestDistTagsAndDeprecation(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer, maintainer := f.members[model.Developer], f.members[model.Maintainer]
	path := f.base + "/packages/npm/@acme%2fdemo"
	for _, version := range []string{"1.0.0", "2.0.0"} {
		expect(t, developer.Send("PUT", path, npmBody("@acme/demo", version, version)), 200, "")
	}
	tags := f.base + "/packages/npm/-/package/@acme%2fdemo/dist-tags"
	expect(t, developer.Send("GET", tags, ""), 200, `{"latest":"2.0.0"}`)
	expect(t, developer.Send("PUT", tags+"/stable", `"1.0.0"`), 204, "")
	expect(t, developer.Send("PUT", tags+"/stable", `"2.0.0"`), 204, "")
	expect(t, developer.Send("GET", tags, ""), 200, `{"latest":"2.0.0","stable":"2.0.0"}`)
	expect(t, developer.Send("PUT", tags+"/stable", `"3.0.0"`), 404, "")
	expect(t, developer.Send("PUT", tags+"/stable", `1`), 400, "")
	expect(t, developer.Send("PUT", tags+"/..%2f", `"1.0.0"`), 400, "")
	expect(t, developer.Send("DELETE", tags+"/stable", ""), 403, "")
	expect(t, maintainer.Send("DELETE", tags+"/stable", ""), 204, "")
	expect(t, maintainer.Send("DELETE", tags+"/stable", ""), 404, "")
	_, token := f.deployToken(f.base, "read_package_registry", "write_package_registry")
	deploy := f.h.WithHeaders("Authorization", "Bearer "+token)
	expect(t, deploy.Send("PUT", tags+"/deployed", `"1.0.0"`), 204, "")
	expect(t, deploy.Send("DELETE", tags+"/deployed", ""), 403, "")
	expect(t, deploy.Send("PUT", path, npmBody("@acme/demo", "3.0.0", "3")), 200, "")
	expect(t, deploy.Send("GET", "/groups/acme/-/packages/npm/@acme%2Fdemo", ""), 200, "")
	expect(t, deploy.Send("GET", "/packages/npm/@acme%2Fdemo", ""), 200, "")

	warn := func(text string) string {
		return fmt.Sprintf(`{"_id":"@acme/demo","name":"@acme/demo","versions":{"1.0.0":{"deprecated":%q}}}`, text)
	}
	expect(t, developer.Send("PUT", path, warn("too old")), 403, "")
	expect(t, maintainer.Send("PUT", path, warn("too old")), 200, "")
	got := read[npmAnswer](t, developer.Send("GET", path+"?write=true", ""), 200)
	if got.Versions["1.0.0"].Deprecated != "too old" || got.Versions["2.0.0"].Deprecated != "" {
		t.Errorf("%+v", got)
	}
	if rows := f.list("?status=deprecated"); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
	expect(t, maintainer.Send("PUT", path, warn("")), 200, "")
	if rows := f.list("?status=deprecated"); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	expect(t, maintainer.Send("PUT", path, `{"name":"@acme/demo","versions":{"9.0.0":{"deprecated":"x"}}}`), 404, "")
}

func TestTheGroupAndInstanceRegistriesObeyTheAllowlistOfJobTokens(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, n, m, g := runningJob(t, h)
	private := h.Project(*owner.User.NamespaceID, called("closed", model.Private))
	name := "@" + owner.User.Username + "/demo"
	path := fmt.Sprintf("/projects/%d/packages/npm/%s", private.ID, name)
	expect(t, owner.Send("PUT", path, npmBody(name, "1.0.0", "x")), 200, "")
	job := h.WithHeaders("Authorization", "Bearer "+g.Token)
	expect(t, owner.Send("GET", "/packages/npm/"+name, ""), 200, "")
	expect(t, job.Send("GET", "/packages/npm/"+name, ""), 404, "")
	if err := h.Store.JobTokenScopes.AllowProject(t.Context(), private.ID, n.Pipeline.ProjectID); err != nil {
		t.Fatal(err)
	}
	expect(t, job.Send("GET", "/packages/npm/"+name, ""), 200, "")
	expect(t, m.update(g, "success", ""), 200, "200")
	expect(t, job.Send("GET", "/packages/npm/"+name, ""), 401, "")
}
