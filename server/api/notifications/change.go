package notifications

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

var levels = []string{
	model.LevelDisabled, model.LevelParticipating, model.LevelWatch, model.LevelGlobal, model.LevelMention,
	model.LevelCustom,
}

// change writes a level and event flags. The flags are stored at every level.
func (n *Notifications) change(
	ctx context.Context, userID int64, at store.NotificationScope, level *string, flags any,
	more func(*model.NotificationSetting),
) (model.NotificationSetting, error) {
	if level != nil && !slices.Contains(levels, *level) {
		return model.NotificationSetting{}, apierr.Refused("'" + strings.ToValidUTF8(*level, "") + "' is not a valid level")
	}
	return n.store.Notifications.Change(ctx, userID, at, func(row *model.NotificationSetting) error {
		if level != nil {
			row.Level = *level
		}
		if more != nil {
			more(row)
		}
		var err error
		row.Events, err = n.mergeFlags(row.Events, flags)
		return err
	})
}

// newEpic is the flag that exists only in tiers with epics.
const newEpic = "new_epic"

// mergeFlags writes the flags of an update over the stored flags. Flags that the update does not name keep their value.
func (n *Notifications) mergeFlags(kept string, flags any) (string, error) {
	all := map[string]bool{}
	if err := json.Unmarshal([]byte(kept), &all); err != nil {
		return "", err
	}
	text, err := json.Marshal(flags)
	if err != nil {
		return "", err
	}
	given := map[string]any{}
	if err := json.Unmarshal(text, &given); err != nil {
		return "", err
	}
	for name, value := range given {
		if set, ok := value.(bool); ok && (n.epics || name != newEpic) {
			all[name] = set
		}
	}
	text, err = json.Marshal(all)
	return string(text), err
}
