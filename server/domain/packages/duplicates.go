package packages

import (
	"context"
	"regexp"

	"svc/store"
	"svc/store/model"
)

// mayRepeat reports whether a file may be published again that the package already has. The settings of the group of the
// project decide for generic packages and Maven; other types never allow it, or leave it to their protocol.
func (s *Service) mayRepeat(ctx context.Context, p model.Project, u Upload, file string) (bool, error) {
	if u.Type != model.GenericPackage && u.Type != model.MavenPackage || file == MavenList {
		return true, nil
	}
	group, err := s.store.Namespaces.Get(ctx, p.NamespaceID, "", store.Reader{Admin: true})
	if err != nil {
		return false, err
	}
	allowed, exception := group.GenericDuplicatesAllowed, group.GenericDuplicateExceptionRegex
	if u.Type == model.MavenPackage {
		allowed, exception = group.MavenDuplicatesAllowed, group.MavenDuplicateExceptionRegex
	}
	if exception == "" {
		return allowed, nil
	}
	pattern, err := regexp.Compile(`\A(?:` + exception + `)\z`)
	if err != nil {
		return allowed, nil // it was checked when it was set, so this does not happen
	}
	return allowed != (pattern.MatchString(u.Name) || pattern.MatchString(u.Version)), nil
}
