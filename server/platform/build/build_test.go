package build

import (
	"regexp"
	"runtime"
	"testing"
)

func TestABuildNamesItsVersionRevisionAndGo(t *testing.T) {
	revision = ""
	t.Cleanup(func() { revision = "" })
	info := Read()
	// Clients read "16.7" from the version to find out which features they can use.
	if !regexp.MustCompile(`\A\d+\.\d+\.\d+-svc\z`).MatchString(info.Version) {
		t.Errorf("version is %q", info.Version)
	}
	if info.Go != runtime.Version() {
		t.Errorf("Go is %q, want %q", info.Go, runtime.Version())
	}
	if !regexp.MustCompile(`\A(unknown|[0-9a-f]{11})\z`).MatchString(info.Revision) {
		t.Errorf("revision is %q", info.Revision)
	}
}

func TestTheMakefilesRevisionWins(t *testing.T) {
	t.Cleanup(func() { revision = "" })
	for set, want := range map[string]string{"0123456789a": "0123456789a", " ": "unknown"} {
		revision = set
		if got := Read().Revision; got != want {
			t.Errorf("revision is %q, want %q", got, want)
		}
	}
}
