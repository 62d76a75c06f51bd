package changelogs

import (
	"context"
	"errors"
	"strings"

	"svc/server/domain/repository/changelog"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/git"
	"svc/store/model"
)

// defaultConfigFiles are the default locations of the configuration file.
var defaultConfigFiles = []string{".svc/changelog_config.yml", ".gitlab/changelog_config.yml"}

// notes generates a section of the changelog.
func (c *Changelogs) notes(ctx context.Context, row model.ProjectRow, repo git.Repo, a params) (string, error) {
	config, err := configOf(ctx, repo, a)
	if err != nil {
		return "", err
	}
	from, to, err := rangeOf(ctx, repo, config, a)
	if err != nil {
		return "", err
	}
	most, err := c.maxCommits(ctx, repo, from, to)
	if err != nil {
		return "", err
	}
	picker := changelog.NewPicker(a.trailer)
	if err := repo.EachWithTrailers(ctx, from, to, most, func(t git.CommitTrailers) {
		picker.Add(changelog.Commit{ID: t.ID, Message: t.Message, Email: t.Email, Trailers: t.Trailers})
	}); err != nil {
		return "", err
	}
	authors, err := c.authors(ctx, row, config, picker.Picked)
	if err != nil {
		return "", err
	}
	entries := make([]changelog.Entry, len(picker.Picked))
	for i, p := range picker.Picked {
		entries[i] = changelog.Entry{
			Title: p.Title, Category: p.Category, Trailers: p.Trailers, Author: authors[strings.ToLower(p.Email)],
			Reference: row.Project.FullPath + "@" + p.ID, WebURL: c.show.Base + "/" + row.Project.FullPath + "/-/commit/" + p.ID,
		}
	}
	return config.Section(a.version, a.date, entries)
}

// maxCommits returns the maximum number of commits to read. It refuses a range with more commits than that. Without the limit
// it returns -1, and git reads all commits.
func (c *Changelogs) maxCommits(ctx context.Context, repo git.Repo, from, to string) (int, error) {
	if !c.limited {
		return -1, nil
	}
	n, err := repo.CountRange(ctx, from, to, changelog.MaxCommits+1)
	if err == nil && n > changelog.MaxCommits {
		err = changelog.ErrTooMany
	}
	return changelog.MaxCommits, err
}

// configOf reads the configuration. Without a configuration file it returns the default.
func configOf(ctx context.Context, repo git.Repo, a params) (changelog.Config, error) {
	at, err := repo.Resolve(ctx, a.configRef)
	if err != nil {
		return changelog.Config{}, replaceNotFound(err, nil)
	}
	places := defaultConfigFiles
	if a.configFile != "" {
		places = []string{a.configFile}
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

// replaceNotFound replaces git.ErrNotFound with another error. It returns other errors unchanged.
func replaceNotFound(err, instead error) error {
	if errors.Is(err, git.ErrNotFound) {
		return instead
	}
	return err
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
func rangeOf(ctx context.Context, repo git.Repo, config changelog.Config, a params) (from, to string, err error) {
	if a.from == "" {
		from, err = lastStable(ctx, repo, config, a.version)
	} else {
		from, err = repo.Resolve(ctx, a.from)
	}
	if err == nil {
		to, err = repo.Resolve(ctx, a.to)
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

// authors finds the users who wrote the commits, by their email addresses in lower case. The changelog credits authors
// who are not members of the project, and members of an included group.
func (c *Changelogs) authors(
	ctx context.Context, row model.ProjectRow, config changelog.Config, picked []changelog.Picked,
) (map[string]*changelog.Author, error) {
	users, ids, err := c.users(ctx, picked)
	if err != nil {
		return nil, err
	}
	members, err := c.store.Projects.MembersAmong(ctx, row.Project.ID, ids)
	if err != nil {
		return nil, err
	}
	groups, err := c.groups(ctx, config.IncludeGroups)
	if err != nil {
		return nil, err
	}
	included, err := c.store.Namespaces.MembersAmong(ctx, groups, ids)
	if err != nil {
		return nil, err
	}
	authors := make(map[string]*changelog.Author, len(users))
	for address, u := range users {
		authors[address] = &changelog.Author{
			Reference: "@" + u.Username, Contributor: !members[u.ID], Credit: !members[u.ID] || included[u.ID],
		}
	}
	return authors, nil
}

// users finds users by the email addresses of commits: users who have confirmed an address, and users whose private
// commit address it is.
func (c *Changelogs) users(ctx context.Context, picked []changelog.Picked) (map[string]model.User, []int64, error) {
	private := map[string]int64{}
	seen := map[string]bool{}
	var addresses []string
	var ids []int64
	for _, p := range picked {
		address := strings.ToLower(p.Email)
		if seen[address] {
			continue
		}
		seen[address] = true
		if id, ok := present.PrivateEmailOwner(address); ok {
			private[address] = id
			ids = append(ids, id)
		}
		addresses = append(addresses, address)
	}
	users, err := c.store.Users.ByConfirmedEmail(ctx, addresses)
	if err != nil {
		return nil, nil, err
	}
	owners, err := c.store.Users.ByID(ctx, ids)
	for address, id := range private {
		if u, ok := owners[id]; ok && c.show.IsPrivateEmail(u, address) {
			users[address] = u
		}
	}
	ids = ids[:0]
	for _, u := range users {
		ids = append(ids, u.ID)
	}
	return users, ids, err
}

// groups finds the included groups. It skips groups that the caller cannot see.
func (c *Changelogs) groups(ctx context.Context, paths []string) ([]int64, error) {
	var ids []int64
	for _, path := range paths {
		g, _, err := c.access.Group(ctx, path, access.ReadGroup)
		var refused *apierr.Error
		switch {
		case errors.As(err, &refused):
			continue
		case err != nil:
			return nil, err
		}
		ids = append(ids, g.ID)
	}
	return ids, nil
}
