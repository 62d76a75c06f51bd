package present

import (
	"strings"
	"testing"

	"svc/store/model"
)

func TestApplication(t *testing.T) {
	t.Parallel()
	a := model.OAuthApplication{
		ID: 1, UID: strings.Repeat("ab", 32), Name: "My app", SecretDigest: []byte("digest"),
		RedirectURI: "https://a/cb\nhttp://b/cb", Scopes: "api", Confidential: true, Trusted: true,
	}
	golden(t, "application", Application(a))
	golden(t, "application_with_secret", ApplicationWithSecret(a, "svcoas-x"))
}
