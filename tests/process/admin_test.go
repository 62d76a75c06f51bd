package process

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/secret"
	"svc/tests/wait"
)

// admin runs an admin command with --json and decodes its answer.
func admin(t testing.TB, p Place, into any, args ...string) {
	t.Helper()
	out, status := runOut(t, p, append(append([]string{"admin"}, args...), "--json")...)
	if status != 0 {
		t.Fatalf("svc admin %s: %d %s", strings.Join(args, " "), status, out)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal([]byte(out), into); err != nil {
		t.Fatalf("svc admin %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

// adminRefused runs an admin command that must fail with a text.
func adminRefused(t testing.TB, p Place, want string, args ...string) {
	t.Helper()
	if out, err := Run(t, p, append([]string{"admin"}, args...)...); err == nil || !strings.Contains(out, want) {
		t.Errorf("svc admin %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

type listedUser struct {
	ID              int64
	Username, State string
	Admin           bool
}

func TestUsersAndTokensAreManagedOnTheCommandLine(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	if out, err := Run(t, p, "admin", "create-user", "ann", "--email", "ann@example.com"); err != nil {
		t.Fatal(out)
	}
	token, err := Run(t, p, "admin", "create-token", "ann", "--name", "laptop")
	if err != nil {
		t.Fatal(token)
	}
	token = strings.TrimSpace(token)
	var users []listedUser
	admin(t, p, &users, "list-users")
	if len(users) != 2 || users[0].Username != "ann" || users[1].Username != "root" || !users[1].Admin {
		t.Errorf("%+v", users)
	}
	admin(t, p, &users, "list-users", "--search", "ann@example.com", "--state", "active")
	if len(users) != 1 {
		t.Errorf("%+v", users)
	}
	var done struct{ Changed bool }
	for _, changed := range []bool{true, false} {
		if admin(t, p, &done, "block-user", "ann"); done.Changed != changed {
			t.Errorf("blocked: %v", done.Changed)
		}
	}
	if status, text, err := s.DoAs(t.Context(), token, "GET", "/api/v4/user", ""); err != nil || status < 400 {
		t.Errorf("a blocked user is answered %d %s %v", status, text, err)
	}
	admin(t, p, &users, "list-users", "--state", "blocked")
	if len(users) != 1 || users[0].State != "blocked" {
		t.Errorf("%+v", users)
	}
	admin(t, p, nil, "unblock-user", "ann")
	var tokens []struct {
		ID         int64
		User, Name string
	}
	admin(t, p, &tokens, "list-tokens", "--user", "ann")
	if len(tokens) != 1 || tokens[0].Name != "laptop" || tokens[0].User != "ann" {
		t.Fatalf("%+v", tokens)
	}
	admin(t, p, nil, "revoke-token", fmt.Sprint(tokens[0].ID))
	if status, _, err := s.DoAs(t.Context(), token, "GET", "/api/v4/user", ""); err != nil || status != 401 {
		t.Errorf("a revoked token is answered %d %v", status, err)
	}
	admin(t, p, &done, "reset-second-factor", "ann")
	if done.Changed {
		t.Error("there was no second factor")
	}
	admin(t, p, nil, "delete-user", "ann")
	wait.Until(t, "the user is deleted", func() bool {
		admin(t, p, &users, "list-users", "--search", "ann")
		return len(users) == 0
	})
	adminRefused(t, p, `there is no user "bob"`, "block-user", "bob")
	adminRefused(t, p, `there is no access token 99999`, "revoke-token", "99999")
	adminRefused(t, p, `"x" is not the ID of an access token`, "revoke-token", "x")
	adminRefused(t, p, `is not one of active, blocked, pending`, "list-users", "--state", "asleep")
	adminRefused(t, p, "takes one argument, USERNAME", "block-user")
}

func TestJobsRunnersAndStoragesAreManagedOnTheCommandLine(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	p.Env = append(p.Env, "SVC_STORAGES=default="+folder(t)+",fast="+folder(t), "SVC_MOVE_GRACE=0s")
	s := Start(t, p)
	s.ask("POST", "/api/v4/projects", `{"name":"web","initialize_with_readme":true}`, 201, nil)
	var storages []struct {
		Name     string
		Marked   bool
		Projects int64
	}
	admin(t, p, &storages, "list-storages")
	if len(storages) != 2 || storages[0].Name != "default" || !storages[0].Marked || storages[0].Projects != 1 {
		t.Errorf("%+v", storages)
	}
	adminRefused(t, p, `there is no storage "slow"`, "move-storage", "default", "--to", "slow")
	adminRefused(t, p, `there is no project "root/other"`, "move-storage", "default", "--project", "root/other")
	adminRefused(t, p, "the project root/web is on the storage default, not on fast", "move-storage", "fast", "--project", "root/web")
	admin(t, p, nil, "move-storage", "default", "--to", "fast")
	wait.Until(t, "the project is moved", func() bool {
		admin(t, p, &storages, "list-storages")
		return storages[1].Projects == 1
	})
	admin(t, p, nil, "move-storage", "fast", "--to", "default", "--project", "root/web")
	wait.Until(t, "the project is moved back", func() bool {
		admin(t, p, &storages, "list-storages")
		return storages[0].Projects == 1
	})
	var runners []struct{ ID int64 }
	s.ask("POST", "/api/v4/user/runners", `{"runner_type":"instance_type","description":"builder"}`, 201, nil)
	admin(t, p, &runners, "list-runners", "--kind", "instance_type")
	if len(runners) != 1 {
		t.Errorf("%+v", runners)
	}
	adminRefused(t, p, "is not one of instance_type", "list-runners", "--kind", "nonsense")
	var jobs []struct {
		ID    int64
		State string
	}
	admin(t, p, &jobs, "list-jobs", "--all", "--limit", "1000")
	if len(jobs) == 0 {
		t.Fatal("there are no jobs")
	}
	retryJob(t, p)
	adminRefused(t, p, "there is no background job 999999999", "retry-job", "999999999")
	adminRefused(t, p, "is not one of available", "list-jobs", "--state", "nonsense")
}

func TestTheSecretKeyIsRotated(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	s.ask("POST", "/api/v4/hooks", `{"url":"https://example.com/hook","token":"hook secret"}`, 201, nil)
	adminRefused(t, p, "is in use by another svc", "rotate-secret-key")
	s.stop()
	path := filepath.Join(p.Data, "secret.key")
	read := func() string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	first := read()
	var done struct {
		Resealed []struct {
			Name  string
			Count int64
		}
	}
	wait.Until(t, "the key is rotated", func() bool { // on PostgreSQL, the stopped process counts as running for a while
		out, status := runOut(t, p, "admin", "rotate-secret-key", "--json")
		return status == 0 && json.Unmarshal([]byte(out), &done) == nil
	})
	hooks := int64(0)
	for _, one := range done.Resealed {
		if one.Name == "webhooks and integrations" {
			hooks = one.Count
		}
	}
	second := read()
	if second == first || hooks != 1 {
		t.Errorf("%+v", done)
	}
	s = Start(t, p)
	s.stop()

	// A kill after the database was changed and before the file was: the next start finishes it.
	if err := os.WriteFile(path, []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".new", []byte(second), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := doctor(t, p, 1, "--only", "secret-key"); !strings.Contains(r.texts("secret-key"), "was interrupted") {
		t.Errorf("%s", r.texts("secret-key"))
	}
	s = Start(t, p)
	if read() != second {
		t.Error("the start did not finish the rotation")
	}
	if files, err := filepath.Glob(path + ".new"); err != nil || len(files) > 0 {
		t.Errorf("%v %v", files, err)
	}
	s.stop()
}

// retryJob makes a job that has run count as failed for good, and runs it again.
func retryJob(t *testing.T, p Place) {
	t.Helper()
	st := p.open(t)
	wait.Until(t, "a job has run", func() bool {
		return number(t, st, "SELECT count(*) FROM river_job WHERE state = 'completed'") > 0
	})
	id := fmt.Sprint(number(t, st, "SELECT max(id) FROM river_job WHERE state = 'completed'"))
	fail := "UPDATE river_job SET state = 'discarded', attempt = max_attempts WHERE id = " + id
	if _, err := st.SQL().ExecContext(t.Context(), fail); err != nil {
		t.Fatal(err)
	}
	var jobs []struct{ ID int64 }
	if admin(t, p, &jobs, "list-jobs", "--state", "discarded"); len(jobs) != 1 || fmt.Sprint(jobs[0].ID) != id {
		t.Errorf("%+v, not %s", jobs, id)
	}
	admin(t, p, nil, "retry-job", id)
	wait.Until(t, "the job has run again", func() bool {
		return number(t, st, "SELECT count(*) FROM river_job WHERE state = 'completed' AND id = "+id) == 1
	})
	adminRefused(t, p, id, "retry-job", id)
}

// The users who lost their second factor get in with their passwords again.
func TestASecondFactorIsResetOnTheCommandLine(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	var made struct {
		ID       int64
		Password string
	}
	admin(t, p, &made, "create-user", "ann", "--email", "ann@example.com")
	key, err := os.ReadFile(filepath.Join(p.Data, "secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	vault, err := secret.NewVault(strings.TrimSpace(string(key)), secret.SecondFactorPurpose)
	if err != nil {
		t.Fatal(err)
	}
	sealed := vault.Seal([]byte("JBSWY3DPEHPK3PXP"), fmt.Sprint("user ", made.ID))
	if err := p.open(t).TwoFactors.Enable(t.Context(), made.ID, sealed, 1, nil); err != nil {
		t.Fatal(err)
	}
	var users []listedUser
	if admin(t, p, &users, "list-users", "--without-second-factor"); len(users) != 1 || users[0].Username != "root" {
		t.Errorf("%+v", users)
	}
	var user struct {
		TwoFactorEnabled bool `json:"two_factor_enabled"`
	}
	if s.ask("GET", fmt.Sprintf("/api/v4/users/%d", made.ID), "", 200, &user); !user.TwoFactorEnabled {
		t.Error("there is no second factor")
	}
	var done struct{ Changed bool }
	for _, changed := range []bool{true, false} {
		if admin(t, p, &done, "reset-second-factor", "ann"); done.Changed != changed {
			t.Errorf("reset: %v", done.Changed)
		}
	}
	if s.ask("GET", fmt.Sprintf("/api/v4/users/%d", made.ID), "", 200, &user); user.TwoFactorEnabled {
		t.Error("the second factor is still there")
	}
}

// Every admin command prints JSON for programs.
func TestEveryAdminCommandPrintsJSONOnTheCommandLine(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	bucket := NewBucket(t)
	Start(t, p).stop()
	p.Env = append(p.Env, "SVC_BLOB_URL="+bucket.Address())
	for _, c := range []struct{ line, member string }{
		{"move-files bucket", "place"},
		{"seed --users 2 --groups 1 --projects 1", "password"},
		{"create-user ann --email ann@example.com", "password"},
		{"set-password ann", "password"},
		{"create-token ann", "token"},
		{"make-admin ann", "admin"},
		{"adopt-storage default", "storage"},
		{"set-url https://svc.example.com", "url"},
		{"replace-host-keys", "removed"},
		{"replace-secret-key", "webhooks"},
	} {
		var answer map[string]any
		if admin(t, p, &answer, strings.Fields(c.line)...); answer[c.member] == nil {
			t.Errorf("svc admin %s --json prints %v", c.line, answer)
		}
	}
}
