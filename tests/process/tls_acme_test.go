package process

import (
	"bufio"
	"crypto/tls"
	"errors"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/server/platform/keypair/keypairtest"
	"svc/tests/acme"
	"svc/tests/port"
	"svc/tests/wait"
)

// freePort returns a port on which nothing listens.
func freePort(t *testing.T) int {
	t.Helper()
	free, err := port.Free()
	if err != nil {
		t.Fatal(err)
	}
	return free
}

func TestTheServiceObtainsItsCertificate(t *testing.T) {
	t.Parallel()
	for name, redirects := range map[string]bool{"over HTTP": true, "by a TLS handshake": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			names, web, plain := acme.StartNameServer(t), freePort(t), freePort(t)
			names.Set("git.example.com", "")
			ca := acme.StartWithTLS(t, names.Address, plain, web)
			address := "127.0.0.1:" + strconv.Itoa(web)
			env := []string{
				"SVC_LISTEN=" + address, "SVC_URL=https://git.example.com", "SVC_TLS_ACME=true", "SVC_ACME_DIRECTORY=" + ca.Directory,
				"SVC_ACME_CA=" + ca.CA, "SVC_ACME_EMAIL=root@example.com", "SVC_LOG_LEVEL=info",
			}
			if redirects {
				env = append(env, "SVC_REDIRECT_LISTEN=127.0.0.1:"+strconv.Itoa(plain))
			}
			p := NewPlace(t)
			s := Launch(t, p, env...)
			s.WaitFor("obtained a certificate for the service")
			first := acmeSerial(t, ca, address)
			files, err := filepath.Glob(filepath.Join(p.Data, "acme", "*"))
			if err != nil || len(files) != 1 || !strings.HasSuffix(files[0], "git.example.com.pem") {
				t.Error(files, err)
			}
			s.cmd.Process.Kill()
			s.End() //nolint:errcheck // killed
			Launch(t, p, env...)
			if again := acmeSerial(t, ca, address); again.Cmp(first) != 0 {
				t.Error("a restart orders another certificate")
			}
		})
	}
}

// The certificate in the data folder is due three seconds after the start: the service presents it until it has the new
// one.
func TestTheServiceRenewsItsCertificate(t *testing.T) {
	t.Parallel()
	const host = "git.example.com"
	names, web, plain := acme.StartNameServer(t), freePort(t), freePort(t)
	names.Set(host, "")
	ca := acme.StartWithTLS(t, names.Address, plain, web)
	address := "127.0.0.1:" + strconv.Itoa(web)
	p := NewPlace(t)
	file := filepath.Join(p.Data, "acme", host+".pem")
	due := time.Now().Add(3 * time.Second) // after two thirds of the lifetime
	certificate, key := keypairtest.New(t, host, 77, due.Add(-20*time.Hour), due.Add(10*time.Hour))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, append(certificate, key...), 0o600)); err != nil {
		t.Fatal(err)
	}
	s := Launch(t, p, "SVC_LISTEN="+address, "SVC_URL=https://"+host, "SVC_TLS_ACME=true", "SVC_ACME_DIRECTORY="+ca.Directory,
		"SVC_ACME_CA="+ca.CA, "SVC_LOG_LEVEL=info")
	old, err := tls.Dial("tcp", address, &tls.Config{ServerName: host, InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if time.Now().Before(due) && old.ConnectionState().PeerCertificates[0].SerialNumber.Int64() != 77 {
		t.Error("the certificate was renewed before it was due")
	}
	s.WaitFor("obtained a certificate for the service")
	renewed := acmeSerial(t, ca, address)
	if renewed.Int64() == 77 {
		t.Error("the old certificate is presented")
	}
	if _, err := old.Write([]byte(request)); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(old), nil)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("a connection from before: %v", err)
	}
	res.Body.Close()
	stored, err := tls.LoadX509KeyPair(file, file)
	if err != nil || stored.Leaf.SerialNumber.Cmp(renewed) != 0 {
		t.Error("another certificate is stored", err)
	}
}

// acmeSerial returns the serial number of the certificate that the service presents. The client trusts only the
// authority.
func acmeSerial(t *testing.T, ca *acme.Authority, address string) (serial *big.Int) {
	t.Helper()
	trusted := &tls.Config{ServerName: "git.example.com", RootCAs: ca.Roots(t), MinVersion: tls.VersionTLS12}
	wait.Until(t, "the certificate is served", func() bool {
		conn, err := tls.Dial("tcp", address, trusted)
		if err != nil {
			return false
		}
		defer conn.Close()
		serial = conn.ConnectionState().PeerCertificates[0].SerialNumber
		return true
	})
	return serial
}
