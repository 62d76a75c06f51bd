package section

import (
	"context"
	"errors"
	"strings"

	"svc/server/domain/repository/changelog"
	"svc/store/git"
)

// defaultConfigFiles are the default locations of the configuration file.
var defaultConfigFiles = []string{".svc/changelog_config.yml", ".gitlab/changelog_config.yml"}

// configOf reads the configuration. Without a configuration file it returns the default.
func configOf(ctx context.Context, repo git.Repo, r Request) (changelog.Config, error) {
	at, err := repo.Resolve(ctx, r.ConfigRef)
	if err != nil {
		return changelog.Config{}, replaceNotFound(err, nil)
	}
	places := defaultConfigFiles
	if r.ConfigFile != "" {
		places = []string{r.ConfigFile}
	}
	for _, place := range places {
		data, _, err := readFile(ctx, repo, at, place, changelog.MaxConfig)
		if errors.Is(err, git.ErrNotFound) {
			continue
		}
		if err != nil {
			return changelog.Config{}, err
		}
		return changelog.ParseConfig(data)
	}
	return changelog.Config{}, nil
}

// readFile reads a file of a commit. taken reports that the path is not a file but a folder, a symbolic link or a
// submodule.
func readFile(ctx context.Context, repo git.Repo, commit, path string, most int64) (data []byte, taken bool, err error) {
	entry, err := repo.TreeAt(ctx, commit, path)
	if err != nil {
		return nil, false, err
	}
	const link = 0o120000
	if entry.Kind() != git.KindBlob || entry.Mode == link {
		return nil, true, git.ErrNotFound
	}
	_, data, err = repo.Object(ctx, entry.ID, most)
	return data, false, err
}

// rangeOf resolves both ends of the range of commits.
func rangeOf(ctx context.Context, repo git.Repo, config changelog.Config, r Request) (from, to string, err error) {
	if r.From == "" {
		from, err = lastStable(ctx, repo, config, r.Version)
	} else {
		from, err = repo.Resolve(ctx, r.From)
	}
	if err == nil {
		to, err = repo.Resolve(ctx, r.To)
	}
	return from, to, replaceNotFound(err, changelog.ErrNoCommit)
}

// lastStable returns the commit of the tag of the last stable version before the given version.
func lastStable(ctx context.Context, repo git.Repo, config changelog.Config, version string) (string, error) {
	const tags = "refs/tags/"
	refs, err := repo.Refs(tags)
	if err != nil {
		return "", err
	}
	names := make([]string, len(refs))
	for i, ref := range refs {
		names[i] = strings.TrimPrefix(ref.Name, tags)
	}
	for _, tag := range config.Before(version, names) {
		id, err := repo.Resolve(ctx, tags+tag.Name)
		if errors.Is(err, git.ErrNotFound) {
			continue // the tag does not point to a commit
		}
		return id, err
	}
	return "", changelog.ErrNoStart
}
