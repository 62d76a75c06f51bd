package users

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/account"
	"svc/server/platform/access"
)

// UpdateUser changes the given fields of a user.
// PUT /users/{id}
func (u *Users) UpdateUser(ctx context.Context, req gen.UpdateUserRequestObject) (gen.UpdateUserResponseObject, error) {
	actor, err := access.Allow(ctx, access.AdminUser)
	if err != nil {
		return nil, err
	}
	row, err := access.UserByID(ctx, u.store, req.ID)
	if err != nil {
		return nil, err
	}
	if err := u.accounts.Update(ctx, actor, row, settingsOfUpdate(*req.Body)); err != nil {
		return nil, err
	}
	shown, err := u.afterWrite(ctx, row.ID)
	return gen.UpdateUser200JSONResponse(shown), err
}

// settingsOfUpdate returns the settings that a request changes.
func settingsOfUpdate(b gen.UserUpdate) account.Settings {
	return account.Settings{
		SkipReconfirmation: wire.Value(b.SkipReconfirmation),
		Email:              b.Email, Name: b.Name, Username: b.Username, Password: b.Password,
		RandomPassword: wire.Value(b.ForceRandomPassword) || wire.Value(b.ResetPassword),
		SendResetLink:  wire.Value(b.ResetPassword),
		PublicEmail:    b.PublicEmail, CommitEmail: b.CommitEmail,
		Provider: samlProvider(b.Provider, b.GroupIDForSaml), ExternUID: b.ExternUID, SamlGroup: b.GroupIDForSaml,
		PrivateProfile: b.PrivateProfile, FileByFile: b.ViewDiffsFileByFile, Avatar: b.Avatar,
		Texts: map[string]wire.Optional[string]{
			"bio": b.Bio, "discord": b.Discord, "linkedin": b.Linkedin, "location": b.Location, "note": b.Note,
			"organization": b.Organization, "pronouns": b.Pronouns, "skype": b.Skype, "twitter": b.Twitter,
			"website_url": b.WebsiteURL,
		},
		Numbers: optionalNumbers(map[string]*int64{
			"color_scheme_id": b.ColorSchemeID, "projects_limit": b.ProjectsLimit, "theme_id": b.ThemeID,
		}),
		Flags:     map[string]*bool{"admin": b.Admin, "can_create_group": b.CanCreateGroup, "external": b.External},
		PaidFlags: map[string]*bool{"auditor": b.Auditor},
		PaidNumbers: map[string]wire.Optional[int64]{
			"extra_shared_runners_minutes_limit": b.ExtraSharedRunnersMinutesLimit,
			"shared_runners_minutes_limit":       b.SharedRunnersMinutesLimit,
		},
	}
}

// optionalNumbers turns nullable pointers into optional numbers. nil means absent, not null.
func optionalNumbers(numbers map[string]*int64) map[string]wire.Optional[int64] {
	out := map[string]wire.Optional[int64]{}
	for column, n := range numbers {
		if n != nil {
			out[column] = wire.Some(*n)
		}
	}
	return out
}

// samlProvider returns the given identity provider, or the SAML provider of a group.
func samlProvider(given *string, group *int64) *string {
	if given == nil && group != nil {
		saml := "group_saml"
		return &saml
	}
	return given
}
