package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"svc/store/storetest"
	"svc/tests/wait"
)

// fillForBackup creates something of each kind that is stored outside the database.
func (s *Server) fillForBackup(t *testing.T) {
	t.Helper()
	for _, request := range []struct{ method, path, body string }{
		{"POST", "/projects", `{"name":"saved","initialize_with_readme":true}`},
		{"POST", "/projects/root%2Fsaved/repository/files/a%2Fb.txt", `{"branch":"main","content":"text","commit_message":"Add"}`},
		{"POST", "/projects/root%2Fsaved/repository/tags", `{"tag_name":"v1","ref":"main"}`},
		{"POST", "/projects/root%2Fsaved/issues", `{"title":"An issue","description":"with ✓ and \u0001","due_date":"2030-02-28"}`},
		{"POST", "/projects/root%2Fsaved/wikis", `{"title":"home","content":"Wiki"}`},
		{"POST", "/snippets", `{"title":"s","visibility":"private","files":[{"file_path":"a.txt","content":"x"}]}`},
		{"POST", "/projects/root%2Fsaved/releases", `{"tag_name":"v1","name":"One"}`},
		{"POST", "/projects/root%2Fsaved/variables", `{"key":"K","value":"v"}`},
		{"PUT", "/projects/root%2Fsaved/packages/generic/tool/1.0/tool.bin", `binary`},
	} {
		if status, body, err := s.Do(t.Context(), request.method, "/api/v4"+request.path, request.body); status >= 300 {
			t.Fatal(request.path, status, body, err)
		}
	}
	if !uploadLFS(t.Context(), s, "root/saved", "a large file") {
		t.Fatal("the Git LFS file was not stored")
	}
}

// runAt runs a command of svc with the settings of a place.
func runAt(t *testing.T, p Place, args ...string) string {
	t.Helper()
	out, err := Run(t, p, args...)
	if err != nil {
		t.Fatalf("svc %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// refusesTo runs a command that must fail with a text.
func refusesTo(t *testing.T, p Place, why string, args ...string) {
	t.Helper()
	if out, err := Run(t, p, args...); err == nil || !strings.Contains(out, why) {
		t.Errorf("svc %s: %v, without %q\n%s", strings.Join(args, " "), err, why, out)
	}
}

// passphraseFile returns a file with a passphrase.
func passphraseFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "passphrase")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const passphrase = "correct horse battery"

// sqlitePlace returns a place with SQLite, whatever database the tests run on.
func sqlitePlace(t *testing.T) Place {
	t.Helper()
	return Place{Data: filepath.Join(folder(t), "data")}
}

// idle waits until no background job is waiting or running, so that nothing changes by itself any more.
func (p Place) idle(t *testing.T) {
	t.Helper()
	st := p.open(t)
	wait.Until(t, "the activity of the administrator is stored", func() bool {
		return number(t, st, "SELECT count(*) FROM users WHERE last_activity_on IS NOT NULL") > 0
	})
	wait.Until(t, "all background jobs have run", func() bool {
		return number(t, st, "SELECT count(*) FROM river_job WHERE state IN ('available', 'running')") == 0
	})
}

// seeded starts an instance with the demonstration data and something of each kind.
func seeded(t *testing.T, p Place) *Server {
	t.Helper()
	s := Start(t, p, "SVC_SEED=1")
	s.fillForBackup(t)
	p.idle(t)
	return s
}

// rowsOf returns all values of an SQLite database as they are stored, by table.
func (p Place) rowsOf(t *testing.T) map[string]string {
	t.Helper()
	st := p.open(t)
	tables, err := st.DumpTables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, table := range tables[:len(tables)-1] { // the last one is the job queue
		var values []string
		for _, c := range table.Columns {
			if c.Name != "removals_held_until" && c.Name != "last_used_at" {
				values = append(values, "quote("+c.Name+")")
			}
		}
		var text string
		statement := fmt.Sprintf("SELECT coalesce(group_concat(line, char(10)), '') FROM (SELECT %s AS line FROM %q ORDER BY 1)",
			strings.Join(values, " || ' ' || "), table.Name)
		if err := st.SQL().QueryRowContext(t.Context(), statement).Scan(&text); err != nil {
			t.Fatal(table.Name, err)
		}
		all[table.Name] = text
	}
	return all
}

func TestABackupOfARunningInstanceIsRestoredWithEveryAnswer(t *testing.T) {
	t.Parallel()
	from, pass, folder := NewPlace(t), passphraseFile(t, passphrase), t.TempDir()
	s := seeded(t, from)
	want := s.everyAnswer(t)
	file := filepath.Join(folder, "0.svc")
	runAt(t, from, "backup", "--passphrase-file", pass, file)
	runAt(t, from, "restore", "--check", file)
	targets := []Place{NewEmpty(t)}
	if storetest.Postgres() {
		targets = []Place{sqlitePlace(t), NewEmpty(t)} // from PostgreSQL to SQLite and back
	}
	for i, to := range targets {
		runAt(t, to, "restore", "--passphrase-file", pass, file)
		if !storetest.Postgres() {
			sameRows(t, from.rowsOf(t), to.rowsOf(t))
		}
		restored := Start(t, to)
		compareAnswers(t, want, restored.everyAnswer(t))
		hasLFS(t.Context(), t, restored, "root/saved", "a large file")
		file = filepath.Join(folder, fmt.Sprint(i+1, ".svc"))
		runAt(t, to, "backup", "--passphrase-file", pass, file)
		if status, body, err := restored.Do(t.Context(), "POST", "/api/v4/projects", `{"name":"after"}`); status != 201 {
			t.Error("a new project after the restore:", status, body, err)
		}
	}
}

// sameRows compares what two SQLite databases have stored, byte for byte.
func sameRows(t *testing.T, want, got map[string]string) {
	t.Helper()
	for table, rows := range want {
		if got[table] != rows && table != "instance" {
			t.Errorf("%s has changed:\nbefore %.1500s\nafter  %.1500s", table, rows, got[table])
		}
	}
}

func TestADatabaseMovesToAnotherKindAndBack(t *testing.T) {
	t.Parallel()
	from := sqlitePlace(t)
	s := seeded(t, from)
	want := s.everyAnswer(t)
	other, target := []string{"--to-data", filepath.Join(t.TempDir(), "other")}, from
	if storetest.Postgres() {
		url := storetest.EmptyPostgres(t)
		other, target.Env = []string{"--to", url}, []string{"SVC_DATABASE_URL=" + url}
	}
	move := append([]string{"migrate-database"}, other...)
	refusesTo(t, from, "in use by another svc", move...)
	s.stop()
	before := from.rowsOf(t)
	runAt(t, from, move...)
	refusesTo(t, from, "not empty", move...)
	if !storetest.Postgres() {
		sameRows(t, before, Place{Data: other[1]}.rowsOf(t))
		return
	}
	s = Start(t, target)
	compareAnswers(t, want, s.everyAnswer(t))
	refusesTo(t, Place{Data: filepath.Join(folder(t), "data"), Env: target.Env}, "processes serve this instance",
		"migrate-database", "--to-data", t.TempDir())
	s.stop()
	back := filepath.Join(t.TempDir(), "back")
	runAt(t, target, "migrate-database", "--to-data", back)
	replaceFile(t, filepath.Join(back, "svc.db"), filepath.Join(from.Data, "svc.db"))
	s = Start(t, from)
	compareAnswers(t, want, s.everyAnswer(t))
}

// replaceFile replaces a database by another one. The old one may be open in this test, and has files beside it then.
func replaceFile(t *testing.T, from, to string) {
	t.Helper()
	for _, old := range []string{to, to + "-wal", to + "-shm"} {
		os.Remove(old)
	}
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// schemaLine is the line of the schema in the manifest.
var schemaLine = regexp.MustCompile(`"schema": \d\d`)

func TestABackupThatIsDamagedOrInTheWrongPlaceRestoresNothing(t *testing.T) {
	t.Parallel()
	from, folder := NewPlace(t), t.TempDir()
	s := Start(t, from)
	s.fillForBackup(t)
	file, pass := filepath.Join(folder, "whole.svc"), passphraseFile(t, passphrase)
	runAt(t, from, "backup", "--passphrase-file", pass, file)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(whole)
	changed[bytes.LastIndex(whole, []byte("binary"))] = 'B' // in the package
	to := NewEmpty(t)
	for name, c := range map[string]struct {
		content []byte
		says    string
	}{
		"cut off":        {whole[:len(whole)/2], "incomplete"},
		"empty":          {nil, "incomplete"},
		"changed":        {changed, "has changed"},
		"something else": {bytes.Repeat([]byte("not a backup at all\n"), 100), "not a backup"},
		"newer":          {bytes.Replace(whole, []byte(`"format": 1`), []byte(`"format": 9`), 1), "newer than this program"},
	} {
		broken := filepath.Join(folder, name)
		if err := os.WriteFile(broken, c.content, 0o600); err != nil {
			t.Fatal(err)
		}
		refusesTo(t, to, c.says, "restore", broken)
		refusesTo(t, to, c.says, "restore", "--check", broken)
		if _, err := os.Stat(filepath.Join(to.Data, "restoring")); err == nil {
			t.Error(name, "left a mark")
		}
	}
	newer := filepath.Join(folder, "newer schema")
	if err := os.WriteFile(newer, schemaLine.ReplaceAll(whole, []byte(`"schema": 99`)), 0o600); err != nil {
		t.Fatal(err)
	}
	refusesTo(t, to, "newer than this program", "restore", newer)
	refusesTo(t, to, "no such file", "restore", filepath.Join(folder, "misspelt"))
	refusesTo(t, to, "passphrase is wrong", "restore", "--passphrase-file", passphraseFile(t, "another passphrase"), file)
	runAt(t, to, "restore", "--passphrase-file", pass, file)
	refusesTo(t, to, "not empty", "restore", file)
	refusesTo(t, from, "in use by another svc", "restore", file)
}

func TestABackupIsCompleteOrDoesNotExist(t *testing.T) {
	t.Parallel()
	from, folder := NewPlace(t), t.TempDir()
	s := Start(t, from)
	s.fillForBackup(t)
	path := "/api/v4/projects/root%2Fsaved/packages/generic/tool/1.0/large.bin"
	if status, err := s.uploadPackage(t.Context(), path, 20<<20, zeros{}); status >= 300 {
		t.Fatal(status, err)
	}
	file := filepath.Join(folder, "full.svc")
	cmd := exec.Command("sh", "-c", "ulimit -f 20000 && exec \"$0\" backup "+file, Svc(t)) // 10 MB, like a full disk
	cmd.Env = append(append(environment(), "SVC_DATA="+from.Data), from.Env...)
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "too large") {
		t.Errorf("on a full disk: %v\n%s", err, out)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Error("after a failure:", left, err)
	}
	refusesTo(t, from, "not a file", "backup", folder)
	refusesTo(t, from, "not a file", "backup", "/dev/null")
	refusesTo(t, sqlitePlace(t), "there is no instance", "backup", file)
	runAt(t, from, "backup", file)
	refusesTo(t, from, "is the earlier backup", "backup", "--base", file, file)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Error("the mode of the backup:", info, err)
	}
}

func TestARestoreThatWasKilledStartsAnew(t *testing.T) {
	t.Parallel()
	from, folder := NewPlace(t), t.TempDir()
	s := Start(t, from)
	s.fillForBackup(t)
	from.idle(t)
	file, pass := filepath.Join(folder, "whole.svc"), passphraseFile(t, passphrase)
	runAt(t, from, "backup", "--passphrase-file", pass, file)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := s.everyAnswer(t)
	to := NewEmpty(t)
	cmd := exec.Command(Svc(t), "restore", "--passphrase-file", pass, "-")
	cmd.Env = append(append(environment(), "SVC_DATA="+to.Data), to.Env...)
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = in.Write(whole[:bytes.LastIndex(whole, []byte("binary"))])
	}
	if err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "repositories are restored", func() bool {
		found, _ := filepath.Glob(filepath.Join(to.Data, "repositories", "*", "*", "*", "*.git"))
		return len(found) > 0
	})
	cmd.Process.Kill() //nolint:errcheck // Wait reports it
	cmd.Wait()         //nolint:errcheck // killed
	refused(t, to, "after a killed restore", "svc restore was interrupted")
	runAt(t, to, "restore", "--passphrase-file", pass, file)
	compareAnswers(t, want, Start(t, to).everyAnswer(t))
}

func TestABackupCanLeaveOutWhatEarlierOnesHave(t *testing.T) {
	t.Parallel()
	from, folder := NewPlace(t), t.TempDir()
	s := Start(t, from)
	s.fillForBackup(t)
	from.idle(t)
	files := []string{filepath.Join(folder, "1.svc"), filepath.Join(folder, "2.svc"), filepath.Join(folder, "3.svc")}
	runAt(t, from, "backup", files[0])
	for i := 1; i < len(files); i++ {
		path := fmt.Sprintf("/api/v4/projects/root%%2Fsaved/repository/files/c%d.txt", i)
		content := `{"branch":"main","content":"more","commit_message":"More"}`
		if status, body, err := s.Do(t.Context(), "POST", path, content); status != 201 {
			t.Fatal(status, body, err)
		}
		if out := runAt(t, from, "backup", "--base", files[i-1], files[i]); !strings.Contains(out, "in the earlier backup") {
			t.Error(out)
		}
	}
	from.idle(t)
	want := s.everyAnswer(t)
	to := NewEmpty(t)
	refusesTo(t, to, "--base", "restore", files[2])
	refusesTo(t, to, "--base", "restore", "--base", files[1], files[2])
	runAt(t, to, "restore", "--base", files[1], "--base", files[0], files[2])
	key, err := os.ReadFile(filepath.Join(from.Data, "secret.key"))
	if err == nil {
		err = os.WriteFile(filepath.Join(to.Data, "secret.key"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	compareAnswers(t, want, Start(t, to).everyAnswer(t))
}

func TestABackupContainsABucketAndSeveralStorages(t *testing.T) {
	t.Parallel()
	from := Shared(t)
	from.Env = append(from.Env, "SVC_STORAGES=default="+folder(t)+",other="+folder(t), "SVC_MOVE_GRACE=0s")
	s := Start(t, from)
	s.fillForBackup(t)
	s.ask("POST", "/api/v4/projects/root%2Fsaved/repository_storage_moves", `{"destination_storage_name":"other"}`, 201, nil)
	wait.Until(t, "the repository has moved", func() bool {
		_, body, _ := s.Do(t.Context(), "GET", "/api/v4/projects/root%2Fsaved/repository_storage_moves", "")
		return strings.Contains(body, `"state":"finished"`)
	})
	from.idle(t)
	want := s.everyAnswer(t)
	file := filepath.Join(t.TempDir(), "whole.svc")
	runAt(t, from, "backup", file)
	to := NewEmpty(t)
	refusesTo(t, to, "the storage other", "restore", file)
	to.Env = append(to.Env, "SVC_STORAGES=default="+folder(t)+",other="+folder(t), "SVC_SECRET_KEY="+SecretKey)
	taken := to
	taken.Env = append(taken.Env[:len(taken.Env):len(taken.Env)], bucketOf(from))
	refusesTo(t, taken, "belongs to the instance", "restore", file)
	to.Env = append(to.Env, "SVC_BLOB_URL="+NewBucket(t).Address())
	runAt(t, to, "restore", file)
	compareAnswers(t, want, Start(t, to).everyAnswer(t))
}

// bucketOf returns the setting of the bucket of a place.
func bucketOf(p Place) string {
	for _, line := range p.Env {
		if strings.HasPrefix(line, "SVC_BLOB_URL=") {
			return line
		}
	}
	return ""
}

// People push, and projects are created, while backups are made. In each restored instance, every commit that the
// database knows is in the repository, and no commit is there that the database does not know.
func TestABackupDuringPushesIsOfOneMoment(t *testing.T) {
	t.Parallel()
	from := Shared(t)
	s := Start(t, from)
	if status, body, err := s.Do(t.Context(), "POST", "/api/v4/projects", `{"name":"p"}`); status != 201 {
		t.Fatal(status, body, err)
	}
	people := make([]pusher, 4)
	var work sync.WaitGroup
	for i := range people {
		people[i] = newPusher(t, fmt.Sprintf("b%d", i))
		work.Go(func() { people[i].push(s.remote()) })
	}
	work.Go(func() {
		for i := 0; ; i++ {
			body := fmt.Sprintf(`{"name":"new%d","initialize_with_readme":true}`, i)
			if _, _, err := s.Do(t.Context(), "POST", "/api/v4/projects", body); err != nil {
				return
			}
		}
	})
	folder := t.TempDir()
	const backups = 3
	for i := range backups {
		enough := int64(8 * (i + 1))
		wait.Until(t, "pushes have succeeded", func() bool { return pushed(people) >= enough })
		runAt(t, from, "backup", filepath.Join(folder, fmt.Sprint(i)))
	}
	s.Signal(syscall.SIGKILL)
	s.End() //nolint:errcheck // killed
	work.Wait()
	for i := range backups {
		to := NewEmpty(t)
		to.Env = append(to.Env, "SVC_SECRET_KEY="+SecretKey)
		runAt(t, to, "restore", filepath.Join(folder, fmt.Sprint(i)))
		restored := Start(t, to)
		st := to.open(t)
		waitForPushes(t, st)
		out, err := exec.CommandContext(t.Context(), "git", "ls-remote", restored.remote()).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		checkEvents(t, st, string(out))
		checkObjects(t, to)
		restored.stop()
	}
}

// checkObjects checks that all repositories of a place are complete.
func checkObjects(t *testing.T, p Place) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(p.Data, "repositories", "*", "*", "*", "*.git"))
	if err != nil || len(found) == 0 {
		t.Fatal("no repositories", err)
	}
	for _, repo := range found {
		out, err := exec.CommandContext(t.Context(), "git", "-C", repo, "fsck", "--connectivity-only").CombinedOutput()
		if err != nil || strings.Contains(string(out), "missing") {
			t.Errorf("%s: %v\n%s", repo, err, out)
		}
	}
}

func TestABackupHoldsTheRemovalOfFilesWhileItRuns(t *testing.T) {
	t.Parallel()
	from := NewPlace(t)
	s := Start(t, from)
	s.fillForBackup(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(Svc(t), "backup", "-")
	cmd.Env = append(append(environment(), "SVC_DATA="+from.Data), from.Env...)
	cmd.Stdout = write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	st := from.open(t)
	heldFor := func() time.Duration {
		row, err := st.Instance.Get(t.Context())
		if err != nil || row.RemovalsHeldUntil == nil {
			return 0
		}
		return time.Until(*row.RemovalsHeldUntil)
	}
	wait.Until(t, "removals are held", func() bool { return heldFor() > 5*time.Minute })
	cmd.Process.Signal(os.Interrupt) //nolint:errcheck // it may have ended
	read.Close()
	cmd.Wait() //nolint:errcheck // interrupted
	if left := heldFor(); left > 2*time.Minute {
		t.Errorf("removals are still held for %s", left)
	}
}
