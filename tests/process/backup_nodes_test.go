package process

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/storetest"

	"golang.org/x/crypto/ssh"
)

// The files of an instance with a bucket are restored into a folder, and from there into another bucket, and so are its
// Git LFS files.
func TestABackupMovesFilesFromABucketToAFolderAndBack(t *testing.T) {
	t.Parallel()
	from := NewPlace(t)
	bucket := NewBucket(t)
	from.Env = append(from.Env, "SVC_BLOB_URL="+bucket.Address())
	file, pass, want := saved(t, from)
	if !bucket.has("lfs/") {
		t.Fatal("the Git LFS file is not in the bucket")
	}
	other := NewBucket(t)
	for name, env := range map[string][]string{"folder": nil, "bucket": {"SVC_BLOB_URL=" + other.Address()}} {
		to := NewEmpty(t)
		to.Env = append(to.Env, env...)
		runAt(t, to, "restore", "--passphrase-file", pass, file)
		s := Start(t, to)
		compareAnswers(t, want, s.everyAnswer(t))
		hasLFS(t.Context(), t, s, "root/saved", "a large file")
		r := doctor(t, to, 0, "--deep", "--url", s.URL)
		if r.status("lfs") != "ok" || r.status("files") != "ok" {
			t.Errorf("%s: %s\n%s", name, r.texts("lfs"), r.texts("files"))
		}
		if name != "folder" {
			continue
		}
		again, last := filepath.Join(t.TempDir(), "again.svc"), NewBucket(t)
		runAt(t, to, "backup", "--passphrase-file", pass, again)
		back := NewEmpty(t)
		back.Env = append(back.Env, "SVC_BLOB_URL="+last.Address())
		runAt(t, back, "restore", "--passphrase-file", pass, again)
		hasLFS(t.Context(), t, Start(t, back), "root/saved", "a large file")
		if !last.has("lfs/") {
			t.Error("the Git LFS file was not restored into the bucket")
		}
	}
}

func TestDoctorChecksGitLFSFilesInTheBucket(t *testing.T) {
	t.Parallel()
	p, bucket := NewPlace(t), NewBucket(t)
	without := p
	p.Env = append(p.Env[:len(p.Env):len(p.Env)], "SVC_BLOB_URL="+bucket.Address())
	s := startWithProject(t, p)
	if !uploadLFS(t.Context(), s, "root/p", "a large file") {
		t.Fatal("the Git LFS file was not stored")
	}
	s.stop()
	if r := doctor(t, p, 0, "--deep"); r.status("lfs") != "ok" || r.status("files") != "ok" {
		t.Errorf("%s\n%s", r.texts("lfs"), r.texts("files"))
	}
	if r := doctor(t, without, 1, "--only", "lfs"); !strings.Contains(r.texts("lfs"), "Set SVC_BLOB_URL") {
		t.Errorf("without the bucket: %s", r.texts("lfs"))
	}
	bucket.replace("lfs/", []byte("a large FILE"))
	doctor(t, p, 0, "--only", "lfs")
	changed := doctor(t, p, 1, "--deep", "--only", "lfs")
	if !strings.Contains(changed.texts("lfs"), "in the bucket is wrong: its content has changed") {
		t.Errorf("changed: %s", changed.texts("lfs"))
	}
	bucket.replace("lfs/", nil)
	if r := doctor(t, p, 1, "--only", "lfs"); !strings.Contains(r.texts("lfs"), "in the bucket is wrong: it does not exist") {
		t.Errorf("lost: %s", r.texts("lfs"))
	}
}

// A restored instance starts at another URL: with the URL that svc restore was given, or after svc admin set-url, which
// the refusal names.
func TestARestoredInstanceGetsAnotherURL(t *testing.T) {
	t.Parallel()
	from := NewPlace(t)
	from.Env = append(from.Env, "SVC_URL=https://old.example.com")
	Launch(t, from)
	file, pass := filepath.Join(t.TempDir(), "whole.svc"), passphraseFile(t, passphrase)
	runAt(t, from, "backup", "--passphrase-file", pass, file)
	const moved = "SVC_URL=https://new.example.com"
	to := NewEmpty(t)
	to.Env = append(to.Env, moved)
	runAt(t, to, "restore", "--passphrase-file", pass, file)
	Launch(t, to).stop()
	later := NewEmpty(t)
	runAt(t, later, "restore", "--passphrase-file", pass, file)
	later.Env = append(later.Env, moved)
	if storetest.Postgres() {
		refused(t, later, "at another URL", "svc admin set-url https://new.example.com")
	}
	runAt(t, later, "admin", "set-url", "https://new.example.com")
	Launch(t, later)
}

// hostKey returns the fingerprint that an SSH client sees.
func hostKey(t *testing.T, address string) (fingerprint string) {
	t.Helper()
	see := func(_ string, _ net.Addr, key ssh.PublicKey) error {
		fingerprint = ssh.FingerprintSHA256(key)
		return nil
	}
	conn, err := ssh.Dial("tcp", address, &ssh.ClientConfig{User: "git", HostKeyCallback: see})
	if err == nil {
		conn.Close()
	}
	if fingerprint == "" {
		t.Fatal(err)
	}
	return fingerprint
}

// An instance keeps its SSH host keys when its secret key is rotated, when its data folder is new, and in a restore into
// the other kind of database.
func TestHostKeysSurviveARotationAndARestore(t *testing.T) {
	t.Parallel()
	p, address := NewPlace(t), fmt.Sprintf("127.0.0.1:%d", freePort(t))
	p.Env = append(p.Env, "SVC_SSH_LISTEN="+address)
	s := Start(t, p)
	want := hostKey(t, address)
	s.stop()
	var done struct {
		Resealed []struct {
			Name  string
			Count int64
		}
	}
	admin(t, p, &done, "rotate-secret-key")
	if storetest.Postgres() {
		if !strings.Contains(fmt.Sprint(done.Resealed), "{SSH host keys 2}") {
			t.Errorf("%+v", done)
		}
		removeFiles(t, filepath.Join(p.Data, "ssh_host_*_key")) // like a new process
	}
	s = Start(t, p)
	if got := hostKey(t, address); got != want {
		t.Errorf("after a rotation the host key is %s, not %s", got, want)
	}
	if r := doctor(t, p, 0, "--only", "host-keys"); r.status("host-keys") != "ok" {
		t.Error(r.texts("host-keys"))
	}
	if storetest.Postgres() {
		removeFiles(t, filepath.Join(p.Data, "ssh_host_*_key")) // a backup from another machine
	}
	file, pass := filepath.Join(t.TempDir(), "whole.svc"), passphraseFile(t, passphrase)
	runAt(t, p, "backup", "--passphrase-file", pass, file)
	s.stop()
	to := sqlitePlace(t)
	to.Env = []string{"SVC_SSH_LISTEN=" + address}
	runAt(t, to, "restore", "--passphrase-file", pass, file)
	Start(t, to)
	if got := hostKey(t, address); got != want {
		t.Errorf("after a restore the host key is %s, not %s", got, want)
	}
}

// After the secret key is lost, svc admin replace-secret-key leaves an instance that starts, and whose webhooks can be
// read and changed.
func TestALostSecretKeyIsReplaced(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	p.Env = append(p.Env, "SVC_WEBHOOK_ALLOW=127.0.0.1")
	s := startWithProject(t, p)
	s.ask("POST", "/api/v4/hooks", `{"url":"https://example.com/hook","token":"hook secret"}`, 201, nil)
	s.ask("PUT", "/api/v4/projects/root%2Fp/integrations/slack", `{"webhook":"http://127.0.0.1:9/x"}`, 200, nil)
	s.stop()
	removeFiles(t, filepath.Join(p.Data, "secret.key"))
	refused(t, p, "without its key", "svc admin replace-secret-key")
	var removed map[string]int64
	admin(t, p, &removed, "replace-secret-key")
	if removed["webhooks"] != 1 || removed["integrations"] != 1 {
		t.Errorf("%v", removed)
	}
	s = Start(t, p)
	if _, err := os.Stat(filepath.Join(p.Data, "secret.key")); err != nil {
		t.Error(err)
	}
	var hooks []struct{ ID int64 }
	s.ask("GET", "/api/v4/hooks", "", 200, &hooks)
	s.ask("PUT", fmt.Sprintf("/api/v4/hooks/%d", hooks[0].ID), `{"url":"https://example.com/hook","token":"another"}`, 200, nil)
	s.ask("GET", "/api/v4/projects/root%2Fp/integrations", "", 200, nil)
	s.ask("PUT", "/api/v4/projects/root%2Fp/integrations/slack", `{"webhook":"http://127.0.0.1:9/y"}`, 200, nil)
	s.stop()
	admin(t, p, nil, "rotate-secret-key")
	Start(t, p).ask("GET", "/api/v4/hooks", "", 200, nil)
}
