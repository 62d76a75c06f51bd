package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestMarkdownIsRendered(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(func(g *model.Namespace) { g.Path = "acme" }).ID, called("web", model.Private))
	user, guest := h.NewUser(), h.ProjectMember(p, model.Guest)
	render := func(c *harness.Caller, body string) string {
		t.Helper()
		return read[struct{ HTML string }](t, c.JSON("POST", "/markdown", body), 201).HTML
	}
	if got := render(user, `{"text":"Hello **world** #1"}`); !strings.Contains(got, "<strong>world</strong> #1") {
		t.Error(got)
	}
	if got := render(user, `{"text":"#1 and @jane","gfm":true}`); got != `<p>#1 and <a href="`+h.URL+`/jane">@jane</a></p>`+"\n" {
		t.Error(got)
	}
	if got := render(user, `{"text":"<script>alert(1)</script> [x](javascript:alert(1))","gfm":true}`); strings.Contains(got, "<script") ||
		strings.Contains(got, `href="javascript`) {
		t.Error(got)
	}
	for text, want := range map[string]string{
		"see #1": h.URL + "/acme/web/-/issues/1", "[a](docs/a.md)": h.URL + "/acme/web/-/blob/main/docs/a.md",
		"[b](/b)": `"` + h.URL + "/b", "[c](https://example.com/)": `"https://example.com/"`, "@jane": h.URL + "/jane",
	} {
		got := render(guest, fmt.Sprintf(`{"text":%q,"gfm":true,"project":"acme/web"}`, text))
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	expect(t, user.JSON("POST", "/markdown", `{"text":"x","project":"acme/web"}`), 404, `{"message":"404 Project Not Found"}`)
	expect(t, guest.JSON("POST", "/markdown", `{"text":"x","project":"acme/nothing"}`), 404, `{"message":"404 Project Not Found"}`)
	expect(t, user.JSON("POST", "/markdown", `{"gfm":true}`), 400, `{"error":"text is missing"}`)
	expect(t, user.JSON("POST", "/markdown", `{"text":""}`), 201, `{"html":""}`)
	expect(t, h.Anonymous().JSON("POST", "/markdown", `{"text":"x"}`), 401, `{"message":"401 Unauthorized"}`)
	expect(t, h.WithToken(user.User, "read_api").JSON("POST", "/markdown", `{"text":"x"}`), 201, "")
	expect(t, h.WithToken(user.User, "read_user").JSON("POST", "/markdown", `{"text":"x"}`), 403, "")
}
