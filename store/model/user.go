// Package model holds the rows of the database as Go types. It has no queries and no JSON.
//
// Accounts:
//
//	user.go, user_email.go, caller.go, profile.go, avatar.go, identity.go, custom_attribute.go  users and their profiles
//	session.go, two_factor.go, mailed_token.go, key.go  signing in, SSH and GPG keys
//	token.go, resource_token.go, oauth.go  access tokens, deploy tokens, OAuth
//
// Groups and projects:
//
//	namespace.go, member.go, group_export.go  groups and members
//	project.go, badge.go, contribution.go     projects
//	repository.go, side_repository.go, storage_move.go, lfs.go  repositories of projects, wikis and snippets
//	commit.go, signature.go  statuses and signatures of commits
//	snippet.go, wiki_page.go  snippets and wikis
//
// Planning:
//
//	issue.go, merge_request.go, label.go  issues, boards, merge requests, labels, milestones
//	note.go, noteable.go, notification.go  notes, emoji, to-do items, notifications
//	event.go, event_view.go  activity and audit events
//
// CI/CD and operations:
//
//	pipeline.go, pipeline_schedule.go, job.go, job_artifact.go, job_token_scope.go  pipelines and jobs
//	variable.go, owned_variable.go  variables of the instance, groups and projects
//	runner.go, queue.go  runners, and processes of the job queue
//	environment.go, cluster_agent.go  environments and deployments
//	pages_deployment.go, pages_domain.go, site_grant.go  Pages sites
//	alert.go, error_tracking.go  alerts and errors
//
// The instance:
//
//	instance.go, instance_settings.go, rate.go  the instance, its storages and settings, rate limits
package model

import "time"

// UserState says whether an account may be used.
type UserState string

// The states of an account.
const (
	UserActive          UserState = "active"
	UserBlocked         UserState = "blocked"
	UserDeactivated     UserState = "deactivated"
	UserBanned          UserState = "banned"
	UserLDAPBlocked     UserState = "ldap_blocked"
	UserPendingApproval UserState = "blocked_pending_approval"
)

// UserHuman is the kind of an account that a person uses; every other kind is a bot or an internal account.
const UserHuman = "human"

// The kinds of account that no person signs in with.
const (
	UserAlertBot   = "alert_bot"
	UserGhost      = "ghost" // owns what deleted users leave behind
	UserProjectBot = "project_bot"
	UserSupportBot = "support_bot"
	// UserServiceAccount is for programs that administrators, groups or projects run.
	UserServiceAccount = "service_account"
)

// InternalKinds returns the kinds of account that belong to the instance itself.
func InternalKinds() []string { return []string{UserAlertBot, UserGhost, UserSupportBot} }

// Internal reports whether the account belongs to the instance itself.
func (u User) Internal() bool {
	return u.Kind == UserAlertBot || u.Kind == UserGhost || u.Kind == UserSupportBot
}

// PrivateCommitEmail stands for an address of the instance that hides the user's own.
const PrivateCommitEmail = "_private"

// User is an account.
type User struct {
	ID                             int64
	Username                       string
	Name                           string
	Email                          string
	PasswordHash                   string
	PasswordExpiresAt              *time.Time
	State                          UserState
	Kind                           string
	Admin                          bool
	Auditor                        bool
	External                       bool
	PrivateProfile                 bool
	TwoFactor                      bool
	CanCreateGroup                 bool
	ProjectsLimit                  int64
	ThemeID                        int64
	ColorSchemeID                  int64
	Bio                            string
	Location                       *string
	PublicEmail                    *string
	CommitEmail                    *string
	Skype                          string
	Linkedin                       string
	Twitter                        string
	Discord                        string
	WebsiteURL                     string
	Organization                   *string
	JobTitle                       string
	Pronouns                       *string
	TimeZone                       *string
	Note                           *string
	Followers                      int64
	Following                      int64
	NamespaceID                    *int64
	CreatedByID                    *int64
	LockedAt                       *time.Time
	FailedAttempts                 int64 // failed sign-ins since the last successful one
	ConfirmedAt                    *time.Time
	LastSignInAt                   *time.Time
	CurrentSignInAt                *time.Time
	LastSignInIP                   *string
	CurrentSignInIP                *string
	SignInCount                    int64
	LastActivityOn                 *time.Time
	EmailResetOfferedAt            *time.Time
	Avatar                         *string // file name of the picture
	SharedRunnersMinutesLimit      *int64
	ExtraSharedRunnersMinutesLimit *int64
	ProvisionedByGroupID           *int64
	CreatedAt                      time.Time
	UpdatedAt                      time.Time
}

// DefaultUser returns a new account whose details are not set yet.
func DefaultUser() User {
	return User{State: UserActive, Kind: UserHuman, CanCreateGroup: true, ProjectsLimit: 100000, ThemeID: 1, ColorSchemeID: 1}
}

// UserDeletion marks a user who is about to be deleted.
type UserDeletion struct {
	UserID    int64 `gorm:"primaryKey"`
	CreatedAt time.Time
}
