//go:build dist

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// make dist-check runs this test, on a machine with Debian's tools.
func TestDpkgReadsThePackage(t *testing.T) {
	d, b := example(t)
	deb, err := d.deb(b)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(d.out, "svc.deb")
	if err := os.WriteFile(path, deb, 0o600); err != nil {
		t.Fatal(err)
	}
	show := func(flag string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "dpkg-deb", flag, path).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	for _, want := range []string{"Package: svc", "Version: 1.2.0~rc1", "Architecture: amd64", "conffiles", "postinst"} {
		if out := show("--info"); !strings.Contains(out, want) {
			t.Errorf("%q is missing in:\n%s", want, out)
		}
	}
	contents := show("--contents")
	for _, want := range []string{"./usr/bin/svc\n", "./usr/lib/systemd/system/svc.service\n", "./usr/share/man/man1/svc.1.gz\n"} {
		if !strings.Contains(contents, want) {
			t.Errorf("%q is missing in:\n%s", want, contents)
		}
	}
	for _, script := range []string{"postinst", "postrm", "prerm"} {
		cmd := exec.CommandContext(t.Context(), "sh", "-n")
		cmd.Stdin = bytes.NewReader(debianFile(script))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v %s", script, err, out)
		}
	}
}
