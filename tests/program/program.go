// Package program finds third-party programs to test with, or builds them.
package program

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

// Program is a third-party program.
type Program struct {
	What      string   // what it is, as in "there is no … to test with"
	Name      string   // name of its file
	Variable  string   // environment variable with the path of the program to use
	Installed []string // its names where it is installed, first that of the package; empty if it never is
	Module    string   // Go module with its source
	Version   string   // a version that can be built from the module proxy alone
	Package   string   // main package in the module

	find sync.Once
	path string
	err  error
}

// Path returns the program that the environment names, or else the installed one, or else one that is built once and
// stored in the user's cache. Without a program, the test fails.
func (p *Program) Path(t testing.TB) string {
	t.Helper()
	p.find.Do(func() { p.path, p.err = p.locate(context.Background()) })
	if p.err != nil {
		install := ""
		if len(p.Installed) > 0 {
			install = "install " + p.Installed[0] + ", or "
		}
		t.Fatalf(
			"there is no %s to test with; %sname one in %s, or let the Go module proxy be reached: %v", p.What, install,
			p.Variable, p.err,
		)
	}
	return p.path
}

func (p *Program) locate(ctx context.Context) (string, error) {
	if path := os.Getenv(p.Variable); path != "" {
		return exec.LookPath(path)
	}
	for _, name := range p.Installed {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return p.build(ctx)
}

// build builds the program. It renames the result into its place in one step, so that several processes may build at
// once.
func (p *Program) build(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "svc-tests", p.Name+"-"+p.Version)
	path := filepath.Join(folder, p.Name)
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
	source, built := filepath.Join(scratch, "source"), filepath.Join(scratch, "built")
	if err := p.source(ctx, source); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", built, p.Package)
	cmd.Dir = source
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", p.Module, err, out)
	}
	return path, os.Rename(built, path)
}

// source writes the program's source into a folder. It leaves out vendored libraries, which may be for an older Go.
func (p *Program) source(ctx context.Context, into string) error {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", p.Module+"@"+p.Version)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	cmd.Dir = os.TempDir()
	out, err := cmd.Output()
	var got struct{ Dir, Error string }
	if decoded := json.Unmarshal(out, &got); decoded != nil || got.Dir == "" {
		return fmt.Errorf("download %s: %s (%w)", p.Module, got.Error, err)
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
