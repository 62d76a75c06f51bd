//go:build dist

package dist

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"svc/tests/process"
)

// requireNamespaces fails a test that cannot mount file systems of its own.
func requireNamespaces(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Fatal("this test mounts file systems, which needs root on Linux")
	}
	if out, err := exec.CommandContext(t.Context(), "unshare", "--mount", "true").CombinedOutput(); err != nil {
		t.Fatalf("unshare cannot make a namespace: %v %s", err, out)
	}
}

// machine is a throw-away copy of this machine's root folder: what is written there does not reach the original.
type machine struct{ upper, work, root string }

func newMachine(t *testing.T) machine {
	t.Helper()
	requireNamespaces(t)
	folder := t.TempDir()
	m := machine{filepath.Join(folder, "upper"), filepath.Join(folder, "work"), filepath.Join(folder, "root")}
	for _, name := range []string{m.upper, m.work, m.root} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := m.command(t, "true").CombinedOutput(); err != nil {
		t.Fatalf("an overlay cannot be mounted: %v %s", err, out)
	}
	return m
}

// command returns a shell script that runs inside of the copy.
func (m machine) command(t *testing.T, script string, env ...string) *exec.Cmd {
	const mount = `set -e
mount -t overlay overlay -o "lowerdir=/,upperdir=$UPPER,workdir=$WORK" "$ROOT"
mount --rbind /dev "$ROOT/dev"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs tmpfs "$ROOT/run"
mount -t tmpfs tmpfs "$ROOT/tmp"
test -z "$DEB" || cp "$DEB" "$ROOT/tmp/svc.deb"
exec chroot "$ROOT" sh -ec "$SCRIPT"`
	cmd := exec.CommandContext(t.Context(), "unshare", "--mount", "sh", "-c", mount)
	cmd.Env = append([]string{
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
		"UPPER=" + m.upper, "WORK=" + m.work, "ROOT=" + m.root, "SCRIPT=" + script,
	}, env...)
	return cmd
}

// run runs a script inside of the copy, and returns what it prints.
func (m machine) run(t *testing.T, script string, env ...string) string {
	t.Helper()
	out, err := m.command(t, script, env...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

func TestTheDebianPackageIsInstalledStartedAndRemoved(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	deb := "DEB=" + find(t, "svc_*_"+runtime.GOARCH+".deb")
	out := m.run(t, `dpkg --install /tmp/svc.deb
getent passwd svc
stat --format '%a %U:%G' /etc/svc/svc.env
dpkg --verify svc
svc version
dpkg-deb --fsys-tarfile /tmp/svc.deb | tar -xO ./usr/share/man/man1/svc.1.gz | gunzip >/tmp/svc.1
man --warnings -l /tmp/svc.1 | cat
bash -n /usr/share/bash-completion/completions/svc`, deb)
	for _, want := range []string{"/var/lib/svc:", "640 root:svc\n", "revision", "SVC COMPLETION", "--listen"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in:\n%.6000s", want, out)
		}
	}
	if _, err := exec.LookPath("systemd-analyze"); err == nil {
		if out := m.run(t, "systemd-analyze verify svc.service 2>&1 | grep svc || true"); out != "" {
			t.Errorf("the unit: %s", out)
		}
	}
	// systemd makes the data folder and sets these variables, as the unit says.
	s := process.StartCommand(t, m.command(t, `install -d -m 700 -o svc -g svc /var/lib/svc
cd /var/lib/svc
exec setpriv --reuid svc --regid svc --clear-groups --no-new-privs /usr/bin/svc serve`,
		"SVC_DATA=/var/lib/svc", "SVC_LISTEN=127.0.0.1:0", "SVC_ROOT_TOKEN="+process.Token))
	checkService(t, s)
	stop(t, s)
	runGuide(t, m)

	out = m.run(t, `dpkg --install /tmp/svc.deb
dpkg --remove svc
test ! -e /usr/bin/svc
test -e /etc/svc/svc.env
dpkg --purge svc
test ! -e /etc/svc/svc.env
stat --format '%a %U' /var/lib/svc
ls /var/lib/svc`, deb)
	for _, want := range []string{"700 svc", "svc.db", "secret.key", "so it stays"} {
		if !strings.Contains(out, want) {
			t.Errorf("after the removal, %q is missing in:\n%s", want, out)
		}
	}
}

// runGuide runs the commands of the guides that need the user of the package.
func runGuide(t *testing.T, m machine) {
	t.Helper()
	script := `as_svc() { setpriv --reuid svc --regid svc --clear-groups "$@"; }
echo 'SVC_MAIL_FROM="svc <noreply@example.com>"' >>/etc/svc/svc.env
`
	asRoot := strings.NewReplacer("sudo -u svc ", "as_svc ", "sudo ", "")
	for _, guide := range []string{"install.md", "upgrade.md"} {
		for line := range strings.SplitSeq(string(read(t, root+"/docs/"+guide)), "\n") {
			if strings.HasPrefix(line, "sudo -u svc ") || strings.HasPrefix(line, "sudo install --directory") {
				script += asRoot.Replace(line) + "\n"
			}
		}
	}
	out := m.run(t, script+"svc restore --check /var/backups/svc/before-upgrade.svc")
	if strings.Count(script, "as_svc sh -c") != 2 || !strings.Contains(out, "Created user alice") {
		t.Errorf("%s\n%s", script, out)
	}
}

// checkService makes a project with a file, which needs git, and reads the file.
func checkService(t *testing.T, s *process.Server) {
	t.Helper()
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/projects", `{"name":"hello","visibility":"public","initialize_with_readme":true}`, 201, `"root/hello"`},
		{"GET", "/projects/root%2Fhello/repository/tree", "", 200, `"README.md"`},
		{"GET", "/projects/root%2Fhello/repository/commits", "", 200, `"Initial commit"`},
	} {
		status, body, err := s.Do(t.Context(), c.method, "/api/v4"+c.path, c.body)
		if err != nil || status != c.status || !strings.Contains(body, c.want) {
			t.Fatalf("%s %s: %d %s %v", c.method, c.path, status, body, err)
		}
	}
}

// stop lets the service end, as systemd and containers do.
func stop(t *testing.T, s *process.Server) {
	t.Helper()
	s.Signal(syscall.SIGTERM)
	if err := s.End(); err != nil {
		t.Errorf("%v\n%s", err, s.Output())
	}
}
