package gomodule

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"

	"svc/store/git"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// Version is one version of a module.
type Version struct {
	Name   string // such as v1.2.3
	Time   time.Time
	GoMod  []byte
	commit string
	folder string // with the folder of the major version, if there is one
}

// maxGoMod is the largest size of a go.mod in bytes.
const maxGoMod = 1 << 20

// shortID is the number of characters of a commit in the version of a commit without a tag.
const shortID = 12

// Find returns a version of the module: a tag, a commit as Go writes it (v0.0.0-20240102150405-0123456789ab), or a branch,
// tag or commit, which gets such a version. An empty name is the tip of the default branch.
func (m Module) Find(ctx context.Context, name string) (Version, error) {
	var found Version
	var err error
	switch {
	case module.IsPseudoVersion(name):
		found, err = m.findCommit(ctx, name)
	case m.fits(name):
		found, err = m.resolve(ctx, "refs/tags/"+m.tagPrefix()+name)
		found.Name = name
	case semver.IsValid(name):
		return found, ErrNotFound // of another major version, or not complete
	default:
		if found, err = m.resolve(ctx, name); err == nil {
			found.Name, err = m.nameCommit(ctx, found)
		}
	}
	if err != nil {
		return Version{}, orNotFound(err)
	}
	return m.addGoMod(ctx, found)
}

// maxTags is the number of the highest versions among which nameCommit looks for one before a commit.
const maxTags = 50

// nameCommit returns the version of a commit: that of its tag, or one after the highest version that it is based on.
func (m Module) nameCommit(ctx context.Context, v Version) (string, error) {
	versions, err := m.Versions()
	if err != nil {
		return "", err
	}
	older := ""
	for i := len(versions) - 1; i >= max(0, len(versions)-maxTags) && older == ""; i-- {
		tag, err := m.repo.Resolve(ctx, "refs/tags/"+m.tagPrefix()+versions[i])
		if err != nil {
			return "", err
		}
		if tag == v.commit {
			return versions[i], nil
		}
		based, err := m.repo.IsAncestor(ctx, tag, v.commit)
		if err != nil {
			return "", err
		}
		if based {
			older = versions[i]
		}
	}
	return module.PseudoVersion(strings.TrimPrefix(m.major, "/"), older, v.Time, v.commit[:shortID]), nil
}

// findCommit returns the version of a commit. Its time is part of the name and must be right.
func (m Module) findCommit(ctx context.Context, name string) (Version, error) {
	rev, err := module.PseudoVersionRev(name)
	at, timeErr := module.PseudoVersionTime(name)
	if err != nil || timeErr != nil || len(rev) != shortID || !m.fits(name) {
		return Version{}, ErrNotFound
	}
	found, err := m.resolve(ctx, rev)
	if err == nil && (!strings.HasPrefix(found.commit, rev) || !found.Time.Equal(at)) {
		err = ErrNotFound
	}
	found.Name = name
	return found, err
}

// resolve finds the commit of a revision.
func (m Module) resolve(ctx context.Context, rev string) (Version, error) {
	id, err := m.repo.Resolve(ctx, rev)
	if err != nil {
		return Version{}, err
	}
	commit, err := m.repo.Commit(ctx, id)
	return Version{Time: commit.Committer.When.UTC().Truncate(time.Second), commit: id}, err
}

func orNotFound(err error) error {
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrBadName) {
		return ErrNotFound
	}
	return err
}

// addGoMod reads the go.mod of a version, which must name the module. A module at the top of a repository needs none.
func (m Module) addGoMod(ctx context.Context, v Version) (Version, error) {
	for _, folder := range m.folders() {
		entry, err := m.repo.TreeAt(ctx, v.commit, path.Join(folder, "go.mod"))
		if errors.Is(err, git.ErrNotFound) || err == nil && entry.Kind() != git.KindBlob {
			continue
		}
		if err != nil {
			return v, err
		}
		_, text, err := m.repo.Object(ctx, entry.ID, maxGoMod)
		if err != nil {
			return v, err
		}
		if modfile.ModulePath(text) == m.Path {
			v.GoMod, v.folder = text, folder
			return v, nil
		}
		if m.major == "" {
			return v, ErrNotFound
		}
	}
	if m.folder != "" || m.major != "" {
		return v, ErrNotFound
	}
	v.GoMod = []byte("module " + modfile.AutoQuote(m.Path) + "\n")
	return v, nil
}
