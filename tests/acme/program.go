// Package acme lets a real authority, as a program of its own, certify the names of sites.
//
//	program.go  builds the authority
//	machine.go  runs it, with a name server that it asks
package acme

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

const (
	// named is the environment variable that names the program to use.
	named = "SVC_TEST_ACME"
	// module is where the program is, and version the one of the module proxy.
	module  = "github.com/letsencrypt/pebble/v2/cmd/pebble"
	version = "v2.10.1"
)

var program = sync.OnceValues(func() (string, error) {
	if path := os.Getenv(named); path != "" {
		return exec.LookPath(path)
	}
	return build(context.Background())
})

// Program is the path of the authority: the one that SVC_TEST_ACME names, else one that is built once and kept in the user's cache. A
// test without it fails.
func Program(t testing.TB) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatalf("there is no authority to test with; name one in %s, or let the Go module proxy be reached: %v", named, err)
	}
	return path
}

// build makes the program out of the module proxy. It comes to its place in one step, so that many may build at a time.
func build(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "svc-tests", "acme-"+version)
	path := filepath.Join(folder, "pebble")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	scratch, err := os.MkdirTemp(folder, "build-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	cmd := exec.CommandContext(ctx, "go", "install", module+"@"+version)
	cmd.Dir = scratch // outside every module
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath", "GOWORK=off", "GOBIN="+scratch)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", module, err, out)
	}
	return path, os.Rename(filepath.Join(scratch, "pebble"), path)
}
