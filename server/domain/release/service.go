// Package release creates, changes and deletes the releases of projects. A release is a tag with notes, milestones and
// links to files.
//
//	service.go    construction, and finding a release that the caller may change
//	create.go     create a release, and its tag if it does not exist
//	change.go     change and delete a release
//	link.go       the links of a release
//	check.go      the rules for links
//	milestone.go  the milestones of a release
//	tag.go        the release of a tag that is deleted
//	record.go     what is recorded in the transaction of a change
package release

import (
	"context"

	"svc/server/domain/repository/push"
	"svc/server/domain/repository/tag"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Service changes releases on behalf of the caller of a request.
type Service struct {
	store  *store.Store
	pusher *push.Pusher
	tags   *tag.Service
	hooks  *announce.Announcer
	events *events.Recorder
}

// New returns the Service.
func New(st *store.Store, pusher *push.Pusher, hooks *announce.Announcer, recorder *events.Recorder) *Service {
	return &Service{store: st, pusher: pusher, tags: tag.New(st, pusher), hooks: hooks, events: recorder}
}

// Get returns the release of a tag, or a 404.
func (s *Service) Get(ctx context.Context, p model.Project, tagName string) (model.ReleaseRow, error) {
	row, err := s.store.Releases.Get(ctx, p.ID, tagName)
	return row, apierr.OrNotFound(err, "")
}

// MayChange reports whether the rules for tags allow the caller, a developer of the project, to change the release of a
// tag: those who may create the tag may.
func (s *Service) MayChange(ctx context.Context, row model.ProjectRow, tagName string) (bool, error) {
	rules, err := s.pusher.Protection(ctx, row)
	return rules.MayCreateTag(tagName), err
}

// changeable returns a release that the caller may change. refusal is the answer if a rule protects the tag.
func (s *Service) changeable(
	ctx context.Context, row model.ProjectRow, tagName string, refusal error,
) (model.ReleaseRow, error) {
	found, err := s.store.Releases.Get(ctx, row.Project.ID, tagName)
	if store.IsNotFound(err) {
		err = apierr.NotThere("Release does not exist")
	}
	if err != nil || !found.Protected {
		return found, err
	}
	may, err := s.MayChange(ctx, row, tagName)
	if err == nil && !may {
		err = refusal
	}
	return found, err
}

// hasTag reports whether the repository has a tag.
func hasTag(repo git.Repo, name string) bool {
	_, err := repo.Ref(tag.Prefix + name)
	return err == nil
}
