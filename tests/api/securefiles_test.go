package api

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

func TestSecureFilesAreCreatedReadAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme"), func(n *model.Namespace) { n.Visibility = model.Public }).ID, called("web", model.Public))
	callers := newCallersByRole(h, p)
	maintainer, developer, path := callers["maintainer"], callers["developer"], "/projects/acme%2Fweb/secure_files"
	upload := func(c *harness.Caller, name, data string) harness.Answer {
		return c.File("POST", path, map[string]string{"name": name}, "file", "any.jks", "application/octet-stream", data)
	}
	made := upload(maintainer, "release.jks", "hidden-value\x00\xff")
	expect(t, made, 201, "")
	h.Golden("createProjectSecureFile/usual", made.Body)
	second := maintainer.JSON("POST", path, `{"name":"notes","file":"aGVsbG8="}`)
	expect(t, second, 201, "")
	id := read[struct{ ID int64 }](t, made, 201).ID
	one := fmt.Sprintf("%s/%d", path, id)
	expect(t, developer.Send("GET", path, ""), 200, "["+made.Body+","+second.Body+"]")
	expect(t, developer.Send("GET", path+"?per_page=1&page=2", ""), 200, "["+second.Body+"]")
	expect(t, developer.Send("GET", one, ""), 200, made.Body)
	expect(t, developer.Send("GET", one+"/download", ""), 200, "hidden-value\x00\xff")
	expect(t, developer.Send("GET", one+"/download", "", "Range", "bytes=0-5"), 206, "hidden")
	if got := developer.Send("GET", one+"/download", "").Header.Get("Content-Disposition"); !strings.Contains(got, "release.jks") {
		t.Error(got)
	}
	expect(t, developer.Send("GET", fmt.Sprintf("/projects/%d/secure_files/%d", h.Project(h.Group().ID).ID, id), ""), 404, "")
	row, err := h.Store.SecureFiles.GetWhole(store.Background(t.Context()), p.ID, id)
	if err != nil || bytes.Contains(row.Sealed, []byte("hidden")) {
		t.Errorf("stored as %q: %v", row.Sealed, err)
	}
	for name, want := range map[string]string{
		"release.jks":            `{"message":{"name":["has already been taken"]}}`,
		"a/b":                    `{"message":{"name":["must not contain slashes or control characters"]}}`,
		"..":                     `{"message":{"name":["must not contain slashes or control characters"]}}`,
		strings.Repeat("a", 256): `{"message":{"name":["is too long (maximum is 255 characters)"]}}`,
	} {
		expect(t, upload(maintainer, name, "x"), 400, want)
	}
	expect(t, maintainer.JSON("POST", path, `{"name":"x"}`), 400, `{"error":"file is missing"}`)
	expect(t, maintainer.JSON("POST", path, `{"file":"aGVsbG8="}`), 400, `{"error":"name is missing"}`)
	expect(t, upload(maintainer, "large", strings.Repeat("x", 5<<20+1)), 413, "")
	expect(t, upload(maintainer, "full", strings.Repeat("x", 5<<20)), 201, "")
	const roles = "401 403 403 403 403 "
	callers.statuses(t, "list", roles+"200 200 200 200", func(c *harness.Caller) harness.Answer { return c.Send("GET", path, "") })
	callers.statuses(t, "get", roles+"200 200 200 200", func(c *harness.Caller) harness.Answer { return c.Send("GET", one, "") })
	callers.statuses(
		t, "download", roles+"200 200 200 200", func(c *harness.Caller) harness.Answer { return c.Send("GET", one+"/download", "") },
	)
	callers.statuses(t, "create", roles+"403 400 400 400", func(c *harness.Caller) harness.Answer { return upload(c, "notes", "x") })
	expect(t, developer.Send("DELETE", one, ""), 403, "")
	expect(t, maintainer.Send("DELETE", one, ""), 204, "")
	expect(t, maintainer.Send("DELETE", one, ""), 404, "")
	expect(t, maintainer.Send("GET", one+"/download", ""), 404, "")
	ctx := store.Background(t.Context())
	for i := range 98 {
		file := model.SecureFile{ProjectID: p.ID, Name: fmt.Sprint(i), Checksum: "x", Sealed: []byte("x")}
		if err := h.Store.SecureFiles.Create(ctx, &file, 100); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, upload(maintainer, "more", "x"), 400, `{"message":"Maximum number of project-level secure files (100) exceeded"}`)
}

func TestASecureFileShowsWhatACertificateSays(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	path := fmt.Sprintf("/projects/%d/secure_files", h.Project(h.Group().ID).ID)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	until := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(4711), NotAfter: until,
		Subject: pkix.Name{CommonName: "Apple Distribution", Organization: []string{"Acme"}, Country: []string{"DE"}},
	}
	data, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	send := func(name string, data []byte) string {
		return h.Root().File("POST", path, map[string]string{"name": name}, "file", "x", "application/octet-stream", string(data)).Body
	}
	const want = `"expires_at":"2030-01-02T03:04:05.000Z","metadata":{"id":"4711","issuer":{"C":"DE","CN":"Apple Distribution",` +
		`"O":"Acme"},` +
		`"subject":{"C":"DE","CN":"Apple Distribution","O":"Acme"},"expires_at":"2030-01-02T03:04:05.000Z"},"file_extension":"cer"`
	if got := send("a.cer", data); !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
	for name, data := range map[string][]byte{"b.cer": []byte("x"), "c.txt": data} {
		if got := send(name, data); !strings.Contains(got, `"expires_at":null,"metadata":null`) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
