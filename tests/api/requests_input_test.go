package api

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

func TestEveryEncodingGivesTheSameResource(t *testing.T) {
	t.Parallel()
	root := harness.New(t).Root()
	want := func(key string) string {
		return `{"key":"` + key + `","description":"d e","variable_type":"file","value":"1","protected":true,"masked":false,"raw":true}`
	}
	expect(t, root.JSON("POST", variables,
		`{"key":"A","value":"1","description":"d e","variable_type":"file","protected":true,"raw":true}`), 201, want("A"))
	expect(t, root.JSON("POST", variables,
		`{"key":"B","value":1,"description":"d e","variable_type":"file","protected":"yes","raw":1,"unknown":{}}`), 201, want("B"))
	expect(t, root.Form("POST", variables,
		"key=C&value=1&description=d+e&variable_type=file&protected=on&raw=True&masked=0"), 201, want("C"))
	expect(t, root.Send("POST", variables+"?key=D&value=1&description=d%20e&variable_type=file&protected=t&raw=1", ""), 201, want("D"))
	expect(t, root.JSON("POST", variables+"?key=X&value=1&description=d%20e&variable_type=file&raw=yes",
		`{"key":"E","protected":true}`), 201, want("E"))

	var buf bytes.Buffer
	form := multipart.NewWriter(&buf)
	for _, f := range [][2]string{{"key", "F"}, {"description", "d e"}, {"variable_type", "file"}, {"protected", "true"}, {"raw", "1"}} {
		if err := form.WriteField(f[0], f[1]); err != nil {
			t.Fatal(err)
		}
	}
	file, err := form.CreateFormFile("value", "value.txt")
	if err != nil {
		t.Fatal(err)
	}
	file.Write([]byte("1"))
	form.Close()
	expect(t, root.Send("POST", variables, buf.String(), "Content-Type", form.FormDataContentType()), 201, want("F"))
	expect(t, root.Send("POST", variables, "", "Content-Type", "application/json"), 400, `{"error":"key is missing, value is missing"}`)
}

func TestBadInputIsRefusedClearly(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	const js = "application/json"
	deep := strings.Repeat("[", 10000) + strings.Repeat("]", 10000)
	for _, c := range []struct {
		name, method, path, contentType, body string
		status                                int
		want                                  string
	}{
		{"malformed JSON", "POST", variables, js, `{"key":`, 400, ""},
		{"JSON list", "POST", variables, js, `["key"]`, 400, `{"error":"The request body must be an object"}`},
		{"JSON text", "POST", variables, js, `"key"`, 400, `{"error":"The request body must be an object"}`},
		{"trailing data", "POST", variables, js, `{"key":"A","value":"x"}{}`, 400, ""},
		{"duplicate key", "POST", variables, js, `{"key":"A","key":"B","value":"x"}`, 400, `{"error":"key was sent more than once"}`},
		{"NUL in JSON", "POST", variables, js, `{"key":"A","value":"a\u0000b"}`, 400, `{"error":"value is invalid"}`},
		{"invalid UTF-8 in JSON", "POST", variables, js, "{\"key\":\"A\",\"value\":\"\xff\"}", 400, `{"error":"value is invalid"}`},
		{"10,000 brackets", "POST", variables, js, `{"key":"A","value":` + deep + `}`, 400, ""},
		{
			"10,000 nested names", "POST", variables, "application/x-www-form-urlencoded",
			"key=A&value" + strings.Repeat("[a]", 10000) + "=x", 400, "",
		},
		{"NUL in a form", "POST", variables, "application/x-www-form-urlencoded", "key=A&value=%00", 400, `{"error":"value is invalid"}`},
		{
			"bad escape in a form", "POST", variables, "application/x-www-form-urlencoded", "key=A&value=%zz", 400,
			`{"error":"value is invalid"}`,
		},
		{
			"form in conflict", "POST", variables, "application/x-www-form-urlencoded", "key=A&value=1&value[a]=2",
			400, `{"error":"value[a] is invalid"}`,
		},
		{"NUL in a query", "GET", variables + "?search=%00", "", "", 400, `{"error":"search is invalid"}`},
		{"invalid UTF-8 in a query", "GET", variables + "?page=%ff", "", "", 400, `{"error":"page is invalid"}`},
		{"NUL in a path", "GET", variables + "/%00", "", "", 400, `{"error":"key is invalid"}`},
		{"invalid UTF-8 in a path", "GET", variables + "/%ff", "", "", 400, `{"error":"key is invalid"}`},
		{
			"no content type", "POST", variables, "", `{"key":"A","value":"x"}`, 415,
			`{"error":"The provided content-type '' is not supported."}`,
		},
		{"XML", "POST", variables, "text/xml", `<key/>`, 415, `{"error":"The provided content-type 'text/xml' is not supported."}`},
		{"multipart without boundary", "POST", variables, "multipart/form-data", `x`, 400, ""},
		{
			"multipart broken off", "POST", variables, "multipart/form-data; boundary=b",
			"--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\nA", 400, "",
		},
		{"encoded slash", "GET", "/admin%2Fci/variables", "", "", 404, `{"error":"404 Not Found"}`},
		{"encoded slash in a key", "GET", variables + "/a%2Fb", "", "", 404, `{"message":"404 InstanceVariable Not Found"}`},
		{"plain slash in a key", "GET", variables + "/a/b", "", "", 404, `{"error":"404 Not Found"}`},
		{"no such path", "GET", "/nothing", "", "", 404, `{"error":"404 Not Found"}`},
		{
			"body too large", "POST", variables, js, `{"key":"A","value":"` + strings.Repeat("x", 2<<20) + `"}`, 413,
			`{"message":"413 Request Entity Too Large"}`,
		},
		{"URL of 1 MiB", "GET", variables + "?page=" + strings.Repeat("1", 1<<20), "", "", 414, `{"message":"414 Request-URI Too Large"}`},
		{"URL of 3 MiB", "GET", variables + "?page=" + strings.Repeat("1", 3<<20), "", "", 414, `{"message":"414 Request-URI Too Large"}`},
		{"method", "PATCH", variables, js, `{}`, 405, `{"error":"405 Not Allowed"}`},
		{"version 3", "GET", "/api/v3/projects", "", "", 410, `{"error":"API V3 is no longer supported. Use API V4 instead."}`},
		{"integer out of range", "GET", variables + "?per_page=9223372036854775808", "", "", 400, `{"error":"per_page is invalid"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			began := time.Now()
			var pairs []string
			if c.contentType != "" {
				pairs = []string{"Content-Type", c.contentType}
			}
			got := root.Send(c.method, c.path, c.body, pairs...)
			expect(t, got, c.status, c.want)
			if !strings.Contains(got.Body, `"error":"`) && !strings.Contains(got.Body, `"message":"`) {
				t.Errorf("the body says nothing: %s", got.Body)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
	if list := root.Send("GET", variables, ""); list.Body != "[]" {
		t.Errorf("bad input has written %s", list.Body)
	}
	if got := root.Send("PATCH", variables, "").Header.Get("Allow"); !strings.Contains(got, "GET") || !strings.Contains(got, "POST") {
		t.Errorf("Allow is %q", got)
	}
}

func TestABlankMemberCountsAsMissing(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	expect(t, root.JSON("POST", "/projects", `{"name":"blank","default_branch":"","visibility":null,"description":""}`), 201, "")
	expect(t, root.JSON("POST", "/projects", `{"name":"","path":"by-path"}`), 201, "")
	expect(t, root.JSON("POST", "/projects/root%2Fblank/repository/files/a.txt",
		`{"branch":"main","content":"x","commit_message":"a","start_branch":""}`), 201, "")
	expect(t, root.JSON("PUT", "/projects/root%2Fblank/repository/files/a.txt",
		`{"branch":"main","content":"y","commit_message":"b","start_branch":null}`), 200, "")
	expect(t, root.Send("GET", "/projects?visibility=&order_by=&archived=&page=", ""), 200, "")
	expect(t, root.JSON("POST", "/projects/root%2Fblank/pages/domains", `{"domain":"www.example.com","auto_ssl_enabled":""}`),
		400, `{"error":"auto_ssl_enabled is empty"}`)
	expect(t, root.JSON("PUT", "/projects/root%2Fblank/error_tracking/settings", `{"active":"","integrated":true}`),
		400, `{"error":"active is empty"}`)
	expect(t, root.JSON("POST", variables, `null`), 400, `{"error":"key is missing, value is missing"}`)
}

func TestListsAreAcceptedInEveryFormat(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	for _, body := range []string{`tag_list=b,a`, `tag_list[]=b&tag_list[]=a`, `tag_list[1]=b&tag_list[0]=a`} {
		made := root.Form("POST", "/user/runners", "runner_type=instance_type&"+body)
		expect(t, made, 201, "")
		path := fmt.Sprintf("/runners/%v", member(t, made, "id"))
		if shown := root.Send("GET", path, ""); !strings.Contains(shown.Body, `"tag_list":["a","b"]`) {
			t.Errorf("%s made %s", body, shown.Body)
		}
		if changed := root.JSON("PUT", path, `{"tag_list":"c,d"}`); !strings.Contains(changed.Body, `"tag_list":["c","d"]`) {
			t.Errorf("changed to %s", changed.Body)
		}
	}
	for _, query := range []string{"tag_list=c,d", "tag_list[]=c&tag_list[]=d", "tag_list[0]=c&tag_list[1]=d"} {
		if listed := root.Send("GET", "/runners/all?"+query, ""); listed.Header.Get("X-Total") != "3" {
			t.Errorf("%s lists %s", query, listed.Body)
		}
	}
}

func TestTheJSONSuffixIsTolerated(t *testing.T) {
	t.Parallel()
	root := harness.New(t).Root()
	expect(t, root.Send("GET", "/user.json", ""), 200, "")
	expect(t, root.Send("GET", variables+".json", ""), 200, "[]")
	expect(t, root.Send("GET", "/nothing.json", ""), 404, `{"error":"404 Not Found"}`)
	expect(t, root.Send("GET", "/openapi.json", ""), 200, "")
}

func TestEndingsOfPathsAreTolerated(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	group := h.Group(func(g *model.Namespace) { g.Path = "acme" })
	project := h.Project(group.ID, func(p *model.Project) { p.Path = "web" })
	for _, path := range []string{
		fmt.Sprintf("/projects/%d", project.ID), fmt.Sprintf("/groups/%d", group.ID),
		fmt.Sprintf("/users/%d", root.User.ID), "/projects", "/user",
		fmt.Sprintf("/projects/%d/issues", project.ID),
	} {
		for _, ending := range []string{"", ".json", "/"} {
			expect(t, root.Send("GET", path+ending, ""), 200, "")
		}
	}
	expect(t, root.Send("GET", "/projects/acme%2Fweb/", ""), 200, "")
	expect(t, root.Send("GET", "/projects/acme%2Fweb%2F", ""), 404, "")
	expect(t, root.Send("GET", "/nothing/", ""), 404, `{"error":"404 Not Found"}`)
	if made := root.JSON("POST", variables+"/", `{"key":"A","value":"x"}`); made.Status != 201 {
		t.Errorf("%d %s", made.Status, made.Body)
	}
}

func TestAnIDHasNoSign(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	project := h.Project(h.Group(func(g *model.Namespace) { g.Path = "acme" }).ID, func(p *model.Project) { p.Path = "web" })
	expect(t, root.JSON("POST", "/projects/acme%2Fweb/issues", `{"title":"one"}`), 201, "")
	at := fmt.Sprintf("/projects/%d/", project.ID)
	expect(t, root.Send("GET", at+"issues/1", ""), 200, "")
	for _, path := range []string{
		"/projects/+1", "/projects/%2B1", "/users/+1", "/groups/%2B1", "/namespaces/+1", at + "issues/+1",
		at + "issues/%2B1", at + "members/+1",
	} {
		expect(t, root.Send("GET", path, ""), 404, "")
	}
}

func TestHeadIsAnsweredWhereverGetIs(t *testing.T) {
	t.Parallel()
	root := harness.New(t).Root()
	head, get := root.Send("HEAD", "/user", ""), root.Send("GET", "/user", "")
	if head.Status != 200 || head.Body != "" || head.Header.Get("ETag") != get.Header.Get("ETag") ||
		head.Header.Get("Content-Length") != get.Header.Get("Content-Length") {
		t.Errorf("HEAD answered %d %q %v", head.Status, head.Body, head.Header)
	}
}

func TestAGetMayCarryAContentTypeWithoutABody(t *testing.T) {
	t.Parallel()
	root := harness.New(t).Root()
	expect(t, root.Send("GET", "/user", "", "Content-Type", "application/json"), 200, "")
	expect(t, root.Send("GET", "/user", "", "Content-Type", "application/x-www-form-urlencoded"), 200, "")
	expect(t, root.Send("GET", "/user", "", "Accept", "text/html"), 200, "")
}
