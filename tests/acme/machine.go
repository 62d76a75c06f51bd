package acme

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"svc/tests/port"
	"svc/tests/wait"

	"golang.org/x/net/dns/dnsmessage"
)

// Authority is a running certificate authority. It stops when the test ends.
type Authority struct {
	Directory string // URL
	CA        string // file with the certificate of the authority's own server
	manage    string
	client    *http.Client
}

// Start starts an authority. It validates names over HTTP on the given port, at the addresses that the name server dns
// returns.
func Start(t testing.TB, dns string, port int) *Authority {
	t.Helper()
	return StartWithTLS(t, dns, port, 1)
}

// StartWithTLS is Start for an authority that also validates names by a TLS handshake on a port.
func StartWithTLS(t testing.TB, dns string, port, tlsPort int) *Authority {
	t.Helper()
	folder := t.TempDir()
	a := &Authority{CA: filepath.Join(folder, "ca.pem")}
	listen, manage := free(t), free(t)
	a.Directory, a.manage = "https://"+listen+"/dir", "https://"+manage
	certificate, key := selfSigned(t)
	keyFile, settings := filepath.Join(folder, "key.pem"), filepath.Join(folder, "settings.json")
	text, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": listen, "managementListenAddress": manage, "certificate": a.CA, "privateKey": keyFile,
		"httpPort": port, "tlsPort": tlsPort,
		"keyAlgorithm": "ecdsa", "retryAfter": map[string]int{"authz": 1, "order": 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{a.CA: certificate, keyFile: key, settings: text} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	a.client = &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{
		RootCAs: pool, MinVersion: tls.VersionTLS12,
	}}}
	var log bytes.Buffer
	cmd := exec.Command(authority.Path(t), "-config", settings, "-dnsserver", dns, "-strict")
	cmd.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_AUTHZREUSE=0")
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // the exit status does not matter
		if t.Failed() {
			t.Logf("the authority says:\n%s", log.String())
		}
	})
	wait.Until(t, "the authority answers", func() bool {
		res, err := a.client.Get(a.Directory)
		if err != nil {
			return false
		}
		res.Body.Close()
		return true
	})
	return a
}

// Roots returns the root certificates that clients must trust.
func (a *Authority) Roots(t testing.TB) *x509.CertPool {
	t.Helper()
	res, err := a.client.Get(a.manage + "/roots/0")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	pool := x509.NewCertPool()
	if err != nil || !pool.AppendCertsFromPEM(text) {
		t.Fatalf("no root: %v %s", err, text)
	}
	return pool
}

// free returns an address on which nothing listens.
func free(t testing.TB) string {
	t.Helper()
	number, err := port.Free()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint("127.0.0.1:", number)
}

func selfSigned(t testing.TB) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter:    time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})
}

// NameServer is a name server. Names that were set resolve to 127.0.0.1 and may have a TXT record.
type NameServer struct {
	Address string
	mu      sync.Mutex
	texts   map[string]string
}

// Set makes a name resolve to 127.0.0.1 and sets the text of its TXT record.
func (n *NameServer) Set(name, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.texts[name+"."] = text
}

// StartNameServer starts a name server. It stops when the test ends.
func StartNameServer(t testing.TB) *NameServer {
	t.Helper()
	streams, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	packets, err := net.ListenPacket("udp", streams.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		streams.Close()
		packets.Close()
	})
	n := &NameServer{Address: streams.Addr().String(), texts: map[string]string{}}
	go func() {
		buffer := make([]byte, 1500)
		for {
			size, from, err := packets.ReadFrom(buffer)
			if err != nil {
				return
			}
			if packed, err := n.answer(buffer[:size]); err == nil {
				_, _ = packets.WriteTo(packed, from)
			}
		}
	}()
	go func() {
		for {
			conn, err := streams.Accept()
			if err != nil {
				return
			}
			go n.serveTCP(conn)
		}
	}()
	return n
}

// serveTCP answers DNS questions over TCP, one after the other. The length precedes each message.
func (n *NameServer) serveTCP(conn net.Conn) {
	defer conn.Close()
	for {
		var size uint16
		if binary.Read(conn, binary.BigEndian, &size) != nil {
			return
		}
		question := make([]byte, size)
		if _, err := io.ReadFull(conn, question); err != nil {
			return
		}
		packed, err := n.answer(question)
		if err != nil {
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(packed))), packed...)); err != nil {
			return
		}
	}
}

func (n *NameServer) answer(question []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil {
		return nil, err
	}
	if len(m.Questions) != 1 {
		return nil, errors.New("not one question")
	}
	q := m.Questions[0]
	answer := dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true}, Questions: m.Questions}
	n.mu.Lock()
	text, ok := n.texts[q.Name.String()]
	n.mu.Unlock()
	head := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
	switch {
	case !ok:
		answer.RCode = dnsmessage.RCodeNameError
	case q.Type == dnsmessage.TypeA:
		answer.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}}}}
	case q.Type == dnsmessage.TypeTXT:
		answer.Answers = []dnsmessage.Resource{{Header: head, Body: &dnsmessage.TXTResource{TXT: []string{text}}}}
	}
	packed, err := answer.Pack()
	if err != nil {
		return nil, fmt.Errorf("answer %s: %w", q.Name, err)
	}
	return packed, nil
}
