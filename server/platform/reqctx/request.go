// Package reqctx holds what is known about the current request: its caller, its credential, its address. It travels in the context.
package reqctx

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"svc/store/model"
)

// Info is one request. Steps on its way fill it in; the operation only reads it.
type Info struct {
	ID        string
	Start     time.Time
	IP        netip.Addr
	BaseURL   string // external, without a slash at the end
	Method    string
	URL       *url.URL
	Header    http.Header
	Operation string
	Matched   any    // the operation that the router found, as the steps know it
	Actor     *Actor // nil for an anonymous caller
	Input     any    // between folding and validation

	// Slips of the caller, for the hint of a failure.
	Unread        bool // there is an Authorization header, but no credential in a form that is read
	LooksLikeJSON bool // the body looks like JSON, but is declared as something else
}

// SessionCookie is the plain name of the browser session's cookie.
const SessionCookie = "_svc_session"

// CookieName is how a cookie of ours is called. On https the name says that no other host, such as a site below ours, may have
// set it: browsers take __Host- only from the host itself.
func CookieName(name, baseURL string) string {
	if strings.HasPrefix(baseURL, "https://") {
		return "__Host-" + name
	}
	return name
}

// Kind is how a caller has proved who they are.
type Kind string

// The kinds of credential.
const (
	PersonalToken Kind = "personal_access_token"
	OAuthToken    Kind = "oauth"
	JobToken      Kind = "job_token"
	Session       Kind = "session"
	Password      Kind = "password" // for git only
	SSHKey        Kind = "ssh_key"  // for git only
)

// Actor is who makes the request.
type Actor struct {
	User     model.Caller
	Kind     Kind
	Scopes   []string      // of the token; a session needs none
	TokenID  int64         // of a PersonalToken, else 0
	LastUsed *time.Time    // of the token, as noted so far
	Real     *model.Caller // the administrator behind a sudo
	Job      *Job          // of a JobToken
	Posing   bool          // the token is an administrator's way to act as the user
	Maker    *Maker        // that administrator, if they are still there
}

// Maker is who made an impersonation token.
type Maker struct {
	ID   int64
	Name string
}

// Job is whose token a caller comes with.
type Job struct{ ID, ProjectID int64 }

// HasScope tells whether the actor's token carries a scope.
func (a *Actor) HasScope(scope string) bool { return slices.Contains(a.Scopes, scope) }

// Listed are the values of a parameter of the query that is a list inside an object, such as not[labels]: given once or again, with or
// without brackets at the end, each with commas or alone; at most so many. The generated code takes such a list for empty.
func (i *Info) Listed(name string, most int) []string {
	var all []string
	query := i.URL.Query()
	for _, given := range append(query[name], query[name+"[]"]...) {
		for one := range strings.SplitSeq(given, ",") {
			if one = strings.TrimSpace(one); one != "" && len(all) < most {
				all = append(all, one)
			}
		}
	}
	return all
}

type key struct{}

// With puts the request into the context.
func With(ctx context.Context, info *Info) context.Context {
	return context.WithValue(ctx, key{}, info)
}

// Of is the request that the context belongs to; outside a request it is empty.
func Of(ctx context.Context) *Info {
	if info, ok := ctx.Value(key{}).(*Info); ok {
		return info
	}
	return &Info{}
}

// Matches tells whether the caller's If-None-Match names a tag; it compares weakly, as RFC 9110 §13.1.2 wants.
func (i *Info) Matches(tag string) bool {
	for candidate := range strings.SplitSeq(i.Header.Get("If-None-Match"), ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == "*" || (candidate != "" && candidate == strings.TrimPrefix(tag, "W/")) {
			return true
		}
	}
	return false
}

// UnmodifiedSince reads the condition of a DELETE; what is not an HTTP date is ignored.
func UnmodifiedSince(header *string) *time.Time {
	if header == nil {
		return nil
	}
	t, err := http.ParseTime(*header)
	if err != nil {
		return nil
	}
	return &t
}
