// Package model holds the rows of the database: no queries, no JSON.
package model

import "time"

// UserState tells whether an account may be used.
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
	UserGhost      = "ghost" // what deleted users leave behind belongs to it
	UserProjectBot = "project_bot"
	UserSupportBot = "support_bot"
)

// InternalKinds are the kinds of account that belong to the instance itself.
func InternalKinds() []string { return []string{UserAlertBot, UserGhost, UserSupportBot} }

// Internal tells whether the account belongs to the instance itself.
func (u User) Internal() bool {
	return u.Kind == UserAlertBot || u.Kind == UserGhost || u.Kind == UserSupportBot
}

// PrivateCommitEmail stands for an address of ours that hides the user's own.
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
	FailedAttempts                 int64 // to sign in, since the last one that succeeded
	ConfirmedAt                    *time.Time
	LastSignInAt                   *time.Time
	CurrentSignInAt                *time.Time
	LastSignInIP                   *string
	CurrentSignInIP                *string
	SignInCount                    int64
	LastActivityOn                 *time.Time
	EmailResetOfferedAt            *time.Time
	Avatar                         *string // name of the picture's file
	SharedRunnersMinutesLimit      *int64
	ExtraSharedRunnersMinutesLimit *int64
	ProvisionedByGroupID           *int64
	CreatedAt                      time.Time
	UpdatedAt                      time.Time
}

// DefaultUser is a new account before its owner's details are filled in.
func DefaultUser() User {
	return User{State: UserActive, Kind: UserHuman, CanCreateGroup: true, ProjectsLimit: 100000, ThemeID: 1, ColorSchemeID: 1}
}

// UserDeletion marks a user who is about to be deleted.
type UserDeletion struct {
	UserID    int64 `gorm:"primaryKey"`
	CreatedAt time.Time
}
