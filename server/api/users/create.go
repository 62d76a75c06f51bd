package users

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
)

// CreateUser creates a user.
// POST /users
func (u *Users) CreateUser(ctx context.Context, req gen.CreateUserRequestObject) (gen.CreateUserResponseObject, error) {
	actor, err := access.Allow(ctx, access.AdminUser)
	if err != nil {
		return nil, err
	}
	body := *req.Body
	if body.Password == nil && body.ResetPassword == nil && body.ForceRandomPassword == nil {
		return nil, apierr.BadParameter(
			"password, reset_password, force_random_password are missing, at least one parameter must be provided",
		)
	}
	id, err := u.accounts.Create(ctx, actor.User.ID, settingsOfCreate(body), wire.Value(body.SkipConfirmation))
	if err != nil {
		return nil, err
	}
	shown, err := u.afterWrite(ctx, id)
	return gen.CreateUser201JSONResponse(shown), err
}

// settingsOfCreate returns the settings of a new user.
func settingsOfCreate(b gen.UserCreate) account.Settings {
	return account.Settings{
		Email: &b.Email, Name: &b.Name, Username: &b.Username, Password: b.Password,
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
