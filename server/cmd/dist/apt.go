package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// apt finds and fetches Debian packages for one processor. It uses the sources and keys of this machine, and indexes of
// its own, so it needs no rights and can serve another processor than that of this machine.
type apt struct{ folder, processor string }

// sourcesVariable names the file with the sources of packages, in the format of apt.
const sourcesVariable = "SVC_DIST_SOURCES"

// newApt fetches the indexes.
func newApt(ctx context.Context, cache, processor string) (apt, error) {
	folder, err := filepath.Abs(filepath.Join(cache, processor))
	if err != nil {
		return apt{}, err
	}
	a := apt{folder, processor}
	for _, name := range []string{"state/lists/partial", "cache/archives/partial", "packages"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			return a, err
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "state", "status"), nil, 0o644); err != nil { // nothing is installed
		return a, err
	}
	_, err = a.run(ctx, "apt-get", "update", "--quiet")
	return a, err
}

// sources returns the file with Debian's sources.
func sources() string {
	if path := os.Getenv(sourcesVariable); path != "" {
		return path
	}
	if path := "/etc/apt/sources.list.d/debian.sources"; exists(path) {
		return path
	}
	return "/etc/apt/sources.list"
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// run runs a program of apt in the folder for packages, and returns what it prints.
func (a apt) run(ctx context.Context, program string, args ...string) ([]byte, error) {
	var line []string
	for _, option := range []string{
		"APT::Architecture=" + a.processor, "APT::Architectures=" + a.processor, "APT::Sandbox::User=",
		"Dir::State=" + filepath.Join(a.folder, "state"), "Dir::State::status=" + filepath.Join(a.folder, "state", "status"),
		"Dir::Cache=" + filepath.Join(a.folder, "cache"), "Dir::Etc::SourceList=" + sources(), "Dir::Etc::SourceParts=-",
		"Acquire::Languages=none", "Debug::NoLocking=true",
	} {
		line = append(line, "-o", option)
	}
	cmd := exec.CommandContext(ctx, program, append(line, args...)...)
	cmd.Dir = filepath.Join(a.folder, "packages")
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, failed.Stderr)
	}
	return out, err
}

// show returns the fields of the newest version of a package.
func (a apt) show(ctx context.Context, name string) (map[string]string, error) {
	out, err := a.run(ctx, "apt-cache", "show", "--no-all-versions", name)
	if err != nil {
		return nil, err
	}
	fields := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() && lines.Text() != "" {
		if key, value, ok := strings.Cut(lines.Text(), ": "); ok && !strings.HasPrefix(key, " ") {
			fields[key] = value
		}
	}
	if fields["Package"] == "" || fields["Version"] == "" || fields["SHA256"] == "" {
		return nil, fmt.Errorf("apt-cache does not know %s for %s", name, a.processor)
	}
	return fields, lines.Err()
}

// download fetches a package into the folder for packages, and returns its path.
func (a apt) download(ctx context.Context, p lockedPackage) (string, error) {
	if _, err := a.run(ctx, "apt-get", "download", p.name+"="+p.version); err != nil {
		return "", err
	}
	// apt writes the colon of a version as %3a.
	pattern := p.name + "_" + strings.ReplaceAll(p.version, ":", "%3a") + "_*.deb"
	found, err := filepath.Glob(filepath.Join(a.folder, "packages", pattern))
	if err == nil && len(found) != 1 {
		err = fmt.Errorf("apt-get download %s left %d files", p.name, len(found))
	}
	if err != nil {
		return "", err
	}
	return found[0], nil
}
