//go:build dist

package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// make dist-check runs this test, on a machine with systemd.
func TestSystemdAcceptsTheUnitsOfTheInstallationGuide(t *testing.T) {
	t.Parallel()
	folder, units := t.TempDir(), []string{"verify", "--man=no"}
	for path, content := range guideFiles(t) {
		name, isUnit := strings.CutPrefix(path, "/etc/systemd/system/")
		if !isUnit {
			continue
		}
		to := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(strings.ReplaceAll(content, "/usr/local/bin/svc", Svc(t))), 0o644); err != nil {
			t.Fatal(err)
		}
		if filepath.Dir(to) == folder {
			units = append(units, to)
		}
	}
	if len(units) != 2+3 {
		t.Fatal(units)
	}
	cmd := exec.CommandContext(t.Context(), "systemd-analyze", units...)
	cmd.Env = append(os.Environ(), "SYSTEMD_UNIT_PATH="+folder+":")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "svc") {
		t.Errorf("%v\n%s", err, out)
	}
}
