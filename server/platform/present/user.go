package present

import (
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// UserBasic presents the public members of a user, in the form that other resources contain.
func (p Presenter) UserBasic(u model.User) gen.UserBasic {
	return gen.UserBasic{
		ID:        u.ID,
		Username:  u.Username,
		Name:      u.Name,
		State:     gen.UserState(u.State),
		Locked:    u.LockedAt != nil,
		AvatarURL: p.UserAvatar(u),
		WebURL:    p.userURL(u),
	}
}

// CurrentUser presents users to themselves, at a time. creator is the user who created the account, if known.
func (p Presenter) CurrentUser(u model.User, creator *model.User, now time.Time, identities ...model.Identity) gen.CurrentUser {
	shown := gen.CurrentUser{
		ID:               u.ID,
		Username:         u.Username,
		Name:             u.Name,
		State:            gen.UserState(u.State),
		Locked:           u.LockedAt != nil,
		AvatarURL:        p.UserAvatar(u),
		WebURL:           p.userURL(u),
		CreatedAt:        wire.NewTime(u.CreatedAt),
		Bio:              u.Bio,
		Location:         u.Location,
		PublicEmail:      u.PublicEmail,
		Skype:            u.Skype,
		Linkedin:         u.Linkedin,
		Twitter:          u.Twitter,
		Discord:          u.Discord,
		WebsiteURL:       u.WebsiteURL,
		Organization:     u.Organization,
		JobTitle:         u.JobTitle,
		Pronouns:         u.Pronouns,
		Bot:              u.Kind != model.UserHuman,
		WorkInformation:  workInformation(u),
		Followers:        u.Followers,
		Following:        u.Following,
		IsFollowed:       false, // nobody follows themselves
		LocalTime:        localTime(u, now),
		LastSignInAt:     wire.TimePtr(u.LastSignInAt),
		ConfirmedAt:      wire.TimePtr(u.ConfirmedAt),
		LastActivityOn:   wire.DatePtr(u.LastActivityOn),
		Email:            u.Email,
		ThemeID:          u.ThemeID,
		ColorSchemeID:    u.ColorSchemeID,
		ProjectsLimit:    u.ProjectsLimit,
		CurrentSignInAt:  wire.TimePtr(u.CurrentSignInAt),
		Identities:       All(identities, Identity),
		CanCreateGroup:   u.CanCreateGroup,
		CanCreateProject: u.ProjectsLimit > 0,
		TwoFactorEnabled: u.TwoFactor,
		External:         u.External,
		PrivateProfile:   u.PrivateProfile,
		CommitEmail:      u.CommitAddress(p.Base),
	}
	if p.Paid {
		shown.SharedRunnersMinutesLimit = wire.Maybe(u.SharedRunnersMinutesLimit)
		shown.ExtraSharedRunnersMinutesLimit = wire.Maybe(u.ExtraSharedRunnersMinutesLimit)
		shown.ScimIdentities = &[]gen.ScimIdentity{}
	}
	if u.Admin {
		p.forAdmin(&shown, u, creator)
	}
	return shown
}

func (p Presenter) forAdmin(shown *gen.CurrentUser, u model.User, creator *model.User) {
	shown.IsAdmin = &u.Admin
	shown.Note = wire.Maybe(u.Note)
	shown.NamespaceID = u.NamespaceID
	shown.CreatedBy = wire.Null[gen.UserBasic]()
	if creator != nil {
		shown.CreatedBy = wire.Some(p.UserBasic(*creator))
	}
	shown.EmailResetOfferedAt = wire.Maybe(wire.TimePtr(u.EmailResetOfferedAt))
	if p.Paid {
		seat := takesSeat(u)
		shown.UsingLicenseSeat = &seat
		shown.IsAuditor = &u.Auditor
		shown.ProvisionedByGroupID = wire.Maybe(u.ProvisionedByGroupID)
	}
}

func (p Presenter) userURL(u model.User) string { return p.Base + "/" + u.Username }

func workInformation(u model.User) *string {
	text := u.JobTitle
	if u.Organization != nil && *u.Organization != "" {
		if text != "" {
			text += " at "
		}
		text += *u.Organization
	}
	if text == "" {
		return nil
	}
	return &text
}

func localTime(u model.User, now time.Time) *string {
	if u.TimeZone == nil {
		return nil
	}
	zone, err := time.LoadLocation(*u.TimeZone)
	if err != nil {
		return nil
	}
	text := now.In(zone).Format("3:04 PM")
	return &text
}

func takesSeat(u model.User) bool { return u.Kind == model.UserHuman && u.State == model.UserActive }
