// Package reqctx holds the facts about the current request, such as its caller, its credential and its address. They
// travel in the context.
package reqctx

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/observe"
)

// Info describes one request. The middleware fills it in; the operation only reads it.
type Info struct {
	ID        string
	Start     time.Time
	IP        netip.Addr // of the client
	Peer      netip.Addr // of the other end of the connection: the client, or a proxy
	BaseURL   string     // external, without a trailing slash
	Method    string
	URL       *url.URL
	Header    http.Header
	Operation string
	Matched   any    // the operation that the router found; middleware knows its type
	Actor     *Actor // nil for an anonymous caller
	Input     any    // the parameters and the body, between reading and validation
	Work      observe.Work
	Ahead     *store.Ahead // what to read together with the caller; nil for requests about other things

	// Likely mistakes of the client, for the hint of an error.
	UnreadCredential bool // there is an Authorization header, but in no form that the service reads
	LooksLikeJSON    bool // the body looks like JSON, but has another content type
}

// FromNetwork reports whether the client is in one of the networks. If a proxy forwarded the request, the forwarded address
// counts, and only if the proxy is trusted.
func (i *Info) FromNetwork(networks []netip.Prefix) bool {
	forwarded := i.Header.Get("X-Forwarded-For") != "" || i.Header.Get("Forwarded") != ""
	if forwarded && i.Peer == i.IP {
		return false // nobody trusts the proxy
	}
	return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(i.IP) })
}

// SessionCookie is the plain name of the cookie of a browser session.
const SessionCookie = "_svc_session"

// CookieName returns the full name of one of the service's cookies. With https it has the prefix __Host-: browsers
// accept such a cookie only from the host itself, so no other host, such as a site below ours, can have set it.
func CookieName(name, baseURL string) string {
	if strings.HasPrefix(baseURL, "https://") {
		return "__Host-" + name
	}
	return name
}

// Kind is the kind of credential that identified the caller.
type Kind string

// The kinds of credentials.
const (
	PersonalToken Kind = "personal_access_token"
	OAuthToken    Kind = "oauth"
	JobToken      Kind = "job_token"
	Session       Kind = "session"
	Password      Kind = "password"   // for git only
	SSHKey        Kind = "ssh_key"    // for git only
	DeployKey     Kind = "deploy_key" // for git only
)

// Actor is the caller of the request.
type Actor struct {
	User         model.Caller
	Kind         Kind
	Scopes       []string      // scopes of the token; a session needs none
	TokenID      int64         // of a PersonalToken, else 0
	LastUsed     *time.Time    // when the token was last used, as stored before this request
	SudoBy       *model.Caller // the administrator behind sudo
	Job          *Job          // the job of a JobToken
	DeployKeyID  int64         // of a DeployKey, else 0; its user is the creator of the key, without an id if that is gone
	Impersonated bool          // an administrator acts as the user with an impersonation token
	Impersonator *Impersonator // that administrator, if the account still exists
}

// Impersonator is the administrator who created an impersonation token.
type Impersonator struct {
	ID   int64
	Name string
}

// Job is the job whose token the caller uses.
type Job struct{ ID, ProjectID, PipelineID int64 }

// HasScope reports whether the actor's token has a scope.
func (a *Actor) HasScope(scope string) bool { return slices.Contains(a.Scopes, scope) }

// QueryList returns the values of a query parameter that is a list inside an object, such as not[labels], at most as many
// as the limit. The parameter may occur several times, with or without [] at the end, and each value may contain
// several, separated by commas. The generated code reads such a list as empty.
func (i *Info) QueryList(name string, most int) []string {
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

// infoContext is a context with a request. It also answers the question for the measured work, so that a request needs no
// second context.
type infoContext struct {
	context.Context
	info *Info
}

// Value returns the request, its work, or a value of the context inside.
func (c *infoContext) Value(of any) any {
	switch of.(type) {
	case key:
		return c.info
	case observe.Key:
		return &c.info.Work
	}
	return c.Context.Value(of)
}

// With puts the request into the context.
func With(ctx context.Context, info *Info) context.Context { return &infoContext{ctx, info} }

// Of returns the request of the context; outside a request it is empty.
func Of(ctx context.Context) *Info {
	if info, ok := ctx.Value(key{}).(*Info); ok {
		return info
	}
	return &Info{}
}

// Matches reports whether the request's If-None-Match contains a tag. It compares weakly, as RFC 9110 §13.1.2 requires.
func (i *Info) Matches(tag string) bool {
	for candidate := range strings.SplitSeq(i.Header.Get("If-None-Match"), ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == "*" || (candidate != "" && candidate == strings.TrimPrefix(tag, "W/")) {
			return true
		}
	}
	return false
}

// UnmodifiedSince reads the condition of a DELETE. It ignores a text that is not an HTTP date.
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
