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

// AuthorizeRequest is a valid authorization request: an application asks a user for a code.
type AuthorizeRequest struct {
	Application model.OAuthApplication
	RedirectURI string
	Scopes      []string
	Prompt      []string       // of OpenID Connect: none, login, consent, select_account
	MaxAge      *time.Duration // how long ago the user may have signed in; nil for any time
	state       string
	stated      bool // a state was sent, even if it is empty
	mode        string
	challenge   string
	nonce       string
}

// RedirectError is returned for a request whose error is reported to the application: the browser is redirected to URL.
type RedirectError struct{ URL string }

func (*RedirectError) Error() string { return "the error is sent to the application" }

// AuthorizeParameters are the parameters of an authorization request. A form that repeats the request contains all of them.
var AuthorizeParameters = []string{
	"client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "code_challenge",
	"code_challenge_method", "nonce", "prompt",
	"max_age", "request", "request_uri",
}

// ReadAuthorizeRequest reads an authorization request. If the application is unknown, or the redirect URI is not one of its own, the
// browser is not redirected: the error is an *Error to show. Every other error is a *SentBackError.
func (p *Provider) ReadAuthorizeRequest(ctx context.Context, params url.Values) (AuthorizeRequest, error) {
	ask := AuthorizeRequest{
		RedirectURI: params.Get("redirect_uri"), state: params.Get("state"), stated: params.Has("state"),
		mode: params.Get("response_mode"), nonce: params.Get("nonce"),
	}
	uid := params.Get("client_id")
	if repeated(params, "client_id", "redirect_uri") || !validText(uid) {
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
		return ask, p.errorRedirect(ask, refused)
	}
	return ask, nil
}

// read reads the parameters whose errors are reported to the application.
func (a *AuthorizeRequest) read(params url.Values, c *client) *Error {
	a.Prompt = strings.Fields(params.Get("prompt")) // first, because prompt=none forbids to show a page
	if repeated(params, AuthorizeParameters...) || !validText(a.nonce) {
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

// readMaxAge reads max_age of OpenID Connect Core §3.1.2.1, in whole seconds, and reports whether it is valid.
func (a *AuthorizeRequest) readMaxAge(params url.Values) bool {
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

// NeedsSignIn reports whether a user who has signed in at a time has to sign in again. A user who has to choose an
// account does so by signing in.
func (a *AuthorizeRequest) NeedsSignIn(since, now time.Time) bool {
	if slices.Contains(a.Prompt, "login") || slices.Contains(a.Prompt, "select_account") {
		return true
	}
	return a.MaxAge != nil && now.Sub(since) > *a.MaxAge
}

// readChallenge applies RFC 7636: only S256 is allowed, and an application without a secret must send a challenge.
func (a *AuthorizeRequest) readChallenge(params url.Values, c *client) *Error {
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

// errorRedirect reports a refusal to the application. An application with an out-of-band redirect URI has no address, so the
// refusal is shown.
func (p *Provider) errorRedirect(ask AuthorizeRequest, refused *Error) error {
	if ask.RedirectURI == OutOfBand {
		return refused
	}
	values := url.Values{"error": {refused.Code}, "error_description": {refused.Description}}
	return &RedirectError{URL: p.redirectURL(ask, values)}
}

// redirectURL returns the redirect URI with an answer. The state is returned as it was sent, and the issuer is named (RFC
// 9207).
func (p *Provider) redirectURL(ask AuthorizeRequest, values url.Values) string {
	values.Set("iss", p.o.BaseURL)
	if ask.stated {
		values.Set("state", ask.state)
	}
	return withParameters(ask.RedirectURI, ask.mode, values)
}

// Refuse returns the answer to a request that cannot be granted, with an error code of OpenID Connect or OAuth.
func (p *Provider) Refuse(ask AuthorizeRequest, code string) error {
	return p.errorRedirect(ask, refuse(code))
}

// NeedsConsent reports whether the user has to be asked. A trusted application needs no consent. An application that
// already has a token with the same scopes, or more, needs no new consent if it has a secret, or if it got that token
// through the same https or loopback address: nobody else receives a code there. Any program on a device may have
// claimed another scheme, so such addresses always need consent.
func (p *Provider) NeedsConsent(ctx context.Context, ask AuthorizeRequest, userID int64) (bool, error) {
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

// Consent says which user allows a request.
type Consent struct {
	User       model.Caller
	SignedInAt time.Time
	Ticket     []byte // of the submitted form, valid once; nil if nobody was asked
}

// Allow gives the application a code and returns the URL to redirect the browser to. If the ticket was used before, it
// returns a *store.ConflictError.
func (p *Provider) Allow(ctx context.Context, ask AuthorizeRequest, by Consent) (string, error) {
	if !p.mayHaveScopes(by.User, ask.Scopes) {
		return "", p.errorRedirect(ask, refuse("invalid_scope"))
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
	return p.redirectURL(ask, url.Values{"code": {code}}), nil
}

// issue lets fosite make the code. It passes a request of its own with a placeholder for the state, because fosite
// requires one and back adds the real one.
func (p *Provider) issue(ctx context.Context, ask AuthorizeRequest, by Consent) (string, error) {
	form := url.Values{
		"client_id": {ask.Application.UID}, "redirect_uri": {ask.RedirectURI}, "response_type": {"code"},
		"scope": {strings.Join(ask.Scopes, " ")},
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
