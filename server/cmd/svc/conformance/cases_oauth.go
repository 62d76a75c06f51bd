package conformance

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

const (
	callbackURL  = "https://app.example.com/callback"
	codeVerifier = "a-code-verifier-of-at-least-forty-three-characters-.~"
)

// oauth has the OAuth 2.0 provider.
func oauth() Area {
	return Area{Name: "oauth", Scenarios: []Scenario{
		{Name: "authorization code", Prepare: prepareOAuth, Cases: codeFlowCases},
		{Name: "authorization code with PKCE", Prepare: prepareOAuth, Cases: pkceCases},
		{Name: "password", Prepare: prepareOAuth, Cases: passwordCases},
		{Name: "refusals", Prepare: prepareOAuth, Cases: oauthRefusalCases},
		{Name: "calls from other origins", Cases: corsCases},
	}}
}

// prepareOAuth registers a confidential and a public application, and creates a user who can sign in.
func prepareOAuth(ctx context.Context, s *Session) error {
	for name, confidential := range map[string]string{"app": "true", "public_app": "false"} {
		made, err := s.Call(ctx, Admin, "POST /applications", `{"name":"<prefix>","redirect_uri":"`+callbackURL+`",
			"scopes":"api read_user openid profile email","confidential":`+confidential+`}`, 201)
		if err != nil {
			return err
		}
		s.values.set(name, made.Member("application_id"))
		s.values.set(name+"_secret", made.Member("secret"))
	}
	s.values.set("callback", callbackURL)
	s.values.set("verifier", codeVerifier)
	user := "person" + strings.ToLower(strings.ReplaceAll(s.scenario, " ", ""))
	if err := s.createUser(ctx, user, `"password":"`+password+`"`); err != nil {
		return err
	}
	for _, part := range []string{"id", "username", "token"} {
		value, err := s.values.get(user + "_" + part)
		if err != nil {
			return err
		}
		s.values.set("person_"+part, value)
	}
	return nil
}

const authorize = "GET /oauth/authorize?client_id=<app>&redirect_uri=<callback>&response_type=code&scope=api&state=xyz"

const redeem = "grant_type=authorization_code&client_id=<app>&client_secret=<app_secret>&redirect_uri=<callback>&code=<code>"

var codeFlowCases = []Case{
	{
		Promise: "A user who is not signed in is asked to sign in.",
		As:      Anonymous, Send: authorize, Status: 302, Headers: Header{"Location": "*"},
	},
	{
		Promise: "A user who allows the application is sent back with a code and the state.", Operation: "getOauthAuthorize",
		Do: obtainCode("code", "client_id=<app>&scope=api+openid+profile+email"),
	},
	{
		Promise: "The code is exchanged for tokens.", As: Anonymous, Send: "POST /oauth/token", Form: redeem, Status: 200,
		Has:  `{"access_token":"*","token_type":"*","expires_in":7200,"refresh_token":"*","created_at":"*"}`,
		Then: isBearer, Keep: map[string]string{"access_token": "access_token", "refresh_token": "refresh_token"},
	},
	{
		Promise: "The access token authenticates.",
		As:      Anonymous, Header: Header{"Authorization": "Bearer <access_token>"}, Send: "GET /user",
		Status: 200, Has: `{"id":<person_id>}`,
	},
	{
		Promise: "The access token authenticates as a query parameter.",
		As:      Anonymous, Send: "GET /user?access_token=<access_token>", Status: 200,
	},
	{
		Promise: "The details of the token can be read.", As: Anonymous, Header: Header{"Authorization": "Bearer <access_token>"},
		Send: "GET /oauth/token/info", Status: 200,
		Has: `{"resource_owner_id":<person_id>,"scope":["api"],"scopes":["api"],"expires_in":"*","expires_in_seconds":"*",
			"application":{"uid":"<app>"},"created_at":"*"}`,
	},
	{
		Promise: "The claims about the user can be read.", As: Anonymous, Header: Header{"Authorization": "Bearer <access_token>"},
		Send: "GET /oauth/userinfo", Status: 200, Has: `{"sub":"<person_id>","name":"*","nickname":"<person_username>"}`,
	},
	{
		Promise: "A refresh token is exchanged for new tokens.", As: Anonymous, Send: "POST /oauth/token", Status: 200,
		Form: "grant_type=refresh_token&client_id=<app>&client_secret=<app_secret>&redirect_uri=<callback>&refresh_token=<refresh_token>",
		Has:  `{"access_token":"*","refresh_token":"*","expires_in":7200}`, Keep: map[string]string{"new_token": "access_token"},
	},
	{
		Promise: "Refreshing invalidates the old access token.", As: Anonymous, Header: Header{"Authorization": "Bearer <access_token>"},
		Send: "GET /user", Status: 401,
	},
	{
		Promise: "Refreshing invalidates the old refresh token.", As: Anonymous, Send: "POST /oauth/token", Status: 400,
		Form: "grant_type=refresh_token&client_id=<app>&client_secret=<app_secret>&redirect_uri=<callback>&refresh_token=<refresh_token>",
		Has:  `{"error":"invalid_grant"}`,
	},
	{
		Promise: "Revoking a token needs the secret of its application.", As: Anonymous, Send: "POST /oauth/revoke", Status: 403,
		Form: "client_id=<app>&client_secret=wrong&token=<new_token>",
	},
	{
		Promise: "Revoking a token needs its application.", As: Anonymous, Send: "POST /oauth/revoke", Status: 403,
		Form: "token=<new_token>",
	},
	{
		Promise: "A token is revoked.", As: Anonymous, Send: "POST /oauth/revoke", Status: 200, Has: `{}`,
		Form: "client_id=<app>&client_secret=<app_secret>&token=<new_token>",
	},
	{
		Promise: "A revoked token is refused.",
		As:      Anonymous, Header: Header{"Authorization": "Bearer <new_token>"}, Send: "GET /user", Status: 401,
	},
	{
		Promise: "A revoked token has no details.", As: Anonymous, Header: Header{"Authorization": "Bearer <new_token>"},
		Send: "GET /oauth/token/info", Status: 400, Has: `{"error":"invalid_request"}`,
	},
	{
		Promise: "A code works once.",
		As:      Anonymous, Send: "POST /oauth/token", Form: redeem, Status: 400, Has: `{"error":"invalid_grant"}`,
	},
}

const pkce = "client_id=<public_app>&scope=read_user&code_challenge=<challenge>&code_challenge_method=S256"

var pkceCases = []Case{
	{
		Promise: "A public application gets a code with a challenge.", Operation: "getOauthAuthorize", Do: obtainCode("code", pkce),
	},
	{
		Promise: "The code is exchanged with the verifier and without a secret.", As: Anonymous, Send: "POST /oauth/token", Status: 200,
		Form: "grant_type=authorization_code&client_id=<public_app>&redirect_uri=<callback>&code=<code>&code_verifier=<verifier>",
		Has:  `{"access_token":"*","refresh_token":"*"}`, Keep: map[string]string{"narrow_token": "access_token"},
	},
	{
		Promise: "The token has the scope that was asked for.", As: Anonymous, Header: Header{"Authorization": "Bearer <narrow_token>"},
		Send: "GET /projects", Status: 403, Has: `{"error":"insufficient_scope"}`,
	},
	{
		Promise: "A token without openid has no claims.", As: Anonymous, Header: Header{"Authorization": "Bearer <narrow_token>"},
		Send: "GET /oauth/userinfo", Status: 403,
	},
	{Promise: "Another code is obtained.", Operation: "getOauthAuthorize", Do: obtainCode("second_code", pkce)},
	{
		Promise: "A wrong verifier is refused.", As: Anonymous, Send: "POST /oauth/token", Status: 400, Has: `{"error":"invalid_grant"}`,
		Form: "grant_type=authorization_code&client_id=<public_app>&redirect_uri=<callback>&code=<second_code>" +
			"&code_verifier=wrong-<verifier>",
	},
}

var passwordCases = []Case{
	{
		Promise: "A user name and a password are exchanged for a token.", As: Anonymous, Send: "POST /oauth/token", Status: 200,
		Form: "grant_type=password&client_id=<app>&client_secret=<app_secret>&username=<person_username>&password=" + password,
		Has:  `{"access_token":"*","token_type":"*","created_at":"*"}`,
	},
	{
		Promise: "A wrong password is refused.", As: Anonymous, Send: "POST /oauth/token", Status: 400, Has: `{"error":"invalid_grant"}`,
		Form: "grant_type=password&client_id=<app>&client_secret=<app_secret>&username=<person_username>&password=wrong",
	},
}

var oauthRefusalCases = []Case{
	{
		Promise: "An unknown application is not redirected to.", Operation: "getOauthAuthorize", Status: 400,
		Do: refuseAuthorization("client_id=unknown&scope=api&redirect_uri=<callback>"),
	},
	{
		Promise: "Another redirect URI is not redirected to.", Operation: "getOauthAuthorize", Status: 400,
		Do: refuseAuthorization("client_id=<app>&scope=api&redirect_uri=https%3A%2F%2Fevil.example.com"),
	},
	{
		Promise: "A wrong client secret is refused.",
		As:      Anonymous, Send: "POST /oauth/token", Status: 401, Has: `{"error":"invalid_client"}`,
		Form: "grant_type=authorization_code&client_id=<app>&client_secret=wrong&redirect_uri=<callback>&code=x",
	},
	{
		Promise: "An unknown code is refused.", As: Anonymous, Send: "POST /oauth/token", Status: 400, Has: `{"error":"invalid_grant"}`,
		Form: "grant_type=authorization_code&client_id=<app>&client_secret=<app_secret>&redirect_uri=<callback>&code=unknown",
	},
	{
		Promise: "The device flow is not offered.",
		As:      Anonymous, Send: "POST /oauth/token", Status: 400, Has: `{"error":"unsupported_grant_type"}`,
		Form: "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&client_id=<app>&client_secret=<app_secret>",
	},
	{
		Promise: "A grant type is required.", As: Anonymous, Send: "POST /oauth/token", Status: 400, Has: `{"error":"invalid_request"}`,
		Form: "client_id=<app>&client_secret=<app_secret>",
	},
	{Promise: "Token details need a token.", As: Anonymous, Send: "GET /oauth/token/info", Status: 400},
	{
		Promise: "An unknown token has no details.", As: Anonymous, Header: Header{"Authorization": "Bearer unknown"},
		Send: "GET /oauth/token/info", Status: 400, Has: `{"error":"invalid_request"}`,
	},
	{Promise: "Claims need a token.", As: Anonymous, Send: "GET /oauth/userinfo", Status: 401},
}

var corsCases = []Case{
	corsCase("/oauth/token", "POST"), corsCase("/oauth/revoke", "POST"), corsCase("/oauth/userinfo", "GET"),
	{
		Promise: "X-Requested-With is not allowed in a preflight.", As: Anonymous, Reads: true, Send: "OPTIONS /oauth/token",
		Header: Header{
			"Origin": "https://app.example.com", "Access-Control-Request-Method": "POST",
			"Access-Control-Request-Headers": "X-Requested-With",
		},
		Then: func(_ context.Context, _ *Session, a *Answer) error {
			if strings.Contains(strings.ToLower(a.Header.Get("Access-Control-Allow-Headers")), "x-requested-with") {
				return errors.New("header Access-Control-Allow-Headers allows X-Requested-With")
			}
			return nil
		},
	},
	{
		Promise: "The API can be called from other origins.", As: Anonymous, Reads: true, Send: "GET /version",
		Header: Header{"Origin": "https://app.example.com"}, Headers: Header{"Access-Control-Allow-Origin": "*"},
	},
}

func corsCase(path, method string) Case {
	return Case{
		Promise: "A preflight for " + path + " is answered.", As: Anonymous, Reads: true, Send: "OPTIONS " + path,
		Header:  Header{"Origin": "https://app.example.com", "Access-Control-Request-Method": method},
		Headers: Header{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "*"},
		Then: func(_ context.Context, _ *Session, a *Answer) error {
			if a.Status >= 300 {
				return fmt.Errorf("the status is %d", a.Status)
			}
			return nil
		},
	}
}

// obtainCode returns a step in which the user signs in, allows the application, and gets a code.
func obtainCode(keep, query string) func(context.Context, *Session) error {
	return func(ctx context.Context, s *Session) error {
		sum := sha256.Sum256([]byte(codeVerifier))
		s.values.set("challenge", base64.RawURLEncoding.EncodeToString(sum[:]))
		s.values.lack(keep, "an earlier case did not pass")
		b, err := s.signIn(ctx, "person")
		if err != nil {
			return err
		}
		p, err := s.askForCode(ctx, b, query+"&redirect_uri=<callback>")
		if err != nil {
			return err
		}
		to, err := url.Parse(p.header.Get("Location"))
		switch {
		case err != nil:
			return err
		case p.status != http.StatusFound && p.status != http.StatusSeeOther:
			return fmt.Errorf("the consent was answered with %d, expected a redirect", p.status)
		case !strings.HasPrefix(to.String(), callbackURL+"?"):
			return fmt.Errorf("the redirect goes to %s", to)
		case to.Query().Get("state") != "a b+c":
			return fmt.Errorf("the state came back as %q", to.Query().Get("state"))
		case to.Query().Get("code") == "":
			return fmt.Errorf("there is no code in %s", to)
		}
		s.values.set(keep, to.Query().Get("code"))
		return nil
	}
}

// askForCode opens the authorization page and allows the application if the page asks.
func (s *Session) askForCode(ctx context.Context, b *browser, query string) (page, error) {
	query, err := s.values.fill(query, asQuery)
	if err != nil {
		return page{}, err
	}
	p, err := b.load(ctx, "GET", s.suite.client.base.String()+"/oauth/authorize?response_type=code&state=a+b%2Bc&"+query, "")
	if err != nil || p.status != http.StatusOK {
		return p, err
	}
	for _, f := range p.forms() {
		if strings.Contains(f.action, "/oauth/authorize") && f.fields.Get("_method") != "delete" {
			return b.submit(ctx, p, f, nil)
		}
	}
	return p, errors.New("the page of the authorization has no form")
}

// refuseAuthorization returns a step in which a signed-in user opens a wrong authorization request.
func refuseAuthorization(query string) func(context.Context, *Session) error {
	return func(ctx context.Context, s *Session) error {
		b, err := s.signIn(ctx, "person")
		if err != nil {
			return err
		}
		p, err := s.askForCode(ctx, b, query)
		if err != nil {
			return err
		}
		if p.status < 400 || p.header.Get("Location") != "" {
			return fmt.Errorf("the status is %d with the header Location %q, expected an error page", p.status, p.header.Get("Location"))
		}
		return nil
	}
}

func isBearer(_ context.Context, _ *Session, a *Answer) error {
	if !strings.EqualFold(a.Member("token_type"), "bearer") {
		return fmt.Errorf("member .token_type is %q, expected bearer", a.Member("token_type"))
	}
	return nil
}
