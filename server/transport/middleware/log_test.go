package middleware

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"svc/server/platform/apierr"

	"github.com/labstack/echo/v4"
)

func TestSecretsInAQueryAreMasked(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, raw, want string }{
		{"nothing secret", "page=2&search=x", "page=2&search=x"},
		{"a token", "private_token=abc&page=2", "private_token=[MASKED]&page=2"},
		{
			"each kind of token", "access_token=a&job_token=b&token=c&refresh_token=d",
			"access_token=[MASKED]&job_token=[MASKED]&token=[MASKED]&refresh_token=[MASKED]",
		},
		{"another case", "Private_Token=abc", "Private_Token=[MASKED]"},
		{"an escaped name", "private%5Ftoken=abc", "private%5Ftoken=[MASKED]"},
		{"a name that cannot be decoded", "private%5token=abc", "private%5token=[MASKED]"},
		{"twice", "private_token=a&private_token=b", "private_token=[MASKED]&private_token=[MASKED]"},
		{"a value with =", "token=a=b=c", "token=[MASKED]"},
		{"no value", "token", "token=[MASKED]"},
		{"passwords", "password=a&new_password=b&user[password]=c", "password=[MASKED]&new_password=[MASKED]&user[password]=[MASKED]"},
		{"in brackets", "hook[token]=a&app%5Bsecret%5D=b", "hook[token]=[MASKED]&app%5Bsecret%5D=[MASKED]"},
		{"of reported errors", "sentry_key=a&sentry_version=7", "sentry_key=[MASKED]&sentry_version=7"},
		{"of OAuth", "code=a&client_secret=b&state=c", "code=[MASKED]&client_secret=[MASKED]&state=c"},
		{"empty pieces", "&&a=b&", "&&a=b&"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := maskQuery(c.raw); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Writes also read their parameters from the query, and the value of a CI/CD variable is a secret.
func TestASecretBehindASemicolonIsMasked(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"a=1;private_token=x", "a=1%3Bprivate_token=x"} {
		if got := maskQuery(raw); got != "a=1&private_token=[MASKED]" {
			t.Errorf("%s is logged as %s", raw, got)
		}
	}
}

func TestAVariablesValueInAQueryIsMasked(t *testing.T) {
	t.Parallel()
	if got := maskQuery("key=DEPLOY_KEY&value=hunter22"); strings.Contains(got, "hunter22") {
		t.Errorf("logged as %s", got)
	}
}

func TestALongURIIsCutInTheLog(t *testing.T) {
	t.Parallel()
	for _, uri := range []string{"/" + strings.Repeat("a", 2*maxLogged), "/x?" + strings.Repeat("b", 2*maxLogged)} {
		u, err := url.ParseRequestURI(uri)
		if err != nil {
			t.Fatal(err)
		}
		if got := maskedURI(u); len(got) != maxLogged+len("…") || !strings.HasSuffix(got, "…") {
			t.Errorf("logged with %d characters: %s", len(got), got)
		}
	}
	u := &url.URL{Path: "/projects/a b/x", RawQuery: "token=abc"}
	if got := maskedURI(u); got != "/projects/a%20b/x?token=[MASKED]" {
		t.Errorf("logged as %s", got)
	}
}

func TestEachRequestIsOneLineWithoutSecrets(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	e := server(t, Log(slog.New(slog.NewJSONHandler(&out, nil))))
	e.GET("/fail", func(echo.Context) error { return apierr.NotFound("Job") })
	rec := ask(
		e, "GET", "/fail?private_token=svcpat-abc", "", "PRIVATE-TOKEN", "svcpat-def", "Authorization",
		"Bearer svcpat-ghi", "Cookie", "_svc_session=jkl",
	)
	wantAnswer(t, rec, 404, `{"message":"404 Job Not Found"}`)
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	for name, want := range map[string]any{
		"msg": "request", "method": "GET", "path": "/fail?private_token=[MASKED]", "status": 404.0, "ip": "192.0.2.1",
		"request_id": rec.Header().Get("X-Request-Id"), "bytes": float64(rec.Body.Len()),
	} {
		if line[name] != want {
			t.Errorf("%s is %v, want %v", name, line[name], want)
		}
	}
	for _, secret := range []string{"svcpat", "jkl"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%s is in %s", secret, out.String())
		}
	}
}
