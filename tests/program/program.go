// Package program finds programs of others to test with, or builds them.
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

// Program is a program of others.
type Program struct {
	What      string   // it is, as in «there is no … to test with»
	Name      string   // of its file
	Named     string   // the environment variable that names the one to use
	Installed []string // what it is called where it is installed, the package's name first; none where it never is
	Module    string   // where its source is
	Version   string   // one that can be built from the module proxy alone
	Package   string   // in the module

	find sync.Once
	path string
	err  error
}

// Path is the one that the environment names, else the one that is installed, else one that is built once and kept in the user's
// cache. A test without it fails.
func (p *Program) Path(t testing.TB) string {
	t.Helper()
	p.find.Do(func() { p.path, p.err = p.found(context.Background()) })
	if p.err != nil {
		install := ""
		if len(p.Installed) > 0 {
			install = "install " + p.Installed[0] + ", or "
		}
		t.Fatalf("there is no %s to test with; %sname one in %s, or let the Go module proxy be reached: %v", p.What, install, p.Named, p.err)
	}
	return p.path
}

func (p *Program) found(ctx context.Context) (string, error) {
	if path := os.Getenv(p.Named); path != "" {
		return exec.LookPath(path)
	}
	for _, name := range p.Installed {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return p.build(ctx)
}

// build makes the program. It comes to its place in one step, so that many may build at a time.
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

// source writes the program's source into a folder. Libraries that come with it are left out: they may be for an older Go.
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
