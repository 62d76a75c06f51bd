package section

import (
	"context"
	"errors"
	"strings"

	"svc/server/domain/repository/changelog"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// authors finds the users who wrote the commits, by their email addresses in lower case. The changelog credits authors
// who are not members of the project, and members of an included group.
func (s *Service) authors(
	ctx context.Context, row model.ProjectRow, config changelog.Config, picked []changelog.Picked,
) (map[string]*changelog.Author, error) {
	users, ids, err := s.users(ctx, picked)
	if err != nil {
		return nil, err
	}
	members, err := s.store.Projects.MembersAmong(ctx, row.Project.ID, ids)
	if err != nil {
		return nil, err
	}
	groups, err := s.groups(ctx, config.IncludeGroups)
	if err != nil {
		return nil, err
	}
	included, err := s.store.Namespaces.MembersAmong(ctx, groups, ids)
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
func (s *Service) users(ctx context.Context, picked []changelog.Picked) (map[string]model.User, []int64, error) {
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
		if id, ok := model.PrivateEmailOwner(address); ok {
			private[address] = id
			ids = append(ids, id)
		}
		addresses = append(addresses, address)
	}
	users, err := s.store.Users.ByConfirmedEmail(ctx, addresses)
	if err != nil {
		return nil, nil, err
	}
	owners, err := s.store.Users.ByID(ctx, ids)
	for address, id := range private {
		if u, ok := owners[id]; ok && strings.EqualFold(u.PrivateEmail(s.baseURL), address) {
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
func (s *Service) groups(ctx context.Context, paths []string) ([]int64, error) {
	var ids []int64
	for _, path := range paths {
		g, _, err := s.access.Group(ctx, path, access.ReadGroup)
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
