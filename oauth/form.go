package oauth

import (
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// parameters are all parameters that our endpoints read.
var parameters = []string{
	"grant_type", "client_id", "client_secret", "code", "redirect_uri", "code_verifier", "refresh_token", "username",
	"password", "scope", "token",
	"token_type_hint", "response_type", "response_mode", "state", "nonce", "prompt", "max_age", "code_challenge",
	"code_challenge_method", "access_token",
	"request", "request_uri",
}

// readForm reads the parameters of a body. It refuses parameters in the URL, where logs keep them (RFC 6749 §2.3.1),
// and repeated parameters (§3.2).
func readForm(r *http.Request) (url.Values, error) {
	if r.URL.RawQuery != "" {
		query, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil || slices.ContainsFunc(parameters, query.Has) {
			return nil, refuse("invalid_request")
		}
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if len(data) > 0 && (err != nil || media != "application/x-www-form-urlencoded") {
		return nil, refuse("invalid_request")
	}
	form, err := url.ParseQuery(string(data))
	if err != nil || repeated(form, parameters...) || !cleanForm(form) {
		return nil, refuse("invalid_request")
	}
	return form, nil
}

// repeated reports whether one of the parameters occurs more than once.
func repeated(form url.Values, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return len(form[name]) > 1 })
}

func cleanForm(form url.Values) bool {
	return !slices.ContainsFunc(parameters, func(name string) bool { return !validText(form.Get(name)) })
}

// bearer returns the access token of a request: from its header, else from the parameter.
func bearer(r *http.Request, form url.Values) string {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(token)
	}
	return form.Get("access_token")
}
