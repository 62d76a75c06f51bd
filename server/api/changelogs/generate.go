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

// usualPlaces are where the configuration is looked for.
var usualPlaces = []string{".svc/changelog_config.yml", ".gitlab/changelog_config.yml"}

// notes generates a section.
func (c *Changelogs) notes(ctx context.Context, row model.ProjectRow, repo git.Repo, a asked) (string, error) {
	config, err := configOf(ctx, repo, a)
	if err != nil {
		return "", err
	}
	from, to, err := rangeOf(ctx, repo, config, a)
	if err != nil {
		return "", err
	}
	most, err := c.most(ctx, repo, from, to)
	if err != nil {
		return "", err
	}
	picker := changelog.NewPicker(a.trailer)
	if err := repo.EachTrailed(ctx, from, to, most, func(t git.Trailed) {
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

// most is how many commits are read: the range has no more, or it is refused. Without the limitation git reads all.
func (c *Changelogs) most(ctx context.Context, repo git.Repo, from, to string) (int, error) {
	if !c.limited {
		return -1, nil
	}
	n, err := repo.CountRange(ctx, from, to, changelog.MaxCommits+1)
	if err == nil && n > changelog.MaxCommits {
		err = changelog.ErrTooMany
	}
	return changelog.MaxCommits, err
}

// configOf reads the configuration; without a file it is the default.
func configOf(ctx context.Context, repo git.Repo, a asked) (changelog.Config, error) {
	at, err := repo.Resolve(ctx, a.configRef)
	if err != nil {
		return changelog.Config{}, missingIs(err, nil)
	}
	places := usualPlaces
	if a.configFile != "" {
		places = []string{a.configFile}
	}
	for _, place := range places {
		data, _, err := file(ctx, repo, at, place, changelog.MaxConfig)
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

// missingIs replaces what says that something is not in the repository; other failures stay.
func missingIs(err, instead error) error {
	if errors.Is(err, git.ErrNotFound) {
		return instead
	}
	return err
}

// file reads a file of a commit and tells whether a path is taken by something else: a folder, a link or a submodule.
func file(ctx context.Context, repo git.Repo, commit, path string, most int64) (data []byte, taken bool, err error) {
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

// rangeOf finds both ends of the range.
func rangeOf(ctx context.Context, repo git.Repo, config changelog.Config, a asked) (from, to string, err error) {
	if a.from == "" {
		from, err = lastStable(ctx, repo, config, a.version)
	} else {
		from, err = repo.Resolve(ctx, a.from)
	}
	if err == nil {
		to, err = repo.Resolve(ctx, a.to)
	}
	return from, to, missingIs(err, changelog.ErrNoCommit)
}

// lastStable is the commit of the tag of the last stable version before one.
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
			continue // of something else than a commit
		}
		return id, err
	}
	return "", changelog.ErrNoStart
}

// authors finds the users behind commits, by the address in lower case. Who is not a member of the project is credited,
// and who is one of an included group.
func (c *Changelogs) authors(ctx context.Context, row model.ProjectRow, config changelog.Config, picked []changelog.Picked) (map[string]*changelog.Author, error) {
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
		authors[address] = &changelog.Author{Reference: "@" + u.Username, Contributor: !members[u.ID], Credit: !members[u.ID] || included[u.ID]}
	}
	return authors, nil
}

// users finds who has confirmed the addresses of commits, or whose private ones they are.
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

// groups finds the included groups. One that the caller does not see does not count, as if it were not there.
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
