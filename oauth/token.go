package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/ory/fosite"
)

// tokenResponse is the response of the token endpoint, RFC 6749 §5.1.
type tokenResponse struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int64  `json:"expires_in"`
	RefreshToken string `json:"refresh_token,omitempty"`
	Scope        string `json:"scope"`
	CreatedAt    int64  `json:"created_at"`
	IDToken      string `json:"id_token,omitempty"`
}

// Token exchanges a code, a refresh token or a password for tokens.
// POST /oauth/token
func (p *Provider) Token(w http.ResponseWriter, r *http.Request) error {
	form, err := readForm(r)
	if err == nil {
		err = checkToken(form)
	}
	if err != nil {
		return respond(w, nil, err)
	}
	r.Form, r.PostForm = form, form // fosite reads these
	given, err := p.exchange(r.Context(), r, form)
	return respond(w, given, err)
}

// checkToken refuses a request that lacks a parameter, before anything else is checked.
func checkToken(form url.Values) error {
	need := map[string][]string{
		"authorization_code": {"code", "redirect_uri"}, "refresh_token": {"refresh_token"}, "password": {"username", "password"},
	}
	kind := form.Get("grant_type")
	if kind == "" {
		return missing("grant_type")
	}
	names, known := need[kind]
	if !known {
		return refuse("unsupported_grant_type")
	}
	for _, name := range names {
		if form.Get(name) == "" {
			return missing(name)
		}
	}
	return nil
}

func (p *Provider) exchange(ctx context.Context, r *http.Request, form url.Values) (*tokenResponse, error) {
	ar, err := p.core.NewAccessRequest(ctx, r, &session{})
	if err != nil {
		// RFC 7636 §4.5: a code with a challenge needs the verifier.
		if ar != nil && form.Get("code_verifier") == "" && sessionOf(ar).challenge != "" {
			return nil, missing("code_verifier")
		}
		return nil, err
	}
	if form.Get("grant_type") == "refresh_token" {
		if err := narrowScopes(ar, form); err != nil {
			return nil, err
		}
	}
	whom := sessionOf(ar)
	var res fosite.AccessResponder
	err = p.store.Tx(ctx, func(ctx context.Context) error {
		if whom.grantID != 0 {
			if err := p.store.OAuthTokens.LockUser(ctx, whom.user.ID); err != nil {
				return err
			}
		}
		res, err = p.core.NewAccessResponse(ctx, ar)
		return err
	})
	if form.Get("grant_type") == "authorization_code" &&
		(errors.Is(err, errAlreadyUsed) || errors.Is(err, fosite.ErrInvalidatedAuthorizeCode)) {
		// Another request has redeemed the code meanwhile: one of the two clients may have stolen it.
		return nil, errors.Join(err, p.store.OAuthTokens.RevokeGrant(ctx, whom.grantID))
	}
	if err != nil {
		return nil, err
	}
	return p.present(ctx, ar, res)
}

// narrowScopes checks the parameters of a refresh: it may ask for fewer scopes than were granted. If it names a redirect URI,
// that must be the same as before.
func narrowScopes(ar fosite.AccessRequester, form url.Values) error {
	if uri := form.Get("redirect_uri"); uri != "" && uri != sessionOf(ar).redirectURI {
		return refuse("invalid_grant")
	}
	if form.Get("scope") == "" {
		return nil
	}
	scopes := parseScopes(form.Get("scope"))
	if !subset(scopes, ar.GetGrantedScopes()) {
		return refuse("invalid_scope")
	}
	request, ok := ar.(*fosite.AccessRequest)
	if !ok {
		return errors.New("the request is not a fosite request")
	}
	request.GrantedScope = scopes
	return nil
}

// present builds the response with the tokens that fosite has made.
func (p *Provider) present(ctx context.Context, ar fosite.AccessRequester, res fosite.AccessResponder) (*tokenResponse, error) {
	scopes, whom := ar.GetGrantedScopes(), sessionOf(ar)
	given := &tokenResponse{
		AccessToken: res.GetAccessToken(), TokenType: "bearer", ExpiresIn: int64(p.o.AccessLifetime.Seconds()),
		Scope:     strings.Join(scopes, " "),
		CreatedAt: whom.issuedAt.Unix(),
	}
	given.RefreshToken, _ = res.GetExtra("refresh_token").(string)
	if !slices.Contains(scopes, "openid") {
		return given, nil
	}
	var err error
	given.IDToken, err = p.idToken(ctx, whom, clientOf(ar).app.UID, scopes)
	return given, err
}
