// Package commitstatus sets the statuses that programs report for commits.
package commitstatus

import (
	"context"
	"net/url"
	"unicode/utf8"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Service sets statuses.
type Service struct{ store *store.Store }

// New returns a Service.
func New(st *store.Store) *Service { return &Service{store: st} }

// Set sets a status of a commit on behalf of the caller. Without a ref, it is the status for the first branch that
// contains the commit.
func (s *Service) Set(
	ctx context.Context, p model.Project, repo git.Repo, commitID string, status model.CommitStatus,
) (model.CommitStatus, error) {
	if status.Name == "" {
		status.Name = "default"
	}
	if err := check(status); err != nil {
		return status, err
	}
	status.ProjectID, status.CommitID = p.ID, commitID
	var err error
	if status.Ref == "" {
		if status.Ref, err = firstBranch(ctx, repo, commitID); err != nil {
			return status, err
		}
	}
	if status.Author, err = s.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID); err != nil {
		return status, err
	}
	err = s.store.CommitStatuses.Save(ctx, &status)
	return status, err
}

const maxText = 255

// check refuses a status with invalid fields.
func check(s model.CommitStatus) error {
	broken := map[string][]string{}
	for field, value := range map[string]string{
		"name": s.Name, "target_url": wire.Value(s.TargetURL), "description": wire.Value(s.Description),
	} {
		if utf8.RuneCountInString(value) > maxText {
			broken[field] = append(broken[field], "is too long (maximum is 255 characters)")
		}
	}
	if s.TargetURL != nil && *s.TargetURL != "" {
		if u, err := url.Parse(*s.TargetURL); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			broken["target_url"] = append(broken["target_url"], "is blocked: Only allowed schemes are http, https")
		}
	}
	if s.Ref != "" && !git.ValidBranch(s.Ref) {
		broken["ref"] = append(broken["ref"], "is invalid")
	}
	if len(broken) > 0 {
		return apierr.InvalidFields(broken)
	}
	return nil
}

// firstBranch returns the first branch that contains the commit.
func firstBranch(ctx context.Context, repo git.Repo, id string) (string, error) {
	names, err := repo.Containing(ctx, id, "refs/heads/")
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", apierr.NotFound("References for commit")
	}
	return names[0], nil
}
