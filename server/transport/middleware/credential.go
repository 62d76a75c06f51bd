package middleware

import (
	"net/http"
	"net/url"
	"strings"

	"svc/server/platform/reqctx"
)

// credentials holds the credentials of a request.
type credentials struct {
	bearer  string // any access token
	job     string // sent as a job token
	either  bool   // the bearer token came in a place that also accepts job tokens
	session string
	doubled bool // there are two session cookies, one of which may be planted
}

// find looks in the places of the contract: the query first, then the token's own header, then Bearer, then the cookie.
func find(r *http.Request) credentials {
	var c credentials
	if strings.Contains(r.URL.RawQuery, "token") {
		query, _ := url.ParseQuery(r.URL.RawQuery) // Fold refuses a query that cannot be parsed
		c.bearer = first(query.Get("private_token"), query.Get("access_token"))
		c.job = query.Get("job_token")
	}
	c.bearer = first(c.bearer, r.Header.Get("PRIVATE-TOKEN"))
	if c.bearer == "" {
		c.bearer = bearer(r.Header.Get("Authorization"))
		c.either = c.bearer != ""
	}
	c.job = first(c.job, r.Header.Get("JOB-TOKEN"))
	if r.Header.Get("Cookie") == "" {
		return c
	}
	cookies := r.CookiesNamed(reqctx.CookieName(reqctx.SessionCookie, reqctx.Of(r.Context()).BaseURL))
	if len(cookies) > 0 {
		c.session, c.doubled = cookies[0].Value, len(cookies) > 1
	}
	return c
}

// orBasic adds the password of HTTP Basic if the request has no other credential: the token of a job if the username is
// that of jobs, otherwise an access token.
func (c credentials) orBasic(r *http.Request) credentials {
	login, password, ok := r.BasicAuth()
	if !ok || c != (credentials{}) {
		return c
	}
	if login == "gitlab-ci-token" || login == "svc-ci-token" {
		c.job = password
	} else {
		c.bearer = password
	}
	return c
}

func hasCredential(r *http.Request) bool { return find(r) != credentials{} }

func bearer(header string) string {
	scheme, token, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
