package api

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/tests/harness"

	"golang.org/x/crypto/ssh"
)

// newKey returns a public SSH key and its two fingerprints.
func newKey(t *testing.T) (text, sha256, md5 string) {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	k, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(k))), ssh.FingerprintSHA256(k), ssh.FingerprintLegacyMD5(k)
}

// documented returns the example request body of a schema in the OpenAPI document.
func documented(t *testing.T, schema string) string {
	t.Helper()
	data, err := json.Marshal(harness.Doc().Components.Schemas[schema].Value.Example)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestSSHKeysAreAddedReadAndRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane, other := h.NewUser(named("jane")), h.NewUser()
	created := jane.JSON("POST", "/user/keys", documented(t, "KeyCreate"))
	expect(t, created, 201, "")
	h.Golden("createCurrentUserKey/example", created.Body)
	path := fmt.Sprintf("/keys/%v", member(t, created, "id"))
	expect(t, jane.Send("GET", "/user/keys", ""), 200, "["+created.Body+"]")
	expect(t, jane.Send("GET", "/user"+path, ""), 200, created.Body)
	for _, who := range []*harness.Caller{h.Anonymous(), other, jane} {
		for _, ref := range []string{"jane", fmt.Sprint(jane.User.ID)} {
			expect(t, who.Send("GET", "/users/"+ref+"/keys", ""), 200, "["+created.Body+"]")
			expect(t, who.Send("GET", "/users/"+ref+path, ""), 200, created.Body)
		}
	}
	const missing = `{"message":"404 Key Not Found"}`
	expect(t, other.Send("GET", "/user"+path, ""), 404, missing)
	expect(t, other.Send("DELETE", "/user"+path, ""), 404, missing)
	expect(t, other.Send("GET", "/users/"+other.User.Username+path, ""), 404, missing)
	expect(t, other.Send("DELETE", "/users/jane"+path, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Anonymous().Send("GET", "/users/nobody/keys", ""), 404, `{"message":"404 User Not Found"}`)
	expect(t, jane.Send("GET", "/user/keys/x", ""), 404, `{"error":"404 Not Found"}`)
	long := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, jane.Send("DELETE", "/user"+path, "", "If-Unmodified-Since", long), 412, "")
	expect(t, jane.Send("DELETE", "/user"+path, ""), 204, "")
	expect(t, jane.Send("DELETE", "/user"+path, ""), 404, missing)
	expect(t, jane.Send("GET", "/users/jane/keys", ""), 200, "[]")
}

func TestAdministratorsManageSSHKeys(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, jane := h.Root(), h.NewUser(named("jane"))
	text, sha256, md5 := newKey(t)
	end := time.Now().Add(48 * time.Hour).UTC().Format("2006-01-02")
	created := root.JSON("POST", "/users/jane/keys",
		`{"title":" Laptop ","key":"`+text+` jane@laptop","usage_type":"signing","expires_at":"`+end+`"}`)
	expect(t, created, 201, "")
	for name, want := range map[string]string{
		"title": "Laptop", "key": text, "usage_type": "signing", "expires_at": end + "T00:00:00.000Z",
	} {
		if got := member(t, created, name); got != want {
			t.Errorf("%s is %v, want %s", name, got, want)
		}
	}
	id := member(t, created, "id")
	withUser := root.Send("GET", fmt.Sprintf("/keys/%v", id), "")
	expect(t, withUser, 200, "")
	if owner, ok := member(t, withUser, "user").(map[string]any); !ok || owner["username"] != "jane" {
		t.Errorf("the owner is not there: %s", withUser.Body)
	}
	for _, fingerprint := range []string{url.QueryEscape(sha256), sha256, md5, "MD5:" + md5, strings.ToUpper(md5)} {
		expect(t, root.Send("GET", "/keys?fingerprint="+fingerprint, ""), 200, withUser.Body)
	}
	_, strange, strangeMD5 := newKey(t)
	const missing = `{"message":"404 Key Not Found"}`
	expect(t, root.Send("GET", "/keys?fingerprint="+url.QueryEscape(strange), ""), 404, missing)
	expect(t, root.Send("GET", "/keys?fingerprint="+strangeMD5, ""), 404, missing)
	expect(t, root.Send("GET", "/keys/999", ""), 404, missing)
	expect(t, root.Send("GET", "/keys?fingerprint=x", ""), 400, `{"error":"fingerprint is invalid"}`)
	expect(t, root.Send("GET", "/keys", ""), 400, `{"error":"fingerprint is missing"}`)
	expect(t, jane.Send("GET", "/keys?fingerprint="+md5, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, jane.Send("GET", fmt.Sprintf("/keys/%v", id), ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, jane.JSON("POST", "/users/jane/keys", `{"title":"x","key":"`+text+`"}`), 403, `{"message":"403 Forbidden"}`)
	expect(t, root.JSON("POST", "/users/nobody/keys", `{"title":"x","key":"`+text+`"}`), 404, `{"message":"404 User Not Found"}`)
	expect(t, root.Send("DELETE", fmt.Sprintf("/users/root/keys/%v", id), ""), 404, missing)
	expect(t, root.Send("DELETE", fmt.Sprintf("/users/jane/keys/%v", id), ""), 204, "")
	expect(t, root.Send("GET", fmt.Sprintf("/keys/%v", id), ""), 404, missing)
}

func TestSSHKeyRules(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane, john := h.NewUser(), h.NewUser()
	taken, _, _ := newKey(t)
	text, _, _ := newKey(t)
	expect(t, john.JSON("POST", "/user/keys", `{"title":"x","key":"`+taken+`"}`), 201, "")
	private := `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----`
	for _, c := range []struct{ name, body, want string }{
		{"taken", `{"title":"x","key":"` + taken + ` other comment"}`, `{"message":{"fingerprint_sha256":["has already been taken"]}}`},
		{"invalid", `{"title":"x","key":"key"}`, `{"message":{"key":["is invalid"]}}`},
		{
			"private", `{"title":"x","key":"` + private + `"}`,
			`{"message":{"key":["is a private key. Send the public key of a new pair: this pair is no longer secret"]}}`,
		},
		{"no title", `{"title":" ","key":"` + text + `"}`, `{"message":{"title":["can't be blank"]}}`},
		{
			"long title", `{"title":"` + strings.Repeat("é", 256) + `","key":"` + text + `"}`,
			`{"message":{"title":["is too long (maximum is 255 characters)"]}}`,
		},
		{"past", `{"title":"x","key":"` + text + `","expires_at":"2020-01-01"}`, `{"message":{"expires_at":["must be in the future"]}}`},
		{
			"several", `{"title":"","key":"","expires_at":"2020-01-01T00:00:00Z"}`,
			`{"message":{"expires_at":["must be in the future"],"key":["can't be blank"],"title":["can't be blank"]}}`,
		},
		{"no date", `{"title":"x","key":"` + text + `","expires_at":"soon"}`, `{"error":"expires_at is invalid"}`},
		{"usage", `{"title":"x","key":"` + text + `","usage_type":"all"}`, `{"error":"usage_type does not have a valid value"}`},
		{"nothing", `{}`, `{"error":"title is missing, key is missing"}`},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, jane.JSON("POST", "/user/keys", c.body), 400, c.want) })
	}
	expect(t, jane.Send("GET", "/user/keys", ""), 200, "[]")
	if strings.Contains(h.Logs.String(), "b3BlbnNzaC1rZXktdjE") {
		t.Error("a private key is in the log")
	}
	expect(t, jane.Form("POST", "/user/keys", "title=x&expires_at=&key="+url.QueryEscape(text)), 201, "")
}

func TestOneOfManyConcurrentCallersGetsAnSSHKey(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	text, _, _ := newKey(t)
	count := map[int]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 6 {
		caller := h.NewUser()
		wg.Go(func() {
			got := caller.JSON("POST", "/user/keys", `{"title":"x","key":"`+text+`"}`)
			mu.Lock()
			defer mu.Unlock()
			count[got.Status]++
		})
	}
	wg.Wait()
	if count[201] != 1 || count[400] != 5 {
		t.Errorf("%v", count)
	}
}

func TestGPGKeysAreAddedReadAndRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, jane, other := h.Root(), h.NewUser(named("jane")), h.NewUser()
	example := documented(t, "GPGKeyCreate")
	created := jane.JSON("POST", "/user/gpg_keys", example)
	expect(t, created, 201, "")
	h.Golden("createCurrentUserGpgKey/example", created.Body)
	path := fmt.Sprintf("/gpg_keys/%v", member(t, created, "id"))
	expect(t, jane.Send("GET", "/user/gpg_keys", ""), 200, "["+created.Body+"]")
	expect(t, jane.Send("GET", "/user"+path, ""), 200, created.Body)
	for _, who := range []*harness.Caller{h.Anonymous(), other, root} {
		expect(t, who.Send("GET", "/users/jane/gpg_keys", ""), 200, "["+created.Body+"]")
		expect(t, who.Send("GET", "/users/jane"+path, ""), 200, created.Body)
	}
	const missing, taken = `{"message":"404 GPG Key Not Found"}`, `{"message":{"fingerprint":["has already been taken"]}}`
	for _, prefix := range []string{"/user", "/users/" + other.User.Username} {
		expect(t, other.Send("GET", prefix+path, ""), 404, missing)
	}
	expect(t, other.Send("DELETE", "/user"+path, ""), 404, missing)
	expect(t, other.Send("POST", "/user"+path+"/revoke", ""), 404, missing)
	expect(t, other.Send("POST", "/users/jane"+path+"/revoke", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, other.JSON("POST", "/user/gpg_keys", example), 400, taken)
	expect(t, root.JSON("POST", "/users/jane/gpg_keys", example), 400, taken)
	expect(t, jane.JSON("POST", "/user/gpg_keys", `{"key":"x"}`), 400, "")
	expect(t, jane.JSON("POST", "/user/gpg_keys", `{}`), 400, `{"error":"key is missing"}`)
	expect(t, jane.Send("DELETE", "/user"+path, ""), 204, "")
	expect(t, jane.Send("DELETE", "/user"+path, ""), 404, missing)

	again := root.JSON("POST", "/users/jane/gpg_keys", example)
	expect(t, again, 201, "")
	path = fmt.Sprintf("/gpg_keys/%v", member(t, again, "id"))
	expect(t, jane.Send("POST", "/user"+path+"/revoke", ""), 202, `{"message":"202 Accepted"}`)
	expect(t, jane.Send("GET", "/user"+path, ""), 404, missing)
	again = root.JSON("POST", "/users/jane/gpg_keys", example)
	path = fmt.Sprintf("/users/jane/gpg_keys/%v", member(t, again, "id"))
	expect(t, root.Send("POST", path+"/revoke", ""), 202, `{"message":"202 Accepted"}`)
	again = root.JSON("POST", "/users/jane/gpg_keys", example)
	path = fmt.Sprintf("/users/jane/gpg_keys/%v", member(t, again, "id"))
	expect(t, root.Send("DELETE", path, ""), 204, "")
	expect(t, root.Send("DELETE", path, ""), 404, missing)
}
