//go:build dist

package main

import (
	"os/exec"
	"strings"
	"testing"
)

// make dist-check runs this test, which needs the shell fish.
func TestFishCompletesCommandsAndFlags(t *testing.T) {
	t.Parallel()
	script := printed(t, "completion", "fish")
	for line, want := range map[string]string{
		"svc mig": "migrate migrate-database", "svc admin make": "make-admin", "svc admin create-user --em": "--email",
		"svc doctor --de": "--deep", "svc config check --js": "--json", "svc nothing --m": "",
	} {
		cmd := exec.CommandContext(t.Context(), "fish", "--no-config", "-c", script+"\ncomplete -C "+quote(line))
		out, err := cmd.CombinedOutput()
		var got []string
		for choice := range strings.Lines(string(out)) {
			name, _, _ := strings.Cut(strings.TrimSpace(choice), "\t") // the rest describes it
			got = append(got, name)
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q is completed to %q, not to %q: %v", line, got, want, err)
		}
	}
}
