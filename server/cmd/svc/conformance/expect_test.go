package conformance

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMembersAreCompared(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ want, got, problem string }{
		{`{"a":1}`, `{"a":1,"b":2}`, ""},
		{`{"a":"*"}`, `{"a":[]}`, ""},
		{`{"a":"*"}`, `{"a":null}`, "member .a is null"},
		{`{"a":null}`, `{"a":null}`, ""},
		{`{"a":null}`, `{}`, "member .a is missing"},
		{`{"a":{"b":"x"}}`, `{"a":{"b":"y"}}`, `member .a.b is "y", expected "x"`},
		{`[{"id":1}]`, `[{"id":1},{"id":2}]`, ""},
		{`[{"id":2}]`, `[{"id":1}]`, "member [0].id is 1, expected 2"},
		{`[{},{}]`, `[{}]`, "the answer has 1 elements, expected at least 2"},
		{`[]`, `[1]`, "the answer has 1 elements, expected none"},
		{`[]`, `{}`, "the answer is {}, not a list"},
		{`{}`, `[]`, "the answer is [], not an object"},
	} {
		var want, got any
		if err := errors.Join(json.Unmarshal([]byte(c.want), &want), json.Unmarshal([]byte(c.got), &got)); err != nil {
			t.Fatal(err)
		}
		if found := strings.Join(differences(want, got, ""), "; "); found != c.problem {
			t.Errorf("%s and %s: %q, expected %q", c.want, c.got, found, c.problem)
		}
	}
}

func TestPlaceholdersAreEscapedForTheirPlace(t *testing.T) {
	t.Parallel()
	v := newValues(newValues(nil))
	v.parent.set("path", "a/b c")
	v.set("text", "say \"x\"\n")
	v.lack("gone", "it is gone")
	if got, err := v.fillPath("/projects/<path>?q=<path>"); got != "/projects/a%2Fb%20c?q=a%2Fb+c" || err != nil {
		t.Error(got, err)
	}
	if got, err := v.fill(`{"a":"<text>"}`, asJSON); got != `{"a":"say \"x\"\n"}` || err != nil {
		t.Error(got, err)
	}
	for name, want := range map[string]string{"gone": "it is gone", "other": "nothing has given it"} {
		if _, err := v.fill("<"+name+">", asItIs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMembersAreFoundByPath(t *testing.T) {
	t.Parallel()
	var value any
	if err := json.Unmarshal([]byte(`{"a":[{"b":12345678901}],"c":null}`), &value); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"a.0.b": "12345678901", "a.#": "1", "c": "", "a.1.b": "", "a.x": "", "c.d": ""} {
		if got, _ := member(value, path); text(got) != want {
			t.Errorf("%s is %q", path, text(got))
		}
	}
}

func TestLinksAreRead(t *testing.T) {
	t.Parallel()
	links := parseLinks(`<http://x/a?page=2>; rel="next", <http://x/a?page=9>; rel="last"`)
	if len(links) != 2 || links["next"] != "http://x/a?page=2" || links["last"] != "http://x/a?page=9" {
		t.Error(links)
	}
	if len(parseLinks("")) != 0 {
		t.Error("no header has links")
	}
}

func TestFormsAreRead(t *testing.T) {
	t.Parallel()
	p := page{body: `<form action="/x?a=1&amp;b=2" method="post"><input type="hidden" name="t" value="&quot;1&quot;">
		<input name="user[login]" type="text"><input type="password" name="user[password]"><input type="checkbox" name="no"></form>`}
	f := p.forms()
	if len(f) != 1 || f[0].action != "/x?a=1&b=2" || f[0].fields.Get("t") != `"1"` || f[0].fields.Has("no") ||
		f[0].fieldOf("login") != "user[login]" || f[0].fieldOf("password") != "user[password]" {
		t.Errorf("%+v", f)
	}
}

// The codes are those of RFC 6238, appendix B, with six digits.
func TestOneTimeCodes(t *testing.T) {
	t.Parallel()
	const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
	for at, want := range map[int64]string{59: "287082", 1111111109: "081804", 2000000000: "279037"} {
		if got, err := oneTimeCode(secret, time.Unix(at, 0)); got != want || err != nil {
			t.Errorf("at %d: %s %v", at, got, err)
		}
	}
}

func TestSecretsAreNotInReports(t *testing.T) {
	t.Parallel()
	v := newValues(newValues(nil))
	v.parent.set("admin_token", "svcpat-0123456789")
	v.set("app_secret", "0123456789abcdef")
	v.set("project", "0123456789")
	if got := v.hide("a=svcpat-0123456789&b=0123456789abcdef"); got != "a=$ADMIN_TOKEN&b=$APP_SECRET" {
		t.Error(got)
	}
	r := Request{Method: "GET", Path: "/api/v4/user", As: Owner, Header: map[string][]string{
		"Private-Token": {"secret"}, "Accept": {"it's"},
	}}
	curl := r.Curl("http://x")
	if strings.Contains(curl, "secret") || !strings.Contains(curl, `"Private-Token: $OWNER_TOKEN"`) ||
		!strings.Contains(curl, `'Accept: it'\''s'`) {
		t.Error(curl)
	}
	if !slices.Contains(strings.Fields(curl), "'http://x/api/v4/user'") {
		t.Error(curl)
	}
}
