//go:build clients

// Package packages runs the programs with which people publish against the service: the package managers npm, twine and
// pip, Go, and Maven, and the release tools semantic-release, release-it and glab.
package packages

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// place is a project in which a developer publishes.
type place struct {
	t         *testing.T
	h         *harness.H
	project   model.Project
	developer *harness.Caller
	folder    string // home of the clients, with nothing in it
}

func newPlace(t *testing.T, visibility model.Visibility) place {
	t.Helper()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Path, g.Visibility = "acme", visibility })
	p := h.Project(g.ID, func(p *model.Project) { p.Path, p.Name, p.Visibility = "web", "web", visibility })
	return place{t: t, h: h, project: p, developer: h.Member(g, model.Maintainer), folder: t.TempDir()}
}

// url returns the address of a registry of the project.
func (p place) url(format string) string {
	return fmt.Sprintf("%s/api/v4/projects/%d/packages/%s", p.h.URL, p.project.ID, format)
}

// write writes a file below the folder.
func (p place) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// read reads a file below the folder.
func (p place) read(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.folder, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// run runs a client in a folder and returns its output. It fails the test unless the client succeeds.
func (p place) run(in string, env []string, args ...string) string {
	p.t.Helper()
	out, err := p.try(in, env, args...)
	if err != nil {
		p.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// try is run for a client that may fail.
func (p place) try(in string, env []string, args ...string) (string, error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 5*time.Minute)
	defer cancel()
	if err := os.MkdirAll(filepath.Join(p.folder, in), 0o700); err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = filepath.Join(p.folder, in)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.folder, "NO_PROXY=127.0.0.1"}, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
