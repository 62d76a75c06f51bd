package process

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"svc/store/storetest"
	"svc/tests/wait"
)

// saved starts an instance with something of each kind, and saves it with its secret key. It returns the backup, the file
// with the passphrase, and the answers of the instance.
func saved(t *testing.T, from Place) (file, pass string, answers map[string]string) {
	t.Helper()
	s := Start(t, from)
	s.fillForBackup(t)
	from.idle(t)
	file, pass = filepath.Join(t.TempDir(), "whole.svc"), passphraseFile(t, passphrase)
	answers = s.everyAnswer(t)
	runAt(t, from, "backup", "--passphrase-file", pass, file)
	return file, pass, answers
}

// limitedRun runs svc with files of at most so many blocks of 512 bytes, like on a full disk.
func limitedRun(t *testing.T, p Place, blocks int, args ...string) (string, error) {
	t.Helper()
	script := fmt.Sprintf("ulimit -f %d && exec \"$0\" \"$@\"", blocks)
	cmd := exec.Command("sh", append([]string{"-c", script, Svc(t)}, args...)...)
	cmd.Env = append(append(environment(), "SVC_DATA="+p.Data), p.Env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestARestoreOnAFullDiskLeavesNothingAndCanBeRepeated(t *testing.T) {
	t.Parallel()
	from := NewPlace(t)
	s := Start(t, from)
	s.fillForBackup(t)
	path := "/api/v4/projects/root%2Fsaved/packages/generic/tool/1.0/large.bin"
	if status, err := s.uploadPackage(t.Context(), path, 40<<20, zeros{}); status >= 300 {
		t.Fatal(status, err)
	}
	from.idle(t)
	want := s.everyAnswer(t)
	file, pass := filepath.Join(t.TempDir(), "whole.svc"), passphraseFile(t, passphrase)
	runAt(t, from, "backup", "--passphrase-file", pass, file)
	to := NewEmpty(t)
	const blocks = 60_000 // 30 MB: enough for the database, not for the package
	out, err := limitedRun(t, to, blocks, "restore", "--passphrase-file", pass, file)
	if err == nil || !strings.Contains(out, "too large") {
		t.Errorf("on a full disk: %v\n%s", err, out)
	}
	for _, folder := range []string{"repositories", "blobs"} {
		if left, err := os.ReadDir(filepath.Join(to.Data, folder)); err == nil && len(left) > 0 {
			t.Error("after a failure:", folder, left)
		}
	}
	if _, err := os.Stat(filepath.Join(to.Data, "restoring")); err == nil {
		t.Error("a restore that has failed and cleaned up counts as interrupted")
	}
	runAt(t, to, "restore", "--passphrase-file", pass, file)
	compareAnswers(t, want, Start(t, to).everyAnswer(t))
}

// The program is killed after the database was filled and before the storages are marked: it waits then for a bucket.
func TestARestoreThatWasKilledAfterTheDatabaseWasFilledIsFinished(t *testing.T) {
	t.Parallel()
	file, pass, want := saved(t, Shared(t))
	bucket := NewBucket(t)
	reached, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "svc-instance") {
			once.Do(func() { close(reached); <-release })
		}
		bucket.ServeHTTP(w, r)
	}))
	t.Cleanup(slow.Close)
	to := NewEmpty(t)
	to.Env = append(to.Env, "SVC_SECRET_KEY="+SecretKey, "SVC_BLOB_URL=s3://id:secret@files?endpoint="+url.QueryEscape(slow.URL))
	cmd := exec.Command(Svc(t), "restore", "--passphrase-file", pass, file)
	cmd.Env = append(append(environment(), "SVC_DATA="+to.Data), to.Env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-reached:
	case <-time.After(time.Minute):
		t.Error("the bucket was not marked", out.String())
	}
	cmd.Process.Kill() //nolint:errcheck // Wait reports it
	cmd.Wait()         //nolint:errcheck // killed
	close(release)
	refused(t, to, "after a killed restore", "svc restore was interrupted")
	if out := runAt(t, to, "restore", "--passphrase-file", pass, file); !strings.Contains(out, "had written everything") {
		t.Error(out)
	}
	compareAnswers(t, want, Start(t, to).everyAnswer(t))
}

func TestABackupThatWasKilledIsOverwritten(t *testing.T) {
	t.Parallel()
	from := NewPlace(t)
	Start(t, from).fillForBackup(t)
	file := filepath.Join(t.TempDir(), "whole.svc")
	left, err := os.Create(file + ".part")
	if err == nil {
		_, err = left.WriteString(strings.Repeat("half a backup of yesterday ", 1<<20))
	}
	if err == nil {
		err = syscall.Flock(int(left.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	refusesTo(t, from, "is being written by another svc backup", "backup", file)
	left.Close()
	refusesTo(t, NewEmpty(t), "not a backup", "restore", file+".part")
	runAt(t, from, "backup", file)
	runAt(t, from, "restore", "--check", file)
	if _, err := os.Stat(file + ".part"); err == nil {
		t.Error("the unfinished file is still there")
	}
}

func TestARestoreNeverWritesOverFilesOfAnotherInstance(t *testing.T) {
	t.Parallel()
	file, pass, _ := saved(t, NewPlace(t))
	to := NewEmpty(t)
	mine := filepath.Join(to.Data, "repositories", "mine")
	oldFile(t, mine, "precious")
	refusesTo(t, to, "never writes over an existing instance", "restore", "--passphrase-file", pass, file)
	if text, err := os.ReadFile(mine); string(text) != "precious" {
		t.Error("the file is lost", err)
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to.Data, "secret.key"), []byte(SecretKey+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refusesTo(t, to, "is another one than that of the backup", "restore", "--passphrase-file", pass, file)
	removeFiles(t, filepath.Join(to.Data, "secret.key"))
	runAt(t, to, "restore", "--passphrase-file", pass, file)
}

// The database is restarted while a backup reads from it: the backup fails, leaves nothing, and succeeds when it is
// repeated.
func TestABackupWhileTheDatabaseRestartsFailsAndCanBeRepeated(t *testing.T) {
	t.Parallel()
	if !storetest.Postgres() {
		t.Log("SQLite runs inside the process")
		return
	}
	place := NewPlace(t)
	s := Start(t, place)
	s.fillForBackup(t)
	wire := storetest.NewProxy(t, strings.TrimPrefix(place.Env[0], "SVC_DATABASE_URL="))
	through := Place{Data: place.Data, Env: []string{"SVC_DATABASE_URL=" + wire.URL}}
	file := filepath.Join(t.TempDir(), "whole.svc")
	cmd := exec.Command(Svc(t), "backup", file)
	cmd.Env = append(append(environment(), "SVC_DATA="+through.Data), through.Env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the backup is being written", func() bool {
		_, err := os.Stat(file + ".part")
		return err == nil
	})
	wire.SetHanging(true)
	wire.Cut()
	err := cmd.Wait()
	wire.SetHanging(false)
	if err == nil {
		t.Errorf("a backup without its database succeeded\n%s", out.String())
	}
	if left, _ := filepath.Glob(file + "*"); len(left) > 0 {
		t.Error("after a failure:", left)
	}
	runAt(t, through, "backup", file)
	runAt(t, through, "restore", "--check", file)
}
