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

// UserPublic presents the public members of a user.
func (p Presenter) UserPublic(u model.User) gen.User {
	return gen.User{
		ID:        u.ID,
		Username:  u.Username,
		Name:      u.Name,
		State:     gen.UserState(u.State),
		Locked:    u.LockedAt != nil,
		AvatarURL: p.UserAvatar(u),
		WebURL:    p.userURL(u),
	}
}

// UserSingle presents one user to a signed-in caller, at a time. profile says whether that caller can read the whole
// profile, followed whether they follow the user.
func (p Presenter) UserSingle(u model.User, profile, followed bool, now time.Time) gen.User {
	shown := p.UserPublic(u)
	bot := u.Kind != model.UserHuman
	shown.Bio = &u.Bio
	shown.Location = wire.Maybe(u.Location)
	shown.PublicEmail = wire.Maybe(u.PublicEmail)
	shown.Skype = &u.Skype
	shown.Linkedin = &u.Linkedin
	shown.Twitter = &u.Twitter
	shown.Discord = &u.Discord
	shown.WebsiteURL = &u.WebsiteURL
	shown.Organization = wire.Maybe(u.Organization)
	shown.JobTitle = &u.JobTitle
	shown.Pronouns = wire.Maybe(u.Pronouns)
	shown.Bot = &bot
	shown.WorkInformation = wire.Maybe(workInformation(u))
	shown.LocalTime = wire.Maybe(localTime(u, now))
	if profile {
		created := wire.NewTime(u.CreatedAt)
		shown.CreatedAt = &created
		shown.Followers = &u.Followers
		shown.Following = &u.Following
		shown.IsFollowed = &followed
	}
	return shown
}

// UserAdmin presents a user to an administrator, in lists and after a change.
func (p Presenter) UserAdmin(u model.User, parts UserParts, followed bool, now time.Time) gen.User {
	shown := p.UserSingle(u, true, followed, now)
	canCreateProject, email := u.ProjectsLimit > 0, u.CommitAddress(p.Base)
	identities := All(parts.Identities, Identity)
	shown.LastSignInAt = wire.Maybe(wire.TimePtr(u.LastSignInAt))
	shown.ConfirmedAt = wire.Maybe(wire.TimePtr(u.ConfirmedAt))
	shown.LastActivityOn = wire.Maybe(wire.DatePtr(u.LastActivityOn))
	shown.Email = &u.Email
	shown.ThemeID = &u.ThemeID
	shown.ColorSchemeID = &u.ColorSchemeID
	shown.ProjectsLimit = &u.ProjectsLimit
	shown.CurrentSignInAt = wire.Maybe(wire.TimePtr(u.CurrentSignInAt))
	shown.Identities = &identities
	shown.CanCreateGroup = &u.CanCreateGroup
	shown.CanCreateProject = &canCreateProject
	shown.TwoFactorEnabled = &u.TwoFactor
	shown.External = &u.External
	shown.PrivateProfile = &u.PrivateProfile
	shown.CommitEmail = &email
	shown.IsAdmin = &u.Admin
	shown.Note = wire.Maybe(u.Note)
	shown.NamespaceID = u.NamespaceID
	shown.CreatedBy = wire.Null[gen.UserBasic]()
	if parts.Creator != nil {
		shown.CreatedBy = wire.Some(p.UserBasic(*parts.Creator))
	}
	shown.EmailResetOfferedAt = wire.Maybe(wire.TimePtr(u.EmailResetOfferedAt))
	p.paidUser(&shown, u)
	if parts.Attributes != nil {
		attributes := All(parts.Attributes, CustomAttribute)
		shown.CustomAttributes = &attributes
	}
	return shown
}

// UserDetail presents a single user to an administrator.
func (p Presenter) UserDetail(u model.User, parts UserParts, followed bool, now time.Time) gen.User {
	shown := p.UserAdmin(u, parts, followed, now)
	shown.CurrentSignInIP = wire.Maybe(u.CurrentSignInIP)
	shown.LastSignInIP = wire.Maybe(u.LastSignInIP)
	shown.SignInCount = &u.SignInCount
	if p.Paid {
		// Plans belong to a hosted service; here nobody has one.
		shown.Plan = wire.Null[string]()
		shown.Trial = wire.Null[bool]()
	}
	return shown
}

func (p Presenter) paidUser(shown *gen.User, u model.User) {
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
