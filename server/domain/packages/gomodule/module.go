// Package gomodule reads Go modules from the repositories of projects, for the Go proxy protocol.
//
//	module.go   finds a module and its versions
//	version.go  finds one version: a tag, a commit or a branch
//	zip.go      writes the files of a version as a zip file
package gomodule

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"svc/store/git"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// ErrNotFound means that a repository has no such module or version.
var ErrNotFound = errors.New("there is no such module or version")

// Module is a Go module in the repository of a project.
type Module struct {
	Path   string // as in go.mod
	repo   git.Repo
	folder string // folder of the module in the repository, without a folder for its major version
	major  string // /v2 and higher; empty for v0 and v1
}

// Open returns the module with a path in a repository. root is the path of a module at the top of the repository.
func Open(repo git.Repo, root, modulePath string) (Module, error) {
	prefix, major, ok := module.SplitPathVersion(modulePath)
	if !ok || module.CheckPath(modulePath) != nil {
		return Module{}, ErrNotFound
	}
	folder := ""
	if prefix != root {
		if folder, ok = strings.CutPrefix(prefix, root+"/"); !ok {
			return Module{}, ErrNotFound
		}
	}
	return Module{Path: modulePath, repo: repo, folder: folder, major: major}, nil
}

// tagPrefix is the beginning of the tags of the module.
func (m Module) tagPrefix() string {
	if m.folder == "" {
		return ""
	}
	return m.folder + "/"
}

// folders are the folders in which the go.mod of the module may be.
func (m Module) folders() []string {
	if m.major == "" {
		return []string{m.folder}
	}
	return []string{m.folder, path.Join(m.folder, strings.TrimPrefix(m.major, "/"))}
}

// Versions returns the versions of the module that have tags, from the lowest to the highest.
func (m Module) Versions() ([]string, error) {
	refs, err := m.repo.Refs("refs/tags/" + m.tagPrefix())
	if err != nil {
		return nil, err
	}
	var versions []string
	for _, ref := range refs {
		version := strings.TrimPrefix(ref.Name, "refs/tags/"+m.tagPrefix())
		if m.fits(version) && !module.IsPseudoVersion(version) {
			versions = append(versions, version)
		}
	}
	slices.SortFunc(versions, semver.Compare)
	return versions, nil
}

// fits reports whether a text is a complete version that the path of the module can have.
func (m Module) fits(version string) bool {
	return semver.IsValid(version) && semver.Canonical(version) == version && module.CheckPathMajor(version, m.major) == nil
}

// Latest returns the highest release, the highest other version, or the tip of the default branch.
func (m Module) Latest(ctx context.Context) (Version, error) {
	versions, err := m.Versions()
	if err != nil {
		return Version{}, err
	}
	latest := ""
	for _, version := range versions {
		if semver.Prerelease(version) == "" || semver.Prerelease(latest) != "" || latest == "" {
			latest = version
		}
	}
	return m.Find(ctx, latest)
}
