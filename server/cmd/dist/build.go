package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// platform is a system and a processor, in the words of Go. Debian and OCI call amd64 and arm64 the same.
type platform struct{ system, processor string }

func (p platform) String() string { return p.system + "/" + p.processor }

// built is the program for a platform, with what the program prints about itself.
type built struct {
	platform
	path string // of the program
	data []byte
	docs documents
}

// documents are files that the program prints.
type documents struct{ manual, bash, zsh, fish []byte }

// buildAll builds the program for each platform.
func (r release) buildAll(ctx context.Context, platforms []platform, out io.Writer) ([]built, error) {
	folder, err := filepath.Abs("bin/dist-programs")
	if err != nil {
		return nil, err
	}
	own := platform{runtime.GOOS, runtime.GOARCH}
	if err := r.build(ctx, own, filepath.Join(folder, "own")); err != nil {
		return nil, err
	}
	docs, err := readDocuments(ctx, filepath.Join(folder, "own"))
	if err != nil {
		return nil, err
	}
	var builds []built
	for _, p := range platforms {
		fmt.Fprintf(out, "building for %s\n", p)
		b := built{platform: p, path: filepath.Join(folder, r.name(p)), docs: docs}
		if err := r.build(ctx, p, b.path); err != nil {
			return nil, err
		}
		if b.data, err = os.ReadFile(b.path); err != nil {
			return nil, err
		}
		builds = append(builds, b)
	}
	return builds, nil
}

// ignored are variables that would change the program.
var ignored = []string{"GOFLAGS", "GOEXPERIMENT", "GOAMD64", "GOARM64", "GOFIPS140", "CGO_ENABLED", "GOOS", "GOARCH"}

// build builds the program. Nothing of this machine gets into it: no paths, no build id, no C libraries and no settings
// of the environment.
func (r release) build(ctx context.Context, p platform, to string) error {
	flags := "-s -w -buildid= -X svc/server/platform/build.revision=" + r.revision
	cmd := exec.CommandContext(ctx, "go", "build", "-o", to, "-ldflags", flags, "svc/server/cmd/svc")
	cmd.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(ignored, name)
	})
	cmd.Env = append(cmd.Env, "CGO_ENABLED=0", "GOFLAGS=-trimpath -buildvcs=false -mod=readonly",
		"GOOS="+p.system, "GOARCH="+p.processor)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build for %s: %w\n%s", p, err, out)
	}
	return nil
}

// readDocuments lets the program print its manual page and its completions.
func readDocuments(ctx context.Context, path string) (d documents, err error) {
	for _, one := range []struct {
		to   *[]byte
		args []string
	}{
		{&d.manual, []string{"help", "--man"}},
		{&d.bash, []string{"completion", "bash"}},
		{&d.zsh, []string{"completion", "zsh"}},
		{&d.fish, []string{"completion", "fish"}},
	} {
		if *one.to, err = exec.CommandContext(ctx, path, one.args...).Output(); err != nil {
			return d, fmt.Errorf("svc %s: %w", strings.Join(one.args, " "), err)
		}
	}
	return d, nil
}
