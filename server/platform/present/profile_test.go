package present

import (
	"testing"

	"svc/store/model"
)

func TestProfilesAreShown(t *testing.T) {
	t.Parallel()
	golden(t, "status_none", UserStatus(nil))
	golden(
		t, "status_bare",
		UserStatus(&model.UserStatus{ID: 1, UserID: 7, Emoji: model.DefaultEmoji, Availability: model.AvailabilityNotSet}),
	)
	golden(t, "status_full", UserStatus(&model.UserStatus{
		ID: 1, UserID: 7, Emoji: "coffee", Availability: model.AvailabilityBusy, Message: ptr("<b>\"tea\"</b>"), ClearStatusAt: &noon,
	}))
	golden(t, "email_full", Email(model.Email{ID: 3, UserID: 7, Email: "a@example.com", ConfirmedAt: &noon, CreatedAt: noon}))
	golden(t, "email_unconfirmed", Email(model.Email{ID: 3, UserID: 7, Email: "a@example.com"}))
	golden(t, "preferences_default", UserPreferences(model.DefaultPreference(7)))
	golden(t, "preferences_full", UserPreferences(model.UserPreference{
		ID: 3, UserID: 7, ViewDiffsFileByFile: true, PassUserIdentitiesToCiJwt: true,
	}))
}
