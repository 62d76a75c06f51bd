// Package notification changes which notifications users get by mail: everywhere, in a group, or in a project.
package notification

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// Service changes notification settings.
type Service struct {
	store *store.Store
	epics bool // the tier has epics
}

// New returns the Service. epics says whether the tier has epics.
func New(st *store.Store, epics bool) *Service { return &Service{store: st, epics: epics} }

// Levels are the levels of notifications.
var Levels = []string{
	model.LevelDisabled, model.LevelParticipating, model.LevelWatch, model.LevelGlobal, model.LevelMention,
	model.LevelCustom,
}

// newEpic is the flag that exists only in tiers with epics.
const newEpic = "new_epic"

// Change describes what to change in the settings of a user; what is not set stays as it is.
type Change struct {
	Level    *string
	Flags    map[string]bool // events of the level custom; they are stored at every level
	SetEmail bool
	Email    *string // a confirmed address of the user; nil or empty for the primary one
}

// Apply changes the settings of a user at a place.
func (s *Service) Apply(
	ctx context.Context, userID int64, at store.NotificationScope, c Change,
) (model.NotificationSetting, error) {
	var address *string
	if c.SetEmail {
		var err error
		if address, err = s.address(ctx, userID, c.Email); err != nil {
			return model.NotificationSetting{}, err
		}
	}
	if c.Level != nil && !slices.Contains(Levels, *c.Level) {
		return model.NotificationSetting{}, apierr.Refused("'" + strings.ToValidUTF8(*c.Level, "") + "' is not a valid level")
	}
	return s.store.Notifications.Change(ctx, userID, at, func(row *model.NotificationSetting) error {
		if c.Level != nil {
			row.Level = *c.Level
		}
		if c.SetEmail {
			row.NotificationEmail = address
		}
		var err error
		row.Events, err = s.mergeFlags(row.Events, c.Flags)
		return err
	})
}

// address checks that the given address is a confirmed one of the user. It returns nil for the primary address, because
// that may change later.
func (s *Service) address(ctx context.Context, userID int64, given *string) (*string, error) {
	if given == nil || *given == "" {
		return nil, nil
	}
	owner, row, err := s.store.Emails.Owner(ctx, *given)
	if store.IsNotFound(err) || (err == nil && (owner.ID != userID || row.ConfirmedAt == nil && row.ID != 0)) {
		return nil, apierr.Invalid("notification_email", "must be an email you have verified")
	}
	if err != nil || strings.EqualFold(owner.Email, *given) {
		return nil, err
	}
	return &row.Email, nil
}

// mergeFlags writes flags over the stored ones. Flags that are not named keep their value.
func (s *Service) mergeFlags(kept string, flags map[string]bool) (string, error) {
	all := map[string]bool{}
	if err := json.Unmarshal([]byte(kept), &all); err != nil {
		return "", err
	}
	for name, value := range flags {
		if s.epics || name != newEpic {
			all[name] = value
		}
	}
	text, err := json.Marshal(all)
	return string(text), err
}
