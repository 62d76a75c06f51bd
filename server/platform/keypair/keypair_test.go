package keypair_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"svc/server/platform/keypair"
	"svc/server/platform/keypair/keypairtest"
)

const host = "git.example.com"

// folder is a folder with a certificate and its key.
type folder struct {
	t                *testing.T
	certificate, key string
}

func newFolder(t *testing.T) folder {
	t.Helper()
	path := t.TempDir()
	return folder{t, filepath.Join(path, "cert.pem"), filepath.Join(path, "key.pem")}
}

// write writes a certificate with a serial number. A write makes the files a minute younger than those of the number
// before, so that the test does not depend on how exactly the file system stores times.
func (f folder) write(serial int64) {
	f.t.Helper()
	certificate, key := keypairtest.New(f.t, host, serial, time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	f.put(f.certificate, certificate, serial)
	f.put(f.key, key, serial)
}

func (f folder) put(path string, text []byte, serial int64) {
	f.t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		f.t.Fatal(err)
	}
	at := time.Now().Add(time.Duration(serial) * time.Minute)
	if err := os.Chtimes(path, at, at); err != nil {
		f.t.Fatal(err)
	}
}

// load loads the files and returns the serial number of the certificate afterwards; 0 if there is none.
func (f folder) load(files *keypair.Files) (serial int64, changed bool, err error) {
	changed, err = files.Load(f.certificate, f.key)
	if current := files.Get(); current != nil {
		serial = current.Leaf.SerialNumber.Int64()
	}
	return serial, changed, err
}

func TestReplacedFilesAreReadAgain(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	var files keypair.Files
	if serial, changed, err := f.load(&files); serial != 0 || changed || err == nil {
		t.Error("without files:", serial, changed, err)
	}
	f.write(1)
	if serial, changed, err := f.load(&files); serial != 1 || !changed || err != nil {
		t.Fatal(serial, changed, err)
	}
	if serial, changed, err := f.load(&files); serial != 1 || changed || err != nil {
		t.Error("unchanged:", serial, changed, err)
	}
	f.write(2)
	if serial, changed, err := f.load(&files); serial != 2 || !changed || err != nil {
		t.Error("replaced:", serial, changed, err)
	}
	if changed, err := files.Load("", ""); changed || err != nil || files.Get() == nil {
		t.Error("without names:", changed, err)
	}
}

func TestTheOldCertificateStaysAfterAnError(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	var files keypair.Files
	f.write(1)
	if _, _, err := f.load(&files); err != nil {
		t.Fatal(err)
	}
	other, _ := keypairtest.New(t, host, 2, time.Now(), time.Now().Add(time.Hour))
	f.put(f.certificate, other, 2) // the key is still that of the first one, as between two writes
	if serial, changed, err := f.load(&files); serial != 1 || changed || err == nil {
		t.Error("a key of another certificate:", serial, changed, err)
	}
	f.put(f.key, []byte("no PEM"), 3)
	if serial, changed, err := f.load(&files); serial != 1 || changed || err == nil {
		t.Error("a broken key:", serial, changed, err)
	}
	if err := os.Remove(f.key); err != nil {
		t.Fatal(err)
	}
	if serial, changed, err := f.load(&files); serial != 1 || changed || err == nil {
		t.Error("no key:", serial, changed, err)
	}
	f.write(4)
	if serial, changed, err := f.load(&files); serial != 4 || !changed || err != nil {
		t.Error("complete again:", serial, changed, err)
	}
}

func TestHandshakesAndReloadsRunConcurrently(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	var files keypair.Files
	f.write(1)
	if _, _, err := f.load(&files); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 200 {
				if files.Get() == nil {
					t.Error("there is no certificate")
					return
				}
			}
		})
	}
	for serial := range int64(10) {
		f.write(serial + 2)
		if _, err := files.Load(f.certificate, f.key); err != nil {
			t.Error(err)
		}
	}
	all.Wait()
}

func TestWarningsAboutACertificate(t *testing.T) {
	t.Parallel()
	day, now := 24*time.Hour, time.Now()
	for name, c := range map[string]struct {
		from, until time.Duration
		host, want  string
	}{
		"good":                {-day, 60 * day, host, ""},
		"over":                {-60 * day, -time.Minute, host, "the certificate has expired"},
		"in the future":       {time.Hour, 60 * day, host, "the certificate is not valid yet"},
		"almost over":         {-60 * day, 13 * day, host, "the certificate expires soon"},
		"short and new":       {-day, 3 * day, host, ""},
		"short and almost so": {-3 * day, day, host, "the certificate expires soon"},
		"another host":        {-day, 60 * day, "example.com", "the certificate is not for the host of the URL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFolder(t)
			certificate, key := keypairtest.New(t, host, 1, now.Add(c.from), now.Add(c.until))
			f.put(f.certificate, certificate, 1)
			f.put(f.key, key, 1)
			var files keypair.Files
			if _, err := files.Load(f.certificate, f.key); err != nil {
				t.Fatal(err)
			}
			if got := keypair.Warning(files.Get(), c.host, now); got != c.want {
				t.Errorf("%q", got)
			}
		})
	}
}
