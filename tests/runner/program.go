// Package runner lets the official runner program, unmodified, work for the real server.
//
//	program.go  finds the runner, or builds it
//	machine.go  registers it and runs it
//	wire.go     what it and the server say to each other
//	work.go     a server, a runner and a project, and questions about them
package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

const (
	// named is the environment variable that names the runner to use.
	named = "SVC_TEST_RUNNER"
	// module is where the runner's source is, and version the one of the module proxy that can be built from it alone.
	module  = "gitlab.com/gitlab-org/gitlab-runner"
	version = "v1.11.1-0.20200110014830-8e5683f82927"
)

var program = sync.OnceValues(func() (string, error) {
	if path := os.Getenv(named); path != "" {
		return exec.LookPath(path)
	}
	if path, err := exec.LookPath("gitlab-runner"); err == nil {
		return path, nil
	}
	return build(context.Background())
})

// Program is the path of the runner: the one that SVC_TEST_RUNNER names, else the one that is installed, else one that is built
// once and kept in the user's cache. A test without a runner fails.
func Program(t testing.TB) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatalf("there is no official runner to test with; install gitlab-runner, or name one in %s, or let the Go module proxy be reached: %v", named, err)
	}
	return path
}

// build makes the program out of the module proxy. It comes to its place in one step, so that many may build at a time.
func build(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "svc-tests", "runner-"+version)
	path := filepath.Join(folder, "gitlab-runner")
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
	if err := source(ctx, filepath.Join(scratch, "source")); err != nil {
		return "", err
	}
	built := filepath.Join(scratch, "gitlab-runner")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", built, ".")
	cmd.Dir = filepath.Join(scratch, "source")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", module, err, out)
	}
	return path, os.Rename(built, path)
}

// source writes the runner's source into a folder. The libraries that come with it are left out: they are for an older Go.
func source(ctx context.Context, into string) error {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module+"@"+version)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	cmd.Dir = os.TempDir()
	out, err := cmd.Output()
	var got struct{ Dir, Error string }
	if decoded := json.Unmarshal(out, &got); decoded != nil || got.Dir == "" {
		return fmt.Errorf("download %s: %s (%w)", module, got.Error, err)
	}
	return filepath.WalkDir(got.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(got.Dir, path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name == "vendor":
			return filepath.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(into, name), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(into, name), data, 0o644) //nolint:gosec // source is no secret
	})
}
