package mail

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	gomail "github.com/wneessen/go-mail"
)

const key = "a secret key for tests, of 32 characters or more"

// inbox is a real SMTP server that keeps the mails that it receives.
type inbox struct {
	mu     sync.Mutex
	from   string
	to     []string
	data   []string
	user   string
	secure bool
	down   bool
}

type visitor struct {
	*inbox
	conn *smtp.Conn
}

func (b *inbox) NewSession(c *smtp.Conn) (smtp.Session, error) { return &visitor{b, c}, nil }

func (v *visitor) AuthMechanisms() []string { return []string{sasl.Plain} }

func (v *visitor) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, username, password string) error {
		if password != "open sesame" {
			return errors.New("wrong password")
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		v.user = username
		return nil
	}), nil
}

func (v *visitor) Mail(from string, _ *smtp.MailOptions) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.down {
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 0, 0}, Message: "come back later"}
	}
	_, v.secure = v.conn.TLSConnectionState()
	v.from = from
	return nil
}

func (v *visitor) Rcpt(to string, _ *smtp.RcptOptions) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.to = append(v.to, to)
	return nil
}

func (v *visitor) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.data = append(v.data, string(data))
	return err
}
func (v *visitor) Reset()        {}
func (v *visitor) Logout() error { return nil }

// listen starts a server with a certificate for 127.0.0.1 that roots contains.
func listen(t *testing.T, implicit bool) (b *inbox, address string, roots *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter:    time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	roots = x509.NewCertPool()
	roots.AddCert(parsed)
	b = &inbox{}
	s := smtp.NewServer(b)
	s.Domain = "localhost"
	s.TLSConfig = &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: private}},
		MinVersion:   tls.VersionTLS12,
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if implicit {
		go s.Serve(tls.NewListener(listener, s.TLSConfig))
	} else {
		go s.Serve(listener)
	}
	return b, listener.Addr().String(), roots
}

func TestALetterArrivesAsItWasWritten(t *testing.T) {
	t.Parallel()
	for scheme, implicit := range map[string]bool{"smtp": false, "smtps": true} {
		b, address, roots := listen(t, implicit)
		s, err := newServer(scheme+"://svc:open%20sesame@"+address, "svc <noreply@svc.example.com>",
			gomail.WithTLSConfig(&tls.Config{RootCAs: roots, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12}))
		if err != nil {
			t.Fatal(err)
		}
		l := Message{
			To: "ann@example.com", Subject: "Grüße\r\nBcc: eve@example.com",
			Text: "Hello Ann,\n\nhttps://svc.example.com/?token=abc_def-123\n.\nBye\n",
		}
		if err := s.send(t.Context(), "id1@svc.example.com", l); err != nil {
			t.Fatal(err)
		}
		b.mu.Lock()
		if b.user != "svc" || !b.secure || b.from != "noreply@svc.example.com" ||
			strings.Join(b.to, " ") != "ann@example.com" || len(b.data) != 1 {
			t.Errorf("%s: %+v", scheme, b)
		}
		for _, want := range []string{
			"Message-ID: <id1@svc.example.com>", "From: \"svc\" <noreply@svc.example.com>",
			"Auto-Submitted: auto-generated", "Hello Ann,",
		} {
			if !strings.Contains(b.data[0], want) {
				t.Errorf("%s: %q is not in %s", scheme, want, b.data[0])
			}
		}
		if strings.Contains(b.data[0], "\nBcc:") {
			t.Errorf("a subject adds a header: %s", b.data[0])
		}
		b.mu.Unlock()
	}
}

func TestAPasswordIsNotSentUnencrypted(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "host", "http://host", "smtp://", "smtp://user:pass word@host:abc", "smtp://a:b@c:99999"} {
		if _, err := newServer(bad, "a@example.com"); err == nil || strings.Contains(err.Error(), "pass word") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	// We do not trust the issuer of the certificate.
	b, address, _ := listen(t, false)
	s, err := newServer("smtp://svc:open%20sesame@"+address, "noreply@svc.example.com")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.send(t.Context(), "id@x", Message{To: "ann@example.com", Subject: "s", Text: "t"}); err == nil || b.user != "" {
		t.Errorf("sent to a stranger: %v", err)
	}
}

func TestALetterIsSealedInTheQueueAndTriedAgain(t *testing.T) {
	t.Parallel()
	b, address, _ := listen(t, false)
	var queued []SendJob
	var log bytes.Buffer
	p, err := New(Options{
		SMTP: "smtp://" + address, From: "noreply@svc.example.com", Host: "svc.example.com", Key: key,
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Queue:  func(_ context.Context, job SendJob) error { queued = append(queued, job); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	server, err := newServer("smtp://"+address, "noreply@svc.example.com", gomail.WithTLSPolicy(gomail.NoTLS))
	if err != nil {
		t.Fatal(err)
	}
	p.Use(&Way{real: true, deliver: server.send})
	l := Message{To: "ann@example.com", Subject: "s", Text: "token=abc", Until: time.Now().Add(time.Hour)}
	if err := p.Send(t.Context(), l); err != nil || len(queued) != 1 || bytes.Contains(queued[0].Sealed, []byte("abc")) {
		t.Fatalf("%v %v", queued, err)
	}
	b.down = true
	if err := p.Run(t.Context(), queued[0]); err == nil {
		t.Error("a server that is down is no failure: nobody would try again")
	}
	b.mu.Lock()
	b.down = false
	b.mu.Unlock()
	if err := p.Run(t.Context(), queued[0]); err != nil || len(b.data) != 1 {
		t.Errorf("%v, %d letters", err, len(b.data))
	}
	l.Until = time.Now().Add(-time.Second)
	if err := p.Send(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	if err := p.Run(t.Context(), queued[1]); err != nil || len(b.data) != 1 || !strings.Contains(log.String(), "dropped a mail") {
		t.Errorf("a letter whose time is over: %v, %d letters, %s", err, len(b.data), &log)
	}
	if strings.Contains(log.String(), "token=abc") {
		t.Error("the letter is in the log")
	}
}

func TestWithoutAServerALetterGoesIntoTheLog(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var queued SendJob
	p, err := New(Options{
		Key: key, Host: "h", Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Queue: func(_ context.Context, job SendJob) error { queued = job; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Send(t.Context(), Message{To: "ann@example.com", Subject: "s", Text: "http://svc.test/?token=abc"}); err != nil {
		t.Fatal(err)
	}
	if err := p.Run(t.Context(), queued); err != nil || !strings.Contains(log.String(), "token=abc") {
		t.Errorf("%v %s", err, &log)
	}
}

func TestALetterToAServerThatNeverAnswersEndsWithTheJob(t *testing.T) {
	t.Parallel()
	for _, scheme := range []string{"smtp", "smtps"} {
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0") // nobody accepts
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		s, err := newServer(scheme+"://"+listener.Addr().String(), "noreply@svc.example.com")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.send(ctx, "id@x", Message{To: "ann@example.com", Subject: "s", Text: "t"}) }()
		cancel()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", scheme, err)
			}
		case <-time.After(sendTimeout / 2):
			t.Errorf("%s: it goes on", scheme)
		}
	}
}
