package api

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"

	"golang.org/x/net/dns/dnsmessage"
)

// selfSigned returns a self-signed certificate for a name, and its key, as PEM.
func selfSigned(t *testing.T, name string, until time.Time) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: until.Add(-48 * time.Hour),
		NotAfter: until, DNSNames: []string{name}, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
}

type site struct {
	Domain, URL      string
	AutoSSL          bool `json:"auto_ssl_enabled"`
	Verified         bool
	VerificationCode string  `json:"verification_code"`
	EnabledUntil     *string `json:"enabled_until"`
	Certificate      *struct {
		Subject         string
		Expired         bool
		Certificate     string
		CertificateText string `json:"certificate_text"`
	}
}

// form returns pairs of name and value as a JSON object.
func form(t *testing.T, pairs ...any) string {
	t.Helper()
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const noPagesDomain = `{"message":"404 PagesDomain Not Found"}`

func TestPagesDomains(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	base := fmt.Sprintf("/projects/%d/pages/domains", p.ID)
	expect(t, owner.Send("GET", base, ""), 200, "[]")
	plain := owner.JSON("POST", base, `{"domain":"Plain.Example.com"}`)
	made := read[site](t, plain, 201)
	if made.Domain != "plain.example.com" || made.URL != "http://plain.example.com" || made.Verified ||
		len(made.VerificationCode) != 32 || made.Certificate != nil || made.EnabledUntil != nil {
		t.Errorf("%+v", made)
	}
	addDomainWithCertificate(t, owner, base)
	expect(t, owner.Send("GET", base+"/PLAIN.example.com", ""), 200, plain.Body)
	all := read[[]site](t, owner.Send("GET", base, ""), 200)
	if len(all) != 2 || all[1].Certificate == nil {
		t.Errorf("%+v", all)
	}
	listDomainsOfAllProjects(t, h)
	changeAndDeleteDomain(t, owner, base+"/www.example.com")
}

// addDomainWithCertificate adds the domain www.example.com with a certificate.
func addDomainWithCertificate(t *testing.T, owner *harness.Caller, base string) {
	t.Helper()
	certificate, key := selfSigned(t, "www.example.com", time.Now().Add(time.Hour))
	secure := read[site](t, owner.JSON("POST", base, form(t, "domain", "www.example.com", "certificate", certificate, "key", key)), 201)
	if c := secure.Certificate; secure.URL != "https://www.example.com" || c == nil || c.Subject != "/CN=www.example.com" ||
		c.Expired || c.Certificate != certificate || !strings.Contains(c.CertificateText, "CN=www.example.com") {
		t.Errorf("%+v", secure)
	}
}

// listDomainsOfAllProjects lists the domains as an administrator. The list has no certificates as PEM.
func listDomainsOfAllProjects(t *testing.T, h *harness.H) {
	t.Helper()
	listed := h.Root().Send("GET", "/pages/domains", "")
	if expect(t, listed, 200, ""); strings.Contains(listed.Body, "BEGIN") ||
		!strings.Contains(listed.Body, `"certificate":{"expired":false,"expiration":"`) {
		t.Error(listed.Body)
	}
	one := h.Root().Send("GET", "/pages/domains?domain=PLAIN.example.com", "")
	if expect(t, one, 200, ""); strings.Contains(one.Body, "www") {
		t.Error(one.Body)
	}
	expect(t, h.Root().Send("GET", "/pages/domains?domain=none.example.com", ""), 404, noPagesDomain)
}

// changeAndDeleteDomain changes the certificate of the domain at a path and deletes the domain.
func changeAndDeleteDomain(t *testing.T, owner *harness.Caller, path string) {
	t.Helper()
	auto := read[site](t, owner.JSON("PUT", path, `{"auto_ssl_enabled":true}`), 200)
	if !auto.AutoSSL || auto.Certificate == nil {
		t.Errorf("%+v", auto)
	}
	removed := read[site](t, owner.JSON("PUT", path, `{"certificate":"","key":null}`), 200)
	if removed.Certificate != nil || removed.AutoSSL || removed.URL != "http://www.example.com" {
		t.Errorf("%+v", removed)
	}
	expect(t, owner.Send("DELETE", path, ""), 204, "")
	expect(t, owner.Send("DELETE", path, ""), 404, noPagesDomain)
	expect(t, owner.Send("GET", path, ""), 404, noPagesDomain)
}

func TestCertificatesOfSites(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	base := fmt.Sprintf("/projects/%d/pages/domains", p.ID)
	certificate, key := selfSigned(t, "a.example.com", time.Now().Add(-time.Hour))
	other, otherKey := selfSigned(t, "b.example.com", time.Now().Add(time.Hour))
	old := read[site](t, owner.JSON("POST", base, form(t, "domain", "old.example.com", "certificate", certificate, "key", key)), 201)
	if old.Certificate == nil || !old.Certificate.Expired {
		t.Errorf("%+v", old)
	}
	mismatch := `{"message":{"key":["doesn't match the certificate"]}}`
	expect(t, owner.JSON("PUT", base+"/old.example.com", form(t, "certificate", other)), 400, mismatch)
	expect(t, owner.JSON("PUT", base+"/old.example.com", form(t, "certificate", other, "key", otherKey)), 200, "")
	for body, want := range map[string]string{
		form(t, "domain", "x.example.com", "certificate",
			certificate): `{"error":"certificate, key provide all or none of parameters"}`,
		form(t, "domain", "x.example.com", "certificate", certificate, "key", otherKey): mismatch,
		form(t, "domain", "x.example.com", "certificate", key, "key",
			certificate): `{"message":{"certificate":["must be a valid PEM certificate"],"key":["must be a valid PEM ` +
			`private key","doesn't match the certificate"]}}`,
		form(t, "domain", "x.example.com", "certificate", "hello", "key",
			key): `{"message":{"certificate":["must be a valid PEM certificate"],"key":["doesn't match the certificate"]}}`,
	} {
		expect(t, owner.JSON("POST", base, body), 400, want)
	}
	// The certificate may also be a file in a multipart body.
	uploaded := owner.File("POST", base, map[string]string{
		"domain": "file.example.com", "key": otherKey,
	}, "certificate", "site.pem", "application/x-pem-file", other)
	if expect(t, uploaded, 201, ""); !strings.Contains(uploaded.Body, "/CN=b.example.com") {
		t.Error(uploaded.Body)
	}
}

func TestInvalidPagesDomainsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.PagesHost = "pages.example.org" })
	owner := h.NewUser()
	p, q := h.Project(*owner.User.NamespaceID), h.Project(*owner.User.NamespaceID)
	base := fmt.Sprintf("/projects/%d/pages/domains", p.ID)
	for name, want := range map[string]string{
		"*.example.com": "is invalid", "example.com.": "is invalid", "exämple.com": "is invalid",
		"127.0.0.1": "is invalid", "::1": "is invalid", "localhost": "is invalid", "": "is invalid",
		"-a.example.com": "is invalid", "a..example.com": "is invalid", "a b.com": "is invalid",
		"a.com/x": "is invalid", strings.Repeat("a.", 130) + "com": "is invalid",
		"pages.example.org": "*.pages.example.org is restricted", "other.pages.example.org": "*.pages.example.org is restricted",
	} {
		expect(t, owner.JSON("POST", base, form(t, "domain", name)), 400, fmt.Sprintf(`{"message":{"domain":[%q]}}`, want))
	}
	expect(t, owner.JSON("POST", base, "{}"), 400, `{"error":"domain is missing"}`)
	expect(t, owner.JSON("POST", base, `{"domain":"www.example.com"}`), 201, "")
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/pages/domains", q.ID), `{"domain":"WWW.example.com"}`),
		400, `{"message":{"domain":["has already been taken"]}}`)
	expect(t, h.ProjectMember(p, model.Developer).Send("GET", base, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.NewUser().Send("GET", base, ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, owner.Send("GET", "/pages/domains", ""), 403, `{"message":"403 Forbidden"}`)
	off := harness.New(t, func(c *config.Config) { c.Pages = false })
	nobody := off.NewUser()
	project := off.Project(*nobody.User.NamespaceID)
	expect(t, nobody.Send("GET", fmt.Sprintf("/projects/%d/pages/domains", project.ID), ""), 404, `{"message":"404 Not Found"}`)
}

// nameServer answers DNS queries for TXT records.
type nameServer struct {
	mu    sync.Mutex
	texts map[string]string
}

func (n *nameServer) set(name, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.texts[name+"."] = text
}

// listenDNS starts a name server.
func listenDNS(t *testing.T) (*nameServer, string) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	n := &nameServer{texts: map[string]string{}}
	go func() {
		buffer := make([]byte, 1500)
		for {
			size, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:size]) != nil || len(m.Questions) != 1 {
				continue
			}
			q := m.Questions[0]
			answer := dnsmessage.Message{
				Header:    dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true},
				Questions: m.Questions,
			}
			n.mu.Lock()
			text, ok := n.texts[q.Name.String()]
			n.mu.Unlock()
			if ok && q.Type == dnsmessage.TypeTXT {
				answer.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
					Body:   &dnsmessage.TXTResource{TXT: []string{text}},
				}}
			} else if !ok {
				answer.RCode = dnsmessage.RCodeNameError
			}
			if packed, err := answer.Pack(); err == nil {
				_, _ = conn.WriteTo(packed, from)
			}
		}
	}()
	return n, conn.LocalAddr().String()
}

func TestAPagesDomainIsVerifiedByDNS(t *testing.T) {
	t.Parallel()
	dns, address := listenDNS(t)
	h := harness.New(t, func(c *config.Config) { c.PagesDNS = address })
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	base := fmt.Sprintf("/projects/%d/pages/domains", p.ID)
	for i, at := range []string{"", "_svc-pages-verification-code."} {
		name := fmt.Sprintf("www%d.example.com", i)
		made := read[site](t, owner.JSON("POST", base, form(t, "domain", name)), 201)
		verify := base + "/" + name + "/verify"
		no := `{"message":"422 Unprocessable Entity - Couldn't verify ` + name + `"}`
		expect(t, owner.Send("PUT", verify, ""), 422, no)
		dns.set(at+name, "svc-pages-verification-code=00000000000000000000000000000000")
		expect(t, owner.Send("PUT", verify, ""), 422, no)
		dns.set(at+name, "svc-pages-verification-code="+made.VerificationCode)
		if got := read[site](t, owner.Send("PUT", verify, ""), 200); !got.Verified || got.EnabledUntil == nil {
			t.Errorf("%+v", got)
		}
		dns.set(at+name, "gone")
		expect(t, owner.Send("PUT", verify, ""), 422, no)
		if got := read[site](t, owner.Send("GET", base+"/"+name, ""), 200); got.Verified || got.EnabledUntil == nil {
			t.Errorf("without a proof it is served until the time is over: %+v", got)
		}
	}
}
