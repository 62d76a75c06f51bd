package present

import (
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// UserParts holds what administrators see of a user beside the row itself.
type UserParts struct {
	Identities []model.Identity
	Creator    *model.User                 // the user who created the account, if known
	Attributes []model.UserCustomAttribute // not shown if nil
}

// UserPublic presents one user to a signed-in caller, at a time. profile says whether that caller can read the whole
// profile, followed whether they follow the user.
func (p Presenter) UserPublic(u model.User, profile, followed bool, now time.Time) gen.UserPublic {
	shown := gen.UserPublic{
		ID:              u.ID,
		Username:        u.Username,
		Name:            u.Name,
		State:           gen.UserState(u.State),
		Locked:          u.LockedAt != nil,
		AvatarURL:       p.UserAvatar(u),
		WebURL:          p.userURL(u),
		Bio:             u.Bio,
		Location:        u.Location,
		PublicEmail:     u.PublicEmail,
		Skype:           u.Skype,
		Linkedin:        u.Linkedin,
		Twitter:         u.Twitter,
		Discord:         u.Discord,
		WebsiteURL:      u.WebsiteURL,
		Organization:    u.Organization,
		JobTitle:        u.JobTitle,
		Pronouns:        u.Pronouns,
		Bot:             u.Kind != model.UserHuman,
		WorkInformation: workInformation(u),
		LocalTime:       localTime(u, now),
	}
	if profile {
		created := wire.NewTime(u.CreatedAt)
		shown.CreatedAt = &created
		shown.Followers = &u.Followers
		shown.Following = &u.Following
		shown.IsFollowed = &followed
	}
	return shown
}

// User presents a user to an administrator, in lists and after a change.
func (p Presenter) User(u model.User, parts UserParts, followed bool, now time.Time) gen.User {
	d := p.userDetail(u, parts, followed, now)
	return gen.User{
		ID: d.ID, Username: d.Username, Name: d.Name, State: d.State, Locked: d.Locked, AvatarURL: d.AvatarURL,
		WebURL: d.WebURL, CreatedAt: d.CreatedAt, Bio: d.Bio, Location: d.Location, PublicEmail: d.PublicEmail,
		Skype: d.Skype, Linkedin: d.Linkedin, Twitter: d.Twitter, Discord: d.Discord, WebsiteURL: d.WebsiteURL,
		Organization: d.Organization, JobTitle: d.JobTitle, Pronouns: d.Pronouns, Bot: d.Bot,
		WorkInformation: d.WorkInformation, Followers: d.Followers, Following: d.Following, IsFollowed: d.IsFollowed,
		LocalTime: d.LocalTime, LastSignInAt: d.LastSignInAt, ConfirmedAt: d.ConfirmedAt,
		LastActivityOn: d.LastActivityOn, Email: d.Email, ThemeID: d.ThemeID, ColorSchemeID: d.ColorSchemeID,
		ProjectsLimit: d.ProjectsLimit, CurrentSignInAt: d.CurrentSignInAt, Identities: d.Identities,
		CanCreateGroup: d.CanCreateGroup, CanCreateProject: d.CanCreateProject, TwoFactorEnabled: d.TwoFactorEnabled,
		External: d.External, PrivateProfile: d.PrivateProfile, CommitEmail: d.CommitEmail,
		SharedRunnersMinutesLimit:      d.SharedRunnersMinutesLimit,
		ExtraSharedRunnersMinutesLimit: d.ExtraSharedRunnersMinutesLimit, ScimIdentities: d.ScimIdentities,
		IsAdmin: d.IsAdmin, Note: d.Note, NamespaceID: d.NamespaceID, CreatedBy: d.CreatedBy,
		EmailResetOfferedAt: d.EmailResetOfferedAt, UsingLicenseSeat: d.UsingLicenseSeat, IsAuditor: d.IsAuditor,
		ProvisionedByGroupID: d.ProvisionedByGroupID, CustomAttributes: d.CustomAttributes,
	}
}

// UserDetail presents a single user to an administrator.
func (p Presenter) UserDetail(u model.User, parts UserParts, followed bool, now time.Time) gen.UserDetail {
	shown := p.userDetail(u, parts, followed, now)
	if p.Paid {
		// Plans belong to a hosted service; here nobody has one.
		shown.Plan = wire.Null[string]()
		shown.Trial = wire.Null[bool]()
	}
	return shown
}

// userDetail presents the members that both forms for administrators have, and the sign-ins.
func (p Presenter) userDetail(u model.User, parts UserParts, followed bool, now time.Time) gen.UserDetail {
	shown := p.userProfile(u, now)
	shown.IsFollowed = followed
	shown.LastSignInAt = wire.TimePtr(u.LastSignInAt)
	shown.ConfirmedAt = wire.TimePtr(u.ConfirmedAt)
	shown.LastActivityOn = wire.DatePtr(u.LastActivityOn)
	shown.Email = u.Email
	shown.ThemeID = u.ThemeID
	shown.ColorSchemeID = u.ColorSchemeID
	shown.ProjectsLimit = u.ProjectsLimit
	shown.CurrentSignInAt = wire.TimePtr(u.CurrentSignInAt)
	shown.Identities = All(parts.Identities, Identity)
	shown.CanCreateGroup = u.CanCreateGroup
	shown.CanCreateProject = u.ProjectsLimit > 0
	shown.TwoFactorEnabled = u.TwoFactor
	shown.External = u.External
	shown.PrivateProfile = u.PrivateProfile
	shown.CommitEmail = u.CommitAddress(p.Base)
	shown.IsAdmin = u.Admin
	shown.Note = u.Note
	shown.NamespaceID = u.NamespaceID
	if parts.Creator != nil {
		creator := p.UserBasic(*parts.Creator)
		shown.CreatedBy = &creator
	}
	shown.EmailResetOfferedAt = wire.TimePtr(u.EmailResetOfferedAt)
	shown.CurrentSignInIP = u.CurrentSignInIP
	shown.LastSignInIP = u.LastSignInIP
	shown.SignInCount = u.SignInCount
	p.paidUser(&shown, u)
	if parts.Attributes != nil {
		attributes := All(parts.Attributes, CustomAttribute)
		shown.CustomAttributes = &attributes
	}
	return shown
}

// userProfile presents the members that signed-in callers see, too.
func (p Presenter) userProfile(u model.User, now time.Time) gen.UserDetail {
	return gen.UserDetail{
		ID:              u.ID,
		Username:        u.Username,
		Name:            u.Name,
		State:           gen.UserState(u.State),
		Locked:          u.LockedAt != nil,
		AvatarURL:       p.UserAvatar(u),
		WebURL:          p.userURL(u),
		CreatedAt:       wire.NewTime(u.CreatedAt),
		Bio:             u.Bio,
		Location:        u.Location,
		PublicEmail:     u.PublicEmail,
		Skype:           u.Skype,
		Linkedin:        u.Linkedin,
		Twitter:         u.Twitter,
		Discord:         u.Discord,
		WebsiteURL:      u.WebsiteURL,
		Organization:    u.Organization,
		JobTitle:        u.JobTitle,
		Pronouns:        u.Pronouns,
		Bot:             u.Kind != model.UserHuman,
		WorkInformation: workInformation(u),
		Followers:       u.Followers,
		Following:       u.Following,
		LocalTime:       localTime(u, now),
	}
}

func (p Presenter) paidUser(shown *gen.UserDetail, u model.User) {
	if !p.Paid {
		return
	}
	seat := takesSeat(u)
	shown.SharedRunnersMinutesLimit = wire.Maybe(u.SharedRunnersMinutesLimit)
	shown.ExtraSharedRunnersMinutesLimit = wire.Maybe(u.ExtraSharedRunnersMinutesLimit)
	shown.ScimIdentities = &[]gen.ScimIdentity{}
	shown.UsingLicenseSeat = &seat
	shown.IsAuditor = &u.Auditor
	shown.ProvisionedByGroupID = wire.Maybe(u.ProvisionedByGroupID)
}

// Identity presents a user's account at another provider.
func Identity(i model.Identity) gen.Identity {
	return gen.Identity{Provider: i.Provider, ExternUID: i.ExternUID, SamlProviderID: i.SamlProviderID}
}

// CustomAttribute presents an attribute of a user.
func CustomAttribute(a model.UserCustomAttribute) gen.CustomAttribute {
	return gen.CustomAttribute{Key: a.Key, Value: a.Value}
}

// UserActivity presents the day on which a user was last active, which must not be nil.
func UserActivity(u model.User) gen.UserActivity {
	day := wire.NewDate(*u.LastActivityOn)
	return gen.UserActivity{Username: u.Username, LastActivityOn: day, LastActivityAt: day}
}
