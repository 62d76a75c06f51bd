package notifications

import (
	"context"
	"encoding/json"

	"svc/gen"
	"svc/store/model"
)

// global presents the global settings. The email address defaults to the user's primary address.
func (n *Notifications) global(ctx context.Context, row model.NotificationSetting) (gen.NotificationSettings, error) {
	shown := gen.NotificationSettings{
		Level: gen.NotificationLevel(row.Level), NotificationEmail: row.NotificationEmail, Events: n.events(row),
	}
	if shown.NotificationEmail == nil {
		u, err := n.store.Users.Get(ctx, row.UserID)
		if err != nil {
			return shown, err
		}
		shown.NotificationEmail = &u.Email
	}
	return shown, nil
}

func (n *Notifications) presentPlace(row model.NotificationSetting) gen.NotificationPlace {
	return gen.NotificationPlace{Level: gen.NotificationLevel(row.Level), Events: n.events(row)}
}

// events returns the event flags. Only the level custom shows them.
func (n *Notifications) events(row model.NotificationSetting) *gen.NotificationEvents {
	if row.Level != model.LevelCustom {
		return nil
	}
	shown := gen.NotificationEvents{FailedPipeline: true, FixedPipeline: true, MovedProject: true}
	if json.Unmarshal([]byte(row.Events), &shown) != nil {
		return nil
	}
	if !n.epics {
		shown.NewEpic = nil
	} else if shown.NewEpic == nil {
		shown.NewEpic = new(bool)
	}
	return &shown
}
