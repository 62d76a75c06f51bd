package contract

import (
	"slices"
	"strings"
	"testing"

	"svc/server/platform/access"
	"svc/tests/harness"

	"github.com/getkin/kin-openapi/openapi3"
)

// The service accepts exactly the scopes that the document lists: a token with one of them is not refused for its scope,
// and a token with any other scope is.
func TestTheDocumentListsExactlyTheScopesThatSuffice(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	nobody := h.NewUser().User
	tokens := map[string]*harness.Caller{}
	for _, scope := range access.Scopes {
		tokens[scope] = h.WithToken(nobody, scope)
	}
	tested := 0
	for _, r := range harness.Routes() {
		listed, secured := scopesOf(t, r)
		if !secured {
			continue
		}
		for _, scope := range access.Scopes {
			got := tokens[scope].JSON(r.Method, example(t, r), body(t, r))
			if got.Status == 401 { // a call has revoked the token
				tokens[scope] = h.WithToken(nobody, scope)
				got = tokens[scope].JSON(r.Method, example(t, r), body(t, r))
			}
			refused := got.Status == 403 && strings.Contains(got.Body, "insufficient_scope")
			if want := len(listed) > 0 && !slices.Contains(listed, scope); refused != want {
				t.Errorf("%s lists %v; a token with %s got %d %s", r.Op.OperationID, listed, scope, got.Status, got.Body)
			}
			tested++
		}
	}
	if tested < 9000 {
		t.Errorf("only %d calls", tested)
	}
}

// scopesOf returns the scopes that an operation lists, each of which is an alternative of its own. None means any.
func scopesOf(t *testing.T, r harness.Route) (scopes []string, secured bool) {
	t.Helper()
	for _, alternative := range *r.Op.Security {
		listed, has := alternative["oauth"]
		secured = secured || has
		if len(listed) > 1 || has && len(alternative) > 1 {
			t.Errorf("%s: several scopes in one alternative would all be needed: %v", r.Op.OperationID, alternative)
		}
		scopes = append(scopes, listed...)
	}
	return scopes, secured
}

// The schemes of the document offer the scopes that tokens can have.
func TestTheOAuthSchemeDescribesEveryScope(t *testing.T) {
	t.Parallel()
	flows := harness.Doc().Components.SecuritySchemes["oauth"].Value.Flows
	for name, flow := range map[string]*openapi3.OAuthFlow{"authorizationCode": flows.AuthorizationCode, "password": flows.Password} {
		var described []string
		for scope, about := range flow.Scopes {
			described = append(described, scope)
			if about == "" {
				t.Errorf("%s has no description", scope)
			}
		}
		slices.Sort(described)
		if want := slices.Sorted(slices.Values(access.OAuthScopes())); !slices.Equal(described, want) {
			t.Errorf("the flow %s has the scopes %v, not %v", name, described, want)
		}
	}
	if flows.ClientCredentials != nil || flows.Implicit != nil {
		t.Error("the document has a flow that the service does not offer")
	}
}
