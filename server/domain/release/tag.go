package release

import (
	"context"
	"slices"
	"strings"

	"svc/server/domain/repository/push"
	"svc/server/domain/repository/tag"
	"svc/store"
	"svc/store/git"
)

// Pushed deletes the releases of tags that were deleted through the API. It runs in the transaction that writes the
// event of the deletion. A tag that git deletes leaves its release, so that a tag can be pushed again.
func (s *Service) Pushed(ctx context.Context, p push.Result) error {
	if !slices.Contains(p.Options, tag.DeleteRelease) {
		return nil
	}
	for _, c := range p.Changes {
		name, isTag := strings.CutPrefix(c.Ref, tag.Prefix)
		if !isTag || c.New != git.Zero {
			continue
		}
		found, err := s.store.Releases.Get(ctx, p.ProjectID, name)
		if store.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		if err := s.delete(ctx, p.Project, found, nil); err != nil {
			return err
		}
	}
	return nil
}
