package main

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// lockFile has the packages of the image: processor, name, version and checksum, one per line.
const lockFile = "server/cmd/dist/debian.lock"

//go:embed debian.lock
var lockText string

// lockedPackage is a package of the image.
type lockedPackage struct{ processor, name, version, sum string }

// wanted are the packages that the image needs: git, certificates of other servers, a shell for git, and the files that
// name the system.
var wanted = []string{"base-files", "ca-certificates", "dash", "git", "libc6"}

// unwanted are packages that others depend on for commands or scripts that the service never runs.
var unwanted = []string{"awk", "debconf", "debianutils", "dpkg", "git-man", "liberror-perl", "mawk", "openssl", "perl"}

// lockedPackages returns the packages for a processor.
func lockedPackages(text, processor string) ([]lockedPackage, error) {
	var packages []lockedPackage
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || fields[0] == "#":
		case len(fields) != 4:
			return nil, fmt.Errorf("%s: %q does not have four words", lockFile, line)
		case fields[0] == processor:
			packages = append(packages, lockedPackage{fields[0], fields[1], fields[2], fields[3]})
		}
	}
	if len(packages) == 0 {
		return nil, fmt.Errorf("%s has no packages for %s", lockFile, processor)
	}
	return packages, nil
}

// updateLock writes the newest versions of the packages to the list.
func updateLock(ctx context.Context, cache string, out io.Writer) error {
	var b strings.Builder
	b.WriteString("# Debian packages of the image. make dist-lock writes this file.\n")
	for _, processor := range []string{"amd64", "arm64"} {
		a, err := newApt(ctx, cache, processor)
		if err != nil {
			return err
		}
		packages, err := a.closure(ctx, wanted)
		if err != nil {
			return err
		}
		for _, p := range packages {
			fmt.Fprintf(&b, "%s %s %s %s\n", p.processor, p.name, p.version, p.sum)
		}
		fmt.Fprintf(out, "%d packages for %s\n", len(packages), processor)
	}
	return os.WriteFile(lockFile, []byte(b.String()), 0o644)
}

// closure returns packages and everything that they depend on, by name.
func (a apt) closure(ctx context.Context, names []string) ([]lockedPackage, error) {
	var packages []lockedPackage
	known := map[string]bool{}
	for queue := slices.Clone(names); len(queue) > 0; queue = queue[1:] {
		if known[queue[0]] {
			continue
		}
		known[queue[0]] = true
		fields, err := a.show(ctx, queue[0])
		if err != nil {
			return nil, err
		}
		packages = append(packages, lockedPackage{a.processor, fields["Package"], fields["Version"], fields["SHA256"]})
		queue = append(queue, dependencies(fields["Pre-Depends"]+","+fields["Depends"])...)
	}
	slices.SortFunc(packages, func(a, b lockedPackage) int { return strings.Compare(a.name, b.name) })
	return packages, nil
}

// dependencies returns the names in a field such as "libc6 (>= 2.34), debconf | debconf-2.0". Of alternatives it takes
// the first one.
func dependencies(field string) (names []string) {
	for one := range strings.SplitSeq(field, ",") {
		words := strings.Fields(one)
		if len(words) == 0 {
			continue
		}
		name, _, _ := strings.Cut(words[0], ":") // perl:any
		if !slices.Contains(unwanted, name) {
			names = append(names, name)
		}
	}
	return names
}

// fetch returns the paths of the packages for a processor. It fetches those that are not there yet.
func fetch(ctx context.Context, cache string, packages []lockedPackage) ([]string, error) {
	a := apt{}
	var paths []string
	for _, p := range packages {
		path := p.path(cache)
		if p.check(path) != nil {
			if a.folder == "" {
				var err error
				if a, err = newApt(ctx, cache, p.processor); err != nil {
					return nil, err
				}
			}
			fetched, err := a.download(ctx, p)
			if err != nil {
				return nil, fmt.Errorf("%w\nIf Debian has a newer version, make dist-lock writes the list anew", err)
			}
			if err := errors.Join(p.check(fetched), os.Rename(fetched, path)); err != nil {
				return nil, err
			}
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// path returns where a fetched package is.
func (p lockedPackage) path(cache string) string {
	return fmt.Sprintf("%s/%s_%s.deb", cache, p.name, p.sum)
}

// check compares a file with the checksum of the package.
func (p lockedPackage) check(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != p.sum {
		return fmt.Errorf("%s has the checksum %s, not %s", path, sum, p.sum)
	}
	return nil
}
