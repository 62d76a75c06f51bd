package oauth

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/store"
	"svc/store/model"

	"github.com/ory/fosite"
)

// Ask is an authorization request that was found in order: an application asks a user for a code.
type Ask struct {
	Application model.OAuthApplication
	RedirectURI string
	Scopes      []string
	Prompt      []string       // of OpenID Connect: none, login, consent, select_account
	MaxAge      *time.Duration // how long ago the user may have signed in; nil is any time
	state       string
	stated      bool // a state was sent, be it empty
	mode        string
	challenge   string
	nonce       string
}

// SentBackError is a request whose mistake the application is told: the browser goes to URL.
type SentBackError struct{ URL string }

func (*SentBackError) Error() string { return "the mistake is told to the application" }

// AskParameters are those that an authorization request is made of. A form that repeats the request holds all of them.
var AskParameters = []string{
	"client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "code_challenge", "code_challenge_method", "nonce", "prompt",
	"max_age", "request", "request_uri",
}

// Ask reads an authorization request. With an unknown application or a redirect URI that is not its own the browser goes
// nowhere: the failure is an *Error to show. Every other mistake is a *SentBackError.
func (p *Provider) Ask(ctx context.Context, params url.Values) (Ask, error) {
	ask := Ask{RedirectURI: params.Get("redirect_uri"), state: params.Get("state"), stated: params.Has("state"), mode: params.Get("response_mode"), nonce: params.Get("nonce")}
	uid := params.Get("client_id")
	if repeated(params, "client_id", "redirect_uri") || !clean(uid) {
		return ask, refuse("invalid_request")
	}
	found, err := p.core.Store.GetClient(ctx, uid)
	if errors.Is(err, fosite.ErrNotFound) {
		return ask, refuse("invalid_client")
	}
	if err != nil {
		return ask, err
	}
	c, _ := found.(*client)
	if ask.RedirectURI == "" || isForbidden(ask.RedirectURI) || !registered(c.redirects, ask.RedirectURI) {
		return ask, refuse("invalid_redirect_uri")
	}
	ask.Application = c.app
	if refused := ask.read(params, c); refused != nil {
		return ask, p.tell(ask, refused)
	}
	return ask, nil
}

// read fills in what may be wrong without the browser staying here.
func (a *Ask) read(params url.Values, c *client) *Error {
	a.Prompt = strings.Fields(params.Get("prompt")) // first, because no page is shown where none is wanted
	if repeated(params, AskParameters...) || !clean(a.nonce) {
		return refuse("invalid_request")
	}
	for _, name := range []string{"request", "request_uri"} { // OpenID Connect Core §6
		if params.Has(name) {
			return refuse(name + "_not_supported")
		}
	}
	switch params.Get("response_type") {
	case "code":
	case "":
		return missing("response_type")
	default:
		return refuse("unsupported_response_type")
	}
	if !slices.Contains([]string{"", "query", "fragment"}, a.mode) {
		a.mode = ""
		return refuse("unsupported_response_mode")
	}
	a.Scopes = parseScopes(params.Get("scope"))
	if !subset(a.Scopes, c.scopes) {
		return refuse("invalid_scope")
	}
	if slices.Contains(a.Prompt, "none") && len(a.Prompt) > 1 || !a.readMaxAge(params) {
		return refuse("invalid_request")
	}
	return a.readChallenge(params, c)
}

// readMaxAge reads max_age of OpenID Connect Core §3.1.2.1, whole seconds, and tells whether it can be read.
func (a *Ask) readMaxAge(params url.Values) bool {
	if params.Get("max_age") == "" {
		return true
	}
	seconds, err := strconv.ParseUint(params.Get("max_age"), 10, 31)
	if err != nil {
		return false
	}
	age := time.Duration(seconds) * time.Second
	a.MaxAge = &age
	return true
}

// NeedsSignIn tells whether a user who has signed in at a time has to do so again. Where an account is to be chosen,
// signing in is how.
func (a *Ask) NeedsSignIn(since, now time.Time) bool {
	if slices.Contains(a.Prompt, "login") || slices.Contains(a.Prompt, "select_account") {
		return true
	}
	return a.MaxAge != nil && now.Sub(since) > *a.MaxAge
}

// readChallenge holds an application to RFC 7636: S256 only, and one that has no secret must send a challenge.
func (a *Ask) readChallenge(params url.Values, c *client) *Error {
	a.challenge = params.Get("code_challenge")
	if a.challenge == "" {
		switch {
		case c.IsPublic():
			return missing("code_challenge")
		case params.Get("code_challenge_method") != "":
			return missing("code_challenge")
		}
		return nil
	}
	if params.Get("code_challenge_method") != "S256" {
		return refuse("invalid_code_challenge_method")
	}
	if sum, err := base64.RawURLEncoding.DecodeString(a.challenge); err != nil || len(sum) != 32 {
		return refuse("invalid_request")
	}
	return nil
}

// tell sends a refusal back to the application. One that gets its codes by hand has no address: it is shown.
func (p *Provider) tell(ask Ask, refused *Error) error {
	if ask.RedirectURI == OutOfBand {
		return refused
	}
	values := url.Values{"error": {refused.Code}, "error_description": {refused.Description}}
	return &SentBackError{URL: p.back(ask, values)}
}

// back is the redirect URI with an answer; state comes back as it was sent, and who answers is named (RFC 9207).
func (p *Provider) back(ask Ask, values url.Values) string {
	values.Set("iss", p.o.BaseURL)
	if ask.stated {
		values.Set("state", ask.state)
	}
	return sendBack(ask.RedirectURI, ask.mode, values)
}

// Refuse is the answer to a request that cannot be granted, with a code of OpenID Connect or OAuth.
func (p *Provider) Refuse(ask Ask, code string) error { return p.tell(ask, refuse(code)) }

// NeedsConsent is true if the user has to be asked. A trusted application does not ask. One that has a token with the same scopes,
// or more, already does not ask again if it has a secret, or if it got that token by the same https or loopback address: nobody
// else receives a code there. Any program on a device may have claimed another scheme, so those always ask.
func (p *Provider) NeedsConsent(ctx context.Context, ask Ask, userID int64) (bool, error) {
	if slices.Contains(ask.Prompt, "consent") {
		return true, nil
	}
	if ask.Application.Trusted {
		return false, nil
	}
	if !isWeb(ask.RedirectURI) {
		return true, nil
	}
	granted, err := p.store.OAuthTokens.Granted(ctx, userID, ask.Application.ID)
	if err != nil {
		return false, err
	}
	return !slices.ContainsFunc(granted, func(g store.OAuthGranted) bool {
		proved := ask.Application.Confidential || (isOwnAddress(ask.RedirectURI) && registered([]string{g.RedirectURI}, ask.RedirectURI))
		return proved && subset(ask.Scopes, strings.Fields(g.Scopes))
	}), nil
}

// Consent is who allows a request.
type Consent struct {
	User       model.Caller
	SignedInAt time.Time
	Ticket     []byte // of the form that was answered, which works once; nil where nobody was asked
}

// Allow gives the application a code and returns where the browser goes. A ticket that was used before is a
// *store.ConflictError.
func (p *Provider) Allow(ctx context.Context, ask Ask, by Consent) (string, error) {
	if !p.mayCarry(by.User, ask.Scopes) {
		return "", p.tell(ask, refuse("invalid_scope"))
	}
	code, err := p.issue(ctx, ask, by)
	if err = cause(err); store.IsNotFound(err) {
		return "", refuse("invalid_client") // deleted meanwhile
	}
	if err != nil {
		return "", err
	}
	if ask.RedirectURI == OutOfBand {
		return p.o.BaseURL + "/oauth/authorize/native?" + url.Values{"code": {code}}.Encode(), nil
	}
	return p.back(ask, url.Values{"code": {code}}), nil
}

// issue has fosite make the code. It is given a request of its own, with a placeholder for the state, which it wants and we
// send back ourselves.
func (p *Provider) issue(ctx context.Context, ask Ask, by Consent) (string, error) {
	form := url.Values{
		"client_id": {ask.Application.UID}, "redirect_uri": {ask.RedirectURI}, "response_type": {"code"}, "scope": {strings.Join(ask.Scopes, " ")},
		"state": {"unused"},
	}
	if ask.challenge != "" {
		form.Set("code_challenge", ask.challenge)
		form.Set("code_challenge_method", "S256")
	}
	r := (&http.Request{Method: http.MethodGet, URL: &url.URL{}, Form: form, PostForm: url.Values{}}).WithContext(ctx)
	ar, err := p.core.NewAuthorizeRequest(ctx, r)
	if err != nil {
		return "", err
	}
	for _, scope := range ask.Scopes {
		ar.GrantScope(scope)
	}
	res, err := p.core.NewAuthorizeResponse(ctx, ar, &session{
		user: by.User, redirectURI: ask.RedirectURI, challenge: ask.challenge, nonce: ask.nonce, ticket: by.Ticket,
		signedInAt: by.SignedInAt.UTC().Truncate(time.Microsecond),
	})
	if err != nil {
		return "", err
	}
	return res.GetCode(), nil
}
