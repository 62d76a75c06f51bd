package oauth

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"svc/store"
	"svc/store/model"
)

// claims are the claims about a user, OpenID Connect Core §5.1. Claims without a value are omitted.
type claims struct {
	Sub               string   `json:"sub"`
	Name              string   `json:"name"`
	Nickname          string   `json:"nickname"`
	PreferredUsername string   `json:"preferred_username"`
	Email             *string  `json:"email,omitempty"`
	EmailVerified     *bool    `json:"email_verified,omitempty"`
	Website           string   `json:"website,omitempty"`
	Profile           string   `json:"profile"`
	Picture           *string  `json:"picture,omitempty"`
	Groups            []string `json:"groups"`
	Owner             []string `json:"https://svc.org/claims/groups/owner,omitempty"`
	Maintainer        []string `json:"https://svc.org/claims/groups/maintainer,omitempty"`
	Developer         []string `json:"https://svc.org/claims/groups/developer,omitempty"`
}

// UserInfo tells an application who its user is. Its errors are in the header only.
// GET /oauth/userinfo, POST /oauth/userinfo
func (p *Provider) UserInfo(w http.ResponseWriter, r *http.Request) error {
	form, err := userInfoForm(r)
	var t store.OAuthRow
	if err == nil {
		t, err = p.active(r.Context(), bearer(r, form))
	}
	if err == nil && !t.HasScope("openid") {
		err = &Error{
			Status: http.StatusForbidden, Code: "insufficient_scope",
			Description: "The request requires higher privileges than provided by the access token.",
		}
	}
	if err != nil {
		refused := refusal(err)
		if refused == nil {
			return err
		}
		w.Header().Set("WWW-Authenticate", refused.challenge())
		w.Header().Set("X-Error-Code", refused.word())
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(refused.Status)
		return nil
	}
	told, err := p.claims(r.Context(), t)
	return respond(w, told, err)
}

// userInfoForm returns the parameters that may contain the token if the header does not, RFC 6750 §2: the body of POST,
// the URL of GET.
func userInfoForm(r *http.Request) (url.Values, error) {
	if r.Method == http.MethodPost {
		return readForm(r)
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || repeated(query, "access_token") {
		return nil, refuse("invalid_request")
	}
	return query, nil
}

func (p *Provider) claims(ctx context.Context, t store.OAuthRow) (*claims, error) {
	u, err := p.store.Users.Get(ctx, t.UserID)
	if err != nil {
		return nil, err
	}
	groups, err := p.store.Members.GroupsOf(ctx, u.ID)
	if err != nil {
		return nil, err
	}
	told := &claims{
		Sub: strconv.FormatInt(u.ID, 10), Name: u.Name, Nickname: u.Username, PreferredUsername: u.Username, Website: u.WebsiteURL,
		Profile: p.o.BaseURL + "/" + url.PathEscape(u.Username), Picture: p.o.Picture(u), Groups: []string{},
	}
	told.Email, told.EmailVerified = email(u, t.HasScope("email"))
	for _, g := range groups {
		told.Groups = append(told.Groups, g.FullPath)
		switch g.AccessLevel {
		case model.Owner:
			told.Owner = append(told.Owner, g.FullPath)
		case model.Maintainer:
			told.Maintainer = append(told.Maintainer, g.FullPath)
		case model.Developer:
			told.Developer = append(told.Developer, g.FullPath)
		}
	}
	return told, nil
}

// email returns the address that an application gets: the user's own with the scope email, else the public one, if any.
func email(u model.User, own bool) (address *string, verified *bool) {
	if own {
		confirmed := u.ConfirmedAt != nil
		return &u.Email, &confirmed
	}
	if u.PublicEmail == nil || *u.PublicEmail == "" {
		return nil, nil
	}
	yes := true // only confirmed addresses can be made public
	return u.PublicEmail, &yes
}

// idClaims are the claims of an ID token, OpenID Connect Core §2.
type idClaims struct {
	Iss           string   `json:"iss"`
	Sub           string   `json:"sub"`
	Aud           string   `json:"aud"`
	Exp           int64    `json:"exp"`
	Iat           int64    `json:"iat"`
	Nonce         string   `json:"nonce,omitempty"`
	AuthTime      int64    `json:"auth_time"`
	Email         *string  `json:"email,omitempty"`
	EmailVerified *bool    `json:"email_verified,omitempty"`
	GroupsDirect  []string `json:"groups_direct"`
}

// idToken tells an application who has signed in, and when.
func (p *Provider) idToken(ctx context.Context, whom *session, uid string, scopes []string) (string, error) {
	u, err := p.store.Users.Get(ctx, whom.user.ID)
	if err != nil {
		return "", err
	}
	groups, err := p.store.Members.GroupsOf(ctx, u.ID)
	if err != nil {
		return "", err
	}
	told := idClaims{
		Iss: p.o.BaseURL, Sub: whom.GetSubject(), Aud: uid, Iat: whom.issuedAt.Unix(),
		Exp: whom.issuedAt.Add(p.o.AccessLifetime).Unix(), Nonce: whom.nonce,
		AuthTime: whom.signedInAt.Unix(), GroupsDirect: []string{},
	}
	told.Email, told.EmailVerified = email(u, slices.Contains(scopes, "email"))
	for _, g := range groups {
		if g.Direct {
			told.GroupsDirect = append(told.GroupsDirect, g.FullPath)
		}
	}
	payload, err := json.Marshal(told)
	if err != nil {
		return "", err
	}
	return p.keys.sign(ctx, payload)
}
