package process

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/storetest"
)

func TestALostOrReplacedSecretKeyIsRefused(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	startWithProject(t, p).stop()
	path := filepath.Join(p.Data, "secret.key")
	move(t, path, path+".away")
	refused(t, p, "lost", path+" does not exist", "SVC_SECRET_KEY", "replace-secret-key")
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a new key was made: %v", err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("another ", 5)), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, p, "replaced", path+" is not the key", "replace-secret-key")
	move(t, path+".away", path)
	checkProject(t, p)
	// Run the command that the messages name.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if out, err := Run(t, p, "admin", "replace-secret-key"); err != nil || !strings.Contains(out, "Removed: 0 second factors") {
		t.Fatalf("%v %s", err, out)
	}
	checkProject(t, p)
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestAStartWithRepositoriesButWithoutTheirDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	startWithProject(t, p).stop()
	if storetest.Postgres() { // another database, which is empty
		p = Place{Data: p.Data, Env: NewEmpty(t).Env}
	} else {
		move(t, filepath.Join(p.Data, "svc.db"), filepath.Join(p.Data, "away.db"))
	}
	refused(t, p, "lost", filepath.Join(p.Data, "blobs")+" contain files of an instance", "mv "+filepath.Join(p.Data, "repositories"))
	if !storetest.Postgres() {
		if err := os.WriteFile(filepath.Join(p.Data, "svc.db"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		refused(t, p, "empty", filepath.Join(p.Data, "svc.db")+" does not exist or is empty")
	}
	move(t, filepath.Join(p.Data, "repositories"), filepath.Join(p.Data, "repositories.old"))
	refused(t, p, "one folder", "but "+filepath.Join(p.Data, "blobs")+" contains files of an instance")
	move(t, filepath.Join(p.Data, "blobs"), filepath.Join(p.Data, "blobs.old"))
	Start(t, p).stop()
}

func TestAnOlderProgramLeavesANewerDatabaseAlone(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	Start(t, p).stop()
	st := p.open(t)
	for _, change := range []string{
		"INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)", "UPDATE instance SET program = '9.8.7'",
	} {
		if _, err := st.SQL().ExecContext(t.Context(), change); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, p, "serve", "schema 99999, created by svc 9.8.7", "this program only supports schema ", "This is svc ")
	for _, args := range [][]string{{"migrate"}, {"admin", "make-admin", "root"}} {
		if out, err := Run(t, p, args...); err == nil || !strings.Contains(out, "schema 99999, created by svc 9.8.7") {
			t.Errorf("%v: %v %s", args, err, out)
		}
	}
}

func TestADatabaseOfAnotherProgramIsRefused(t *testing.T) {
	t.Parallel()
	p := NewEmpty(t)
	if err := os.MkdirAll(p.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	st := p.open(t)
	if _, err := st.SQL().ExecContext(t.Context(), "CREATE TABLE users (id integer)"); err != nil {
		t.Fatal(err)
	}
	refused(t, p, "serve", "the database contains tables of another program", `"users"`)
	if out, err := Run(t, p, "admin", "make-admin", "root"); err == nil ||
		!strings.Contains(out, "the database contains tables of another program") {
		t.Errorf("admin: %v %s", err, out)
	}
}

func TestASmallPoolWorksOrIsRefused(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	p.Env = append(p.Env, "SVC_DATABASE_POOL=1")
	refused(t, p, "one connection", "SVC_DATABASE_POOL")
	p.Env[len(p.Env)-1] = "SVC_DATABASE_POOL=2"
	startWithProject(t, p).stop()
}

func TestAStartWithoutARecentGitIsRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	run := func() string {
		p := NewPlace(t)
		cmd := exec.Command(Svc(t), "serve", "--listen", "127.0.0.1:0")
		cmd.Env = append([]string{"PATH=" + folder, "SVC_DATA=" + p.Data}, p.Env...)
		out, err := cmd.CombinedOutput()
		if err == nil || strings.Contains(string(out), "svc serves") {
			t.Errorf("it has started: %v\n%s", err, out)
		}
		return string(out)
	}
	if out := run(); !strings.Contains(out, "cannot run git") || !strings.Contains(out, "install git 2.39 or newer") {
		t.Errorf("without git: %s", out)
	}
	old := "#!/bin/sh\necho git version 2.30.1\n"
	if err := os.WriteFile(filepath.Join(folder, "git"), []byte(old), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	if out := run(); !strings.Contains(out, `"git version 2.30.1" is too old: install git 2.39 or newer`) {
		t.Errorf("with an old git: %s", out)
	}
}

func TestAnUnreachableBucketIsRefused(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	p.Env = append(p.Env, "SVC_BLOB_URL=s3://id:secret@files?endpoint=http://you:hidden@127.0.0.1:1")
	refused(t, p, "no bucket", "the object storage at http://127.0.0.1:1/files/ cannot be reached: ", "connection refused",
		"Check that it runs, that this machine can connect to it, and that the endpoint in SVC_BLOB_URL is right")
	out, _ := Run(t, p, "serve", "--listen", "127.0.0.1:0")
	if strings.Contains(out, "secret") || strings.Contains(out, "hidden") || strings.Contains(out, "database") {
		t.Errorf("it shows a secret, or names the database:\n%s", out)
	}
}

func TestABucketThatRefusesTheAccessKeyIsNamed(t *testing.T) {
	t.Parallel()
	bucket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, "<Error><Code>AccessDenied</Code></Error>")
	}))
	t.Cleanup(bucket.Close)
	p := NewPlace(t)
	p.Env = append(p.Env, "SVC_BLOB_URL=s3://id:secret@files/svc?endpoint="+bucket.URL)
	refused(t, p, "a wrong key", "the object storage at "+bucket.URL+"/files/svc/ cannot be used: it answered 403 AccessDenied",
		"the access key in SVC_BLOB_URL")
}

func TestUnknownSettingsAreNamed(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p, "SVC_LISTN=x", "SVC_SOMETHING_ELSE_ALTOGETHER=1")
	for _, want := range []string{
		"SVC_LISTN is not a setting and is ignored; did you mean SVC_LISTEN?",
		"SVC_SOMETHING_ELSE_ALTOGETHER is not a setting and is ignored\n",
	} {
		if !strings.Contains(s.Output(), want) {
			t.Errorf("%q is not in:\n%s", want, s.Output())
		}
	}
	for _, c := range []struct{ args, want string }{
		{"admin list-cats", `"list-cats" is not an admin command`},
		{"admin make-admin", "takes one argument, USERNAME"},
		{"admin make-admin root --email x", "--email: unknown flag"},
	} {
		if out, err := Run(t, p, strings.Fields(c.args)...); err == nil || !strings.Contains(out, c.want) {
			t.Errorf("svc %s: %v %s", c.args, err, out)
		}
	}
	out, err := Run(t, p, "admin", "create-token", "--help")
	if err != nil || !strings.Contains(out, "--scopes") || strings.Contains(out, "--email") || strings.Contains(out, "create-user") {
		t.Errorf("the help of one command: %v\n%s", err, out)
	}
}
