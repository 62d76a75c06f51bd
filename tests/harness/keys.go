package harness

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"math/big"
	"sync"
	"time"

	"svc/oauth"
	"svc/store/model"
	"svc/store/secret"
)

// signingKey generates one RSA key for all services of this process: generating a key takes longer than most tests.
var signingKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// addSigningKey stores the key that signs ID tokens, unless there is one. Otherwise the first background job generates it.
func (h *H) addSigningKey() {
	h.T.Helper()
	private, err := x509.MarshalPKCS8PrivateKey(signingKey())
	if err != nil {
		h.T.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&signingKey().PublicKey)
	if err != nil {
		h.T.Fatal(err)
	}
	vault, err := secret.NewVault(h.secretKey, oauth.KeyPurpose)
	if err != nil {
		h.T.Fatal(err)
	}
	kid := thumbprint(&signingKey().PublicKey)
	row := model.OAuthKey{
		Kid: kid, Public: public, Sealed: vault.Seal(private, kid), CreatedAt: time.Now().UTC().Truncate(time.Microsecond),
	}
	isFirst := func(rows []model.OAuthKey) bool { return len(rows) == 0 }
	if err := h.Store.OAuthKeys.Replace(h.T.Context(), row, isFirst); err != nil {
		h.T.Fatal(err)
	}
}

// thumbprint returns the id of a key, RFC 7638.
func thumbprint(key *rsa.PublicKey) string {
	encode := base64.RawURLEncoding.EncodeToString
	text := fmt.Sprintf(`{"e":%q,"kty":"RSA","n":%q}`, encode(big.NewInt(int64(key.E)).Bytes()), encode(key.N.Bytes()))
	sum := sha256.Sum256([]byte(text))
	return encode(sum[:])
}
