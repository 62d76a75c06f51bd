package harness

import (
	"os"
	"os/exec"
	"sync"
	"testing"
)

var installing sync.Mutex

// RequireProgram makes sure that a program is installed: it exists already, or apt-get installs the Debian package, or the
// test fails.
func RequireProgram(t testing.TB, name, from string) {
	t.Helper()
	installing.Lock()
	defer installing.Unlock()
	if _, err := exec.LookPath(name); err == nil {
		return
	}
	install(t, name, from)
	if _, err := exec.LookPath(name); err != nil {
		t.Fatalf("Debian's package %s did not bring %s: %v", from, name, err)
	}
}

// RequireFile does the same as RequireProgram for a file that a package brings.
func RequireFile(t testing.TB, path, from string) {
	t.Helper()
	installing.Lock()
	defer installing.Unlock()
	if _, err := os.Stat(path); err == nil {
		return
	}
	install(t, path, from)
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("Debian's package %s did not bring %s: %v", from, path, err)
	}
}

// install installs a Debian package. The caller holds the lock.
func install(t testing.TB, name, from string) {
	t.Helper()
	for _, args := range [][]string{{"update"}, {"install", "-y", "--no-install-recommends", from}} {
		line := append([]string{"env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300"}, args...)
		if os.Geteuid() != 0 {
			line = append([]string{"sudo", "-n"}, line...)
		}
		cmd := exec.CommandContext(t.Context(), line[0], line[1:]...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s is not on this machine and apt-get could not install it; install Debian's package %s: %v\n%s",
				name, from, err, out)
		}
	}
}
