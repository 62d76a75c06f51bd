package store

import "svc/store/model"

// listedUserColumns are the columns of users u that lists show to administrators. listedUserFields returns the
// destinations in the same order.
const listedUserColumns = "u.id, u.username, u.name, u.email, u.state, u.kind, u.admin, u.auditor, u.external, " +
	"u.private_profile, u.two_factor, u.can_create_group, u.projects_limit, u.theme_id, u.color_scheme_id, u.bio, " +
	"u.location, u.public_email, u.commit_email, u.skype, u.linkedin, u.twitter, u.discord, u.website_url, " +
	"u.organization, u.job_title, u.pronouns, u.time_zone, u.note, u.followers, u.following, u.namespace_id, " +
	"u.created_by_id, u.locked_at, u.confirmed_at, u.last_sign_in_at, u.current_sign_in_at, u.last_activity_on, " +
	"u.email_reset_offered_at, u.avatar, u.shared_runners_minutes_limit, u.extra_shared_runners_minutes_limit, " +
	"u.provisioned_by_group_id, u.created_at"

func listedUserFields(u *model.User) []any {
	return append(make([]any, 0, 64),
		&u.ID, &u.Username, &u.Name, &u.Email, &u.State, &u.Kind, &u.Admin, &u.Auditor, &u.External,
		&u.PrivateProfile, &u.TwoFactor, &u.CanCreateGroup, &u.ProjectsLimit, &u.ThemeID, &u.ColorSchemeID, &u.Bio,
		&u.Location, &u.PublicEmail, &u.CommitEmail, &u.Skype, &u.Linkedin, &u.Twitter, &u.Discord, &u.WebsiteURL,
		&u.Organization, &u.JobTitle, &u.Pronouns, &u.TimeZone, &u.Note, &u.Followers, &u.Following, &u.NamespaceID,
		&u.CreatedByID, &u.LockedAt, &u.ConfirmedAt, &u.LastSignInAt, &u.CurrentSignInAt, &u.LastActivityOn,
		&u.EmailResetOfferedAt, &u.Avatar, &u.SharedRunnersMinutesLimit, &u.ExtraSharedRunnersMinutesLimit,
		&u.ProvisionedByGroupID, &u.CreatedAt)
}

// userColumns and userFields belong together: all columns of a query on users u, and the fields that they are scanned
// into.
const userColumns = listedUserColumns + ", u.password_hash, u.password_expires_at, u.failed_attempts, " +
	"u.last_sign_in_ip, u.current_sign_in_ip, u.sign_in_count, u.updated_at"

func userFields(u *model.User) []any {
	return append(listedUserFields(u),
		&u.PasswordHash, &u.PasswordExpiresAt, &u.FailedAttempts, &u.LastSignInIP, &u.CurrentSignInIP, &u.SignInCount, &u.UpdatedAt)
}

// basicUserColumns are the columns of users u that everybody can see.
const basicUserColumns = "u.id, u.username, u.name, u.state, u.locked_at, u.avatar"

func basicUserFields(u *model.User) []any {
	return append(make([]any, 0, 6), &u.ID, &u.Username, &u.Name, &u.State, &u.LockedAt, &u.Avatar)
}
