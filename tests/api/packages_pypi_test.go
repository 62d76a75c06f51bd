package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"mime/multipart"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// twine uploads a file as twine does.
func twine(t *testing.T, c *harness.Caller, base, file, content string, fields map[string]string) harness.Answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range fields {
		if err := form.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if file != "" {
		part, err := form.CreateFormFile("content", file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return c.Send("POST", base, body.String(), "Content-Type", form.FormDataContentType())
}

var pageLink = regexp.MustCompile(`<a href="([^"]*)"( data-requires-python="[^"]*")?>([^<]*)</a><br>`)

func TestAPythonPackageIsUploadedAndFound(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer, reporter := f.members[model.Developer], f.members[model.Reporter]
	base := f.base + "/packages/pypi"
	sum := sha256.Sum256([]byte("the wheel"))
	fields := map[string]string{
		":action": "file_upload", "name": "Acme.Demo_Tool", "version": "1.0.0", "requires_python": ">=3.6",
		"sha256_digest": hex.EncodeToString(sum[:]), "summary": "a demo", "description": strings.Repeat("é", 5000),
	}
	const wheel = "acme_demo_tool-1.0.0-py3-none-any.whl"
	expect(t, twine(t, developer, base, wheel, "the wheel", fields), 201, `{"message":"201 Created"}`)
	again := twine(t, developer, base, wheel, "the wheel", fields)
	if again.Status != 400 || !strings.Contains(again.Body, "already been taken") {
		t.Errorf("%d %s", again.Status, again.Body)
	}
	for _, place := range []string{base, "/groups/acme/-/packages/pypi"} {
		for _, name := range []string{"acme-demo-tool/", "acme-demo-tool", "ACME_demo.tool/"} {
			page := reporter.Send("GET", place+"/simple/"+name, "")
			links := pageLink.FindAllStringSubmatch(page.Body, -1)
			if page.Status != 200 || len(links) != 1 || links[0][2] != ` data-requires-python="&gt;=3.6"` || links[0][3] != wheel {
				t.Fatalf("%s: %d %s", name, page.Status, page.Body)
			}
			link, err := url.Parse(links[0][1])
			if err != nil || link.Fragment != "sha256="+hex.EncodeToString(sum[:]) {
				t.Fatal(link, err)
			}
			expect(t, reporter.Send("GET", strings.TrimPrefix(link.Path, "/api/v4"), ""), 200, "the wheel")
		}
		index := reporter.Send("GET", place+"/simple/", "")
		if links := pageLink.FindAllStringSubmatch(index.Body, -1); len(links) != 1 || links[0][3] != "acme-demo-tool" {
			t.Errorf("%s", index.Body)
		}
		expect(t, reporter.Send("GET", place+"/simple/unknown/", ""), 404, "")
		expect(t, reporter.Send("GET", place+"/files/"+strings.Repeat("0", 64)+"/"+wheel, ""), 404, "")
		expect(t, f.h.NewUser().Send("GET", place+"/simple/acme-demo-tool/", ""), 404, "")
		got := f.h.Anonymous().Send("GET", place+"/simple/acme-demo-tool/", "")
		if expect(t, got, 401, ""); got.Header.Get("WWW-Authenticate") != `Basic realm="GitLab Packages Registry"` {
			t.Error(got.Header)
		}
	}
	basic := f.h.WithHeaders("Authorization", basicHeader("__token__", reporter.Token))
	expect(t, basic.Send("GET", base+"/simple/acme-demo-tool/", ""), 200, "")
	expect(t, twine(t, reporter, base, "x-1.0.tar.gz", "x", map[string]string{"name": "x", "version": "1.0"}), 403, "")
}

func TestPyPIRefusesHostileUploads(t *testing.T) {
	t.Parallel()
	f := newPackagesFixture(t)
	developer := f.members[model.Developer]
	base := f.base + "/packages/pypi"
	good := map[string]string{"name": "demo", "version": "1.0"}
	with := func(pairs ...string) map[string]string {
		all := map[string]string{}
		for name, value := range good {
			all[name] = value
		}
		for i := 0; i < len(pairs); i += 2 {
			all[pairs[i]] = pairs[i+1]
		}
		return all
	}
	for name, c := range map[string]struct {
		file   string
		fields map[string]string
	}{
		"no file":              {"", good},
		"no name":              {"demo-1.0.tar.gz", map[string]string{"version": "1.0"}},
		"no version":           {"demo-1.0.tar.gz", map[string]string{"name": "demo"}},
		"a traversal":          {"..", good},
		"a hidden file":        {".demo-1.0.tar.gz", good},
		"unicode":              {"démo-1.0.tar.gz", good},
		"a name with a slash":  {"demo-1.0.tar.gz", with("name", "a/b")},
		"a name with a tag":    {"demo-1.0.tar.gz", with("name", "<b>")},
		"a bad version":        {"demo-1.0.tar.gz", with("version", "one")},
		"a version with a tag": {"demo-1.0.tar.gz", with("version", "1.0<b>")},
		"a wrong digest":       {"demo-1.0.tar.gz", with("sha256_digest", strings.Repeat("0", 64))},
		"no digest":            {"demo-1.0.tar.gz", with("sha256_digest", "x")},
		"a wrong md5":          {"demo-1.0.tar.gz", with("md5_digest", strings.Repeat("0", 32))},
		"a long requirement":   {"demo-1.0.tar.gz", with("requires_python", strings.Repeat("x", 300))},
		"a huge description":   {"demo-1.0.tar.gz", with("description", strings.Repeat("x", 2<<20))},
	} {
		if got := twine(t, developer, base, c.file, "x", c.fields); got.Status != 400 {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
	expect(t, developer.Send("POST", base, "x", "Content-Type", "text/plain"), 415, "")
	expect(t, developer.Send("POST", base, "--b\r\n", "Content-Type", "multipart/form-data; boundary=b"), 400, "")
	expect(t, developer.Send("PUT", base, "x"), 405, "")
	// A path in the name of the file is cut off, as every client and server does.
	expect(t, twine(t, developer, base, "../../demo-1.0.tar.gz", "x", good), 201, "")
	if rows := f.list("?package_type=pypi"); len(rows) != 1 || f.files(rows[0].ID)[0].FileName != "demo-1.0.tar.gz" {
		t.Errorf("%+v", rows)
	}
	for _, version := range []string{"1.0.post1", "1!2.0", "1.0a1", "1.0.dev3", "1.0+local.1", "v1.1"} {
		name := "demo-" + strings.ReplaceAll(version, "!", "_") + ".tar.gz"
		expect(t, twine(t, developer, base, name, "x", with("version", version)), 201, "")
	}
}
