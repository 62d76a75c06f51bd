package process

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/store/storetest"
	"svc/tests/acme"
	"svc/tests/harness"
)

// guideCase is a block of commands of the guide that these tests run.
type guideCase struct {
	about   string
	text    string   // a part of the block that no other block has
	replace []string // names in the block, each followed by what the test has in its place
	env     []string
	check   func(t *testing.T, s *Server)
}

// guideExceptions are parts of blocks that need another machine. tests/dist runs those of the packages.
var guideExceptions = []string{
	"sha256sum", "sudo install svc-VERSION", "source <(", "sudo apt install", "sudo editor", "sudo -u svc", "podman",
	`"https://git.example.com/api/v4/projects/acme%2Fhello"`,
}

// serveCases returns the blocks that start the service. Each is started in a place of its own.
func serveCases(t *testing.T) []guideCase {
	t.Helper()
	ca, certificates, socket := newIssuer(t), t.TempDir(), filepath.Join(folder(t), "svc.sock")
	ca.issue(certificates, 40*time.Hour)
	names, web, plain := acme.StartNameServer(t), freePort(t), freePort(t)
	names.Set("git.example.com", "")
	authority := acme.StartWithTLS(t, names.Address, plain, web)
	inbox, bucket := harness.NewInbox(t), NewBucket(t)
	return []guideCase{
		{about: "the first start", text: "svc serve --data ./data", check: answersPlainly},
		{about: "a proxy", text: "export SVC_URL=https://git.example.com SVC_TRUSTED_PROXIES", check: func(t *testing.T, s *Server) {
			s.WaitFor("svc serves https://git.example.com on ")
		}},
		{
			about: "a UNIX socket", text: "--listen unix:", replace: []string{"/run/svc/svc.sock", socket},
			check: func(t *testing.T, s *Server) {
				script := block(t, "--unix-socket", "/run/svc/svc.sock", socket)
				out, err := exec.CommandContext(t.Context(), "sh", "-c", script).CombinedOutput()
				if err != nil || !strings.Contains(string(out), "svc OK") {
					t.Errorf("%s: %v %s", script, err, out)
				}
			},
		},
		{
			about: "the PROXY protocol", text: "--proxy-protocol",
			replace: []string{"192.0.2.10", "127.0.0.1", "0.0.0.0:8080", "127.0.0.1:0", "0.0.0.0:2222", "127.0.0.1:0"},
			check:   func(t *testing.T, s *Server) { s.WaitFor("Git over SSH is on") },
		},
		{
			about: "a certificate in files", text: "--tls-cert",
			replace: []string{
				"/etc/svc/cert.pem", filepath.Join(certificates, "cert.pem"), "/etc/svc/key.pem", filepath.Join(certificates, "key.pem"),
				"0.0.0.0:443", "127.0.0.1:0", "https://git.example.com", "https://127.0.0.1", "0.0.0.0:80", "127.0.0.1:0",
			},
			check: func(t *testing.T, s *Server) { s.WaitFor("Redirects to https are on") },
		},
		{
			about: "a certificate of an authority", text: "--tls-acme",
			replace: []string{
				"https://acme-v02.api.letsencrypt.org/directory", authority.Directory, "0.0.0.0:443", "127.0.0.1:" + strconv.Itoa(web),
				"0.0.0.0:80", "127.0.0.1:" + strconv.Itoa(plain),
			},
			env:   []string{"SVC_ACME_CA=" + authority.CA},
			check: func(t *testing.T, s *Server) { s.WaitFor("obtained a certificate for the service") },
		},
		{
			about: "git over SSH", text: "--data /var/lib/svc --ssh-listen", replace: []string{"0.0.0.0:2222", "127.0.0.1:0"},
			check: func(t *testing.T, s *Server) { s.WaitFor("the host keys are ssh-ed25519 SHA256:") },
		},
		{
			about: "mail", text: "export SVC_SMTP_URL", replace: []string{"smtp://svc:secret@mail.example.com:587", inbox.URL},
			check: answersPlainly,
		},
		{
			about: "a bucket", text: "export SVC_BLOB_URL",
			replace: []string{"s3://ID:SECRET@svc/prefix?endpoint=https://s3.example.com&region=eu-1", bucket.Address()},
			check:   answersPlainly,
		},
	}
}

// answersPlainly checks that the service answers without TLS.
func answersPlainly(t *testing.T, s *Server) {
	t.Helper()
	if status, body, err := s.Do(t.Context(), "GET", "/api/v4/user", ""); status != http.StatusOK {
		t.Error(status, body, err)
	}
}

// block returns the only block of the guide that contains a text, with replacements.
func block(t *testing.T, text string, replace ...string) string {
	t.Helper()
	_, blocks := guideBlocks(t, "install.md")
	found := slices.DeleteFunc(blocks, func(b string) bool { return !strings.Contains(b, text) })
	if len(found) != 1 {
		t.Fatalf("%d blocks of docs/install.md contain %q", len(found), text)
	}
	return strings.NewReplacer(replace...).Replace(found[0])
}

// guideCommand returns a command that runs a block in a shell in which svc is the program of the test.
func guideCommand(t *testing.T, p Place, script string, env ...string) *exec.Cmd {
	t.Helper()
	bin := t.TempDir()
	if err := os.Symlink(Svc(t), filepath.Join(bin, "svc")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", script)
	cmd.Dir = filepath.Dir(p.Data)
	cmd.Env = slices.Concat(environment(), []string{"PATH=" + bin + ":" + os.Getenv("PATH")}, p.Env, env)
	return cmd
}

func TestTheCommandsOfTheInstallationGuideServe(t *testing.T) {
	t.Parallel()
	cases := serveCases(t)
	if storetest.Postgres() {
		url := strings.TrimPrefix(NewPlace(t).Env[0], "SVC_DATABASE_URL=")
		cases = append(cases, guideCase{
			about: "PostgreSQL", text: "export SVC_DATABASE_URL",
			replace: []string{"postgres://svc:secret@localhost:5432/svc", url}, check: answersPlainly,
		})
	}
	for _, c := range cases {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			p := NewPlace(t)
			script := block(t, c.text, append(slices.Clone(c.replace), "svc serve", "exec svc serve", "/var/lib/svc", p.Data)...)
			env := append(slices.Clone(c.env), "SVC_ROOT_TOKEN="+Token, "SVC_LOG_LEVEL=info")
			if !strings.Contains(script, "--listen ") {
				env = append(env, "SVC_LISTEN=127.0.0.1:0")
			}
			c.check(t, start(t, guideCommand(t, p, script, env...)))
		})
	}
}

func TestTheCommandsOfTheInstallationGuideForUsersWork(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	out, err := guideCommand(t, p, block(t, "svc admin create-token"), "SVC_DATA="+p.Data).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "alice is now an administrator") {
		t.Fatalf("%v %s", err, out)
	}
	if status, body, err := s.Do(t.Context(), "GET", "/api/v4/users?username=alice", ""); !strings.Contains(body, `"alice"`) {
		t.Error(status, body, err)
	}
}

func TestTheFileOfSettingsInTheInstallationGuideIsReloaded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "svc.yaml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := Start(t, NewPlace(t), "SVC_CONFIG="+file)
	s.reload(file, guideFiles(t)["/etc/svc/svc.yaml"], "changed=throttle-authenticated needs_restart=nothing")
}

// guideFiles returns the files that the guide shows: blocks whose first line is a comment with a path.
func guideFiles(t *testing.T) map[string]string {
	t.Helper()
	text, _ := guideBlocks(t, "install.md")
	files := map[string]string{}
	for part := range strings.SplitSeq(text, "\n```") {
		_, block, _ := strings.Cut(part, "\n")
		if path, content, ok := strings.Cut(strings.TrimPrefix(block, "# "), "\n"); ok && strings.HasPrefix(path, "/etc/") {
			files[path] = content
		}
	}
	return files
}

func TestEveryCommandOfTheInstallationGuideIsTriedOrNamed(t *testing.T) {
	t.Parallel()
	known := append(slices.Clone(guideExceptions), "svc admin create-token", "--unix-socket", "export SVC_DATABASE_URL")
	for _, c := range serveCases(t) {
		known = append(known, c.text)
	}
	_, blocks := guideBlocks(t, "install.md")
	for _, b := range blocks {
		if !slices.ContainsFunc(known, func(text string) bool { return strings.Contains(b, text) }) {
			t.Errorf("no test runs this block of docs/install.md:\n%s", b)
		}
	}
	for _, text := range known {
		if !slices.ContainsFunc(blocks, func(b string) bool { return strings.Contains(b, text) }) {
			t.Errorf("no block of docs/install.md has %q", text)
		}
	}
}
