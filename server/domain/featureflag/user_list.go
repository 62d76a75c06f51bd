package featureflag

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// ListChange describes what to change in a user list. Nil fields stay as they are.
type ListChange struct {
	Name  *string
	Users *string // IDs of users, separated by commas
}

// CreateList adds a user list to a project.
func (s *Service) CreateList(ctx context.Context, p model.Project, c ListChange) (model.FeatureFlagUserList, error) {
	made, err := c.apply(model.FeatureFlagUserList{ProjectID: p.ID})
	if err != nil {
		return made, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		if err := s.store.FeatureFlags.Lock(ctx, p.ID); err != nil {
			return events.Change{}, err
		}
		err := s.store.FeatureFlagUserLists.Create(ctx, &made, maxLists)
		return listChange(p, made, "feature_flag_user_list_created", "Created user list of feature flags"), err
	})
	return made, refusal(err, "user lists")
}

// ApplyList changes a user list and returns it.
func (s *Service) ApplyList(
	ctx context.Context, p model.Project, found model.FeatureFlagUserList, c ListChange,
) (model.FeatureFlagUserList, error) {
	changed, err := c.apply(found)
	if err != nil {
		return found, err
	}
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		err := s.store.FeatureFlagUserLists.Save(ctx, &changed)
		return events.Differences(found, changed, listChange(p, found, "feature_flag_user_list_updated", "")), err
	})
	return changed, refusal(err, "user lists")
}

// DeleteList deletes a user list that no strategy names. With unmodifiedSince, it fails if the list has changed since
// then.
func (s *Service) DeleteList(ctx context.Context, p model.Project, found model.FeatureFlagUserList, unmodifiedSince *time.Time) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		if err := s.store.FeatureFlags.Lock(ctx, p.ID); err != nil {
			return events.Change{}, err
		}
		used, err := s.store.FeatureFlagUserLists.Used(ctx, found.ID)
		if err == nil && used {
			err = apierr.ConflictAll("User list is associated with a strategy")
		}
		if err != nil {
			return events.Change{}, err
		}
		err = s.store.FeatureFlagUserLists.Delete(ctx, found, unmodifiedSince)
		return listChange(p, found, "feature_flag_user_list_deleted", "Deleted user list of feature flags"), err
	})
	return apierr.OrNotFound(err)
}

// listChange describes a change of a user list for the audit log.
func listChange(p model.Project, l model.FeatureFlagUserList, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "Operations::FeatureFlags::UserList", ID: l.ID, Details: l.Name},
	}
}

// apply returns a user list with the changes, or what is wrong with it.
func (c ListChange) apply(l model.FeatureFlagUserList) (model.FeatureFlagUserList, error) {
	var broken broken
	if c.Name != nil {
		l.Name = strings.TrimSpace(*c.Name)
	}
	switch {
	case l.Name == "":
		broken.add("Name can't be blank")
	case utf8.RuneCountInString(l.Name) > maxText:
		broken.add(fmt.Sprintf("Name is too long (maximum is %d characters)", maxText))
	}
	if c.Users != nil {
		ids := splitUsers(*c.Users)
		if len(ids) == 0 {
			broken.add("User xids can't be blank")
		}
		if slices.ContainsFunc(ids, wrongUser) {
			broken.add("User xids must be a string of comma separated values each 256 characters or less")
		}
		l.UserXIDs = strings.Join(ids, ",")
	}
	return l, broken.err()
}

// splitUsers returns the IDs in a text, each once and without spaces around it.
func splitUsers(text string) []string {
	var ids []string
	seen := map[string]bool{}
	for id := range strings.SplitSeq(text, ",") {
		if id = strings.TrimSpace(id); id != "" && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}
