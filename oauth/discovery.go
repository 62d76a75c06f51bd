package oauth

import (
	"net/http"
	"net/url"
)

// discovery is the metadata by which a client finds all endpoints, RFC 8414 and OpenID Connect Discovery §3.
type discovery struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	RevocationEndpoint    string   `json:"revocation_endpoint"`
	IntrospectionEndpoint string   `json:"introspection_endpoint"`
	UserinfoEndpoint      string   `json:"userinfo_endpoint"`
	JwksURI               string   `json:"jwks_uri"`
	ScopesSupported       []string `json:"scopes_supported"`
	ResponseTypes         []string `json:"response_types_supported"`
	ResponseModes         []string `json:"response_modes_supported"`
	GrantTypes            []string `json:"grant_types_supported"`
	TokenAuthMethods      []string `json:"token_endpoint_auth_methods_supported"`
	SubjectTypes          []string `json:"subject_types_supported"`
	SigningAlgorithms     []string `json:"id_token_signing_alg_values_supported"`
	ClaimTypes            []string `json:"claim_types_supported"`
	Claims                []string `json:"claims_supported"`
	CodeChallengeMethods  []string `json:"code_challenge_methods_supported"`
	IssParameter          bool     `json:"authorization_response_iss_parameter_supported"`
	RequestParameter      bool     `json:"request_parameter_supported"`
	RequestURIParameter   bool     `json:"request_uri_parameter_supported"`
	ServiceDocumentation  string   `json:"service_documentation"`
}

// Discovery returns the metadata of the provider.
// GET /.well-known/openid-configuration, GET /.well-known/oauth-authorization-server
func (p *Provider) Discovery(w http.ResponseWriter, _ *http.Request) error {
	base := p.o.BaseURL
	return respond(w, discovery{
		Issuer:                base,
		AuthorizationEndpoint: base + "/oauth/authorize",
		TokenEndpoint:         base + "/oauth/token",
		RevocationEndpoint:    base + "/oauth/revoke",
		IntrospectionEndpoint: base + "/oauth/introspect",
		UserinfoEndpoint:      base + "/oauth/userinfo",
		JwksURI:               base + "/oauth/discovery/keys",
		ScopesSupported:       p.o.Scopes,
		ResponseTypes:         []string{"code"},
		ResponseModes:         []string{"query", "fragment"},
		GrantTypes:            []string{"authorization_code", "password", "refresh_token"},
		TokenAuthMethods:      []string{"client_secret_basic", "client_secret_post", "none"},
		SubjectTypes:          []string{"public"},
		SigningAlgorithms:     []string{"RS256"},
		ClaimTypes:            []string{"normal"},
		Claims: []string{
			"iss", "sub", "aud", "exp", "iat", "nonce", "auth_time", "name", "nickname", "preferred_username", "email",
			"email_verified", "website",
			"profile", "picture", "groups", "groups_direct",
		},
		CodeChallengeMethods: []string{"S256"},
		IssParameter:         true,
		ServiceDocumentation: base + "/-/docs",
	}, nil)
}

// Keys returns the public keys that verify ID tokens.
// GET /oauth/discovery/keys
func (p *Provider) Keys(w http.ResponseWriter, r *http.Request) error {
	keys, err := p.keys.published(r.Context())
	return respond(w, map[string][]jwk{"keys": keys}, err)
}

type webfinger struct {
	Subject string          `json:"subject"`
	Links   []webfingerLink `json:"links"`
}

type webfingerLink struct {
	Rel  string `json:"rel"`
	Href string `json:"href"`
}

// Webfinger returns the provider that signs a user in, RFC 7033: always this service.
// GET /.well-known/webfinger
func (p *Provider) Webfinger(w http.ResponseWriter, r *http.Request) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	resource := query.Get("resource")
	if err != nil || resource == "" || !validText(resource) {
		return respond(w, nil, missing("resource"))
	}
	return respond(w, webfinger{
		Subject: resource, Links: []webfingerLink{{Rel: "http://openid.net/specs/connect/1.0/issuer", Href: p.o.BaseURL}},
	}, nil)
}
