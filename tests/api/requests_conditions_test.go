package api

import (
	"strings"
	"testing"

	"svc/tests/harness"
)

func TestAnUnchangedResourceIsAnsweredWith304(t *testing.T) {
	t.Parallel()
	root := harness.New(t).Root()
	first := root.Send("GET", variables, "")
	tag := first.Header.Get("ETag")
	if !strings.HasPrefix(tag, `W/"`) || first.Header.Get("Cache-Control") != "max-age=0, private, must-revalidate" {
		t.Errorf("ETag %q, Cache-Control %q", tag, first.Header.Get("Cache-Control"))
	}
	same := root.Send("GET", variables, "", "If-None-Match", `"other", `+tag)
	expect(t, same, 304, "")
	if same.Body != "" || same.Header.Get("ETag") != tag {
		t.Errorf("304 with body %q and tag %q", same.Body, same.Header.Get("ETag"))
	}
	created := root.JSON("POST", variables, `{"key":"A","value":"x"}`)
	if created.Header.Get("ETag") != "" || created.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("a write has ETag %q, Cache-Control %q", created.Header.Get("ETag"), created.Header.Get("Cache-Control"))
	}
	changed := root.Send("GET", variables, "", "If-None-Match", tag)
	expect(t, changed, 200, "")
	if changed.Header.Get("ETag") == tag {
		t.Error("the tag did not change with the body")
	}
	if missing := root.Send("GET", variables+"/NONE", "", "If-None-Match", "*"); missing.Status != 404 || missing.Header.Get("ETag") != "" {
		t.Errorf("a failure has ETag %q", missing.Header.Get("ETag"))
	}
}

func TestOtherOriginsMayCallWithATokenOnly(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	far := u.Send("GET", "/user", "", "Origin", "https://elsewhere.example")
	if far.Header.Get("Access-Control-Allow-Origin") != "*" || far.Header.Get("Access-Control-Allow-Credentials") != "" ||
		!strings.Contains(far.Header.Get("Access-Control-Expose-Headers"), "X-Total") {
		t.Errorf("another origin gets %v", far.Header)
	}
	own := u.Send("GET", "/user", "", "Origin", h.URL)
	if own.Header.Get("Access-Control-Allow-Origin") != h.URL || own.Header.Get("Access-Control-Allow-Credentials") != "true" {
		t.Errorf("our own origin gets %v", own.Header)
	}
	preflight := h.Anonymous().Send("OPTIONS", variables, "", "Origin", "https://elsewhere.example",
		"Access-Control-Request-Method", "PUT", "Access-Control-Request-Headers", "private-token")
	if preflight.Status != 204 || !strings.Contains(preflight.Header.Get("Access-Control-Allow-Methods"), "PUT") ||
		preflight.Header.Get("Access-Control-Allow-Headers") != "private-token" {
		t.Errorf("preflight: %d %v", preflight.Status, preflight.Header)
	}
	if plain := u.Send("GET", "/user", ""); plain.Header.Get("Access-Control-Allow-Origin") != "" || plain.Header.Get("Vary") != "Origin" {
		t.Errorf("without an origin: %v", plain.Header)
	}
}

func TestARequestKeepsItsID(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	if got := h.Anonymous().Send("GET", "/-/liveness", "", "X-Request-Id", "abc-1").Header.Get("X-Request-Id"); got != "abc-1" {
		t.Errorf("sent abc-1, got %q", got)
	}
	a, b := h.Anonymous().Send("GET", "/-/liveness", "", "X-Request-Id", "bad id\"").Header.Get("X-Request-Id"),
		h.Anonymous().Send("GET", "/-/liveness", "").Header.Get("X-Request-Id")
	if a == b || len(a) < 20 || strings.ContainsAny(a, ` "`) {
		t.Errorf("ids %q and %q", a, b)
	}
}
