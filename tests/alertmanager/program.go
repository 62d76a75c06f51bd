// Package alertmanager lets a stock alert manager, unmodified, report to the real server.
package alertmanager

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

const (
	// named is the environment variable that names the program to use.
	named = "SVC_TEST_ALERTMANAGER"
	// module is where its source is, and version one that can be built from the module proxy alone, in a minute.
	module  = "github.com/prometheus/alertmanager"
	version = "v0.25.0"
)

var program = sync.OnceValues(func() (string, error) {
	if path := os.Getenv(named); path != "" {
		return exec.LookPath(path)
	}
	for _, name := range []string{"prometheus-alertmanager", "alertmanager"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return build(context.Background())
})

// Program is the path of the alert manager: the one that SVC_TEST_ALERTMANAGER names, else the one that is installed, else one that
// is built once and kept in the user's cache. A test without one fails.
func Program(t testing.TB) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatalf("there is no alert manager to test with; install prometheus-alertmanager, or name one in %s, or let the Go module proxy be reached: %v", named, err)
	}
	return path
}

// build makes the program out of the module proxy. It comes to its place in one step, so that many may build at a time.
func build(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "svc-tests", "alertmanager-"+version)
	path := filepath.Join(folder, "alertmanager")
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
	source, err := download(ctx)
	if err != nil {
		return "", err
	}
	if err := os.CopyFS(filepath.Join(scratch, "source"), os.DirFS(source)); err != nil {
		return "", err
	}
	built := filepath.Join(scratch, "alertmanager")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", built, "./cmd/alertmanager")
	cmd.Dir = filepath.Join(scratch, "source")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", module, err, out)
	}
	return path, os.Rename(built, path)
}

// download brings the source and returns its folder.
func download(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module+"@"+version)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	cmd.Dir = os.TempDir()
	out, err := cmd.Output()
	var got struct{ Dir, Error string }
	if decoded := json.Unmarshal(out, &got); decoded != nil || got.Dir == "" {
		return "", fmt.Errorf("download %s: %s (%w)", module, got.Error, err)
	}
	return got.Dir, nil
}
