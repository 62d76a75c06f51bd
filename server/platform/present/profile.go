package present

import (
	"html"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// UserStatus presents a status; s is nil for a user without one.
func UserStatus(s *model.UserStatus) gen.UserStatus {
	if s == nil {
		return gen.UserStatus{}
	}
	availability := gen.Availability(s.Availability)
	shown := gen.UserStatus{
		Emoji:         &s.Emoji,
		Availability:  &availability,
		Message:       s.Message,
		ClearStatusAt: wire.TimePtr(s.ClearStatusAt),
	}
	if s.Message != nil {
		shown.MessageHTML = html.EscapeString(*s.Message)
	}
	return shown
}

// Email presents an email address of a user.
func Email(e model.Email) gen.Email {
	return gen.Email{ID: e.ID, Email: e.Email, ConfirmedAt: wire.TimePtr(e.ConfirmedAt)}
}

// UserPreferences presents the preferences of a user.
func UserPreferences(p model.UserPreference) gen.UserPreferences {
	shown := gen.UserPreferences{
		UserID:                    p.UserID,
		ViewDiffsFileByFile:       p.ViewDiffsFileByFile,
		ShowWhitespaceInDiffs:     p.ShowWhitespaceInDiffs,
		PassUserIdentitiesToCiJwt: p.PassUserIdentitiesToCiJwt,
	}
	if p.ID != 0 {
		shown.ID = &p.ID
	}
	return shown
}
