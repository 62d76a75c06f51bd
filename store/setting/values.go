package setting

import (
	"slices"
	"time"

	"svc/store/model"
)

// Values are the settings of the application that have an effect.
type Values struct {
	// Registration and new accounts.
	SignupEnabled                       bool     `json:"signup_enabled"`
	RequireAdminApprovalAfterUserSignup bool     `json:"require_admin_approval_after_user_signup"`
	DomainAllowlist                     []string `json:"domain_allowlist"`
	DomainDenylistEnabled               bool     `json:"domain_denylist_enabled"`
	DomainDenylist                      []string `json:"domain_denylist"`
	EmailRestrictionsEnabled            bool     `json:"email_restrictions_enabled"`
	EmailRestrictions                   *string  `json:"email_restrictions"`
	UserDefaultExternal                 bool     `json:"user_default_external"`
	UserDefaultsToPrivateProfile        bool     `json:"user_defaults_to_private_profile"`
	CanCreateGroup                      bool     `json:"can_create_group"`
	DefaultProjectsLimit                int64    `json:"default_projects_limit"`

	// Passwords, sign-in and sessions.
	MinimumPasswordLength     int64  `json:"minimum_password_length"`
	PasswordNumberRequired    bool   `json:"password_number_required"`
	PasswordSymbolRequired    bool   `json:"password_symbol_required"`
	PasswordUppercaseRequired bool   `json:"password_uppercase_required"`
	PasswordLowercaseRequired bool   `json:"password_lowercase_required"`
	MaxLoginAttempts          *int64 `json:"max_login_attempts"`
	UnlockPeriodMinutes       *int64 `json:"failed_login_attempts_unlock_period_in_minutes"`
	PasswordForGit            bool   `json:"password_authentication_enabled_for_git"`
	SessionExpireDelay        int64  `json:"session_expire_delay"`
	RememberMeEnabled         bool   `json:"remember_me_enabled"`
	MaxPersonalTokenLifetime  *int64 `json:"max_personal_access_token_lifetime"`
	EnabledGitAccessProtocol  string `json:"enabled_git_access_protocol"`
	RSAKeyRestriction         int64  `json:"rsa_key_restriction"`
	ECDSAKeyRestriction       int64  `json:"ecdsa_key_restriction"`
	ECDSASKKeyRestriction     int64  `json:"ecdsa_sk_key_restriction"`
	ED25519KeyRestriction     int64  `json:"ed25519_key_restriction"`
	ED25519SKKeyRestriction   int64  `json:"ed25519_sk_key_restriction"`

	// Groups, projects and snippets.
	DefaultProjectVisibility   string   `json:"default_project_visibility"`
	DefaultGroupVisibility     string   `json:"default_group_visibility"`
	DefaultSnippetVisibility   string   `json:"default_snippet_visibility"`
	RestrictedVisibilityLevels []string `json:"restricted_visibility_levels"`
	DefaultProjectCreation     int64    `json:"default_project_creation"`
	DefaultBranchName          *string  `json:"default_branch_name"`
	DefaultBranchProtection    int64    `json:"default_branch_protection"`
	ImportSources              []string `json:"import_sources"`
	DeletionAdjournedPeriod    int64    `json:"deletion_adjourned_period"` // days; 0 deletes at once

	// CI/CD.
	DefaultCIConfigPath          *string  `json:"default_ci_config_path"`
	DefaultArtifactsExpireIn     string   `json:"default_artifacts_expire_in"`
	SharedRunnersEnabled         bool     `json:"shared_runners_enabled"`
	AllowRunnerRegistrationToken bool     `json:"allow_runner_registration_token"`
	ValidRunnerRegistrars        []string `json:"valid_runner_registrars"`

	// Sizes in MiB; 0 means no limit.
	MaxArtifactsSize    int64  `json:"max_artifacts_size"`
	MaxAttachmentSize   int64  `json:"max_attachment_size"`
	MaxPagesSize        int64  `json:"max_pages_size"`
	MaxImportSize       int64  `json:"max_import_size"`
	ReceiveMaxInputSize *int64 `json:"receive_max_input_size"`

	// Rate limits; 0 means no limit.
	ThrottleUnauthenticatedAPI         bool    `json:"throttle_unauthenticated_api_enabled"`
	ThrottleUnauthenticatedAPIRequests int64   `json:"throttle_unauthenticated_api_requests_per_period"`
	ThrottleUnauthenticatedAPIPeriod   int64   `json:"throttle_unauthenticated_api_period_in_seconds"`
	ThrottleAuthenticatedAPI           bool    `json:"throttle_authenticated_api_enabled"`
	ThrottleAuthenticatedAPIRequests   int64   `json:"throttle_authenticated_api_requests_per_period"`
	ThrottleAuthenticatedAPIPeriod     int64   `json:"throttle_authenticated_api_period_in_seconds"`
	RateLimitingResponseText           *string `json:"rate_limiting_response_text"`
	NotesCreateLimit                   int64   `json:"notes_create_limit"`
	UsersGetByIDLimit                  int64   `json:"users_get_by_id_limit"`
	ProjectJobsAPIRateLimit            int64   `json:"project_jobs_api_rate_limit"`
	GroupExportLimit                   int64   `json:"group_export_limit"`
	GroupImportLimit                   int64   `json:"group_import_limit"`
	GroupDownloadExportLimit           int64   `json:"group_download_export_limit"`
	RawBlobRequestLimit                int64   `json:"raw_blob_request_limit"`

	// Pages.
	SignInText       *string `json:"sign_in_text"`
	AfterSignUpText  *string `json:"after_sign_up_text"`
	AfterSignOutPath *string `json:"after_sign_out_path"`
	HomePageURL      *string `json:"home_page_url"`
	HelpPageText     *string `json:"help_page_text"`
}

// Defaults returns the settings of an instance on which nobody has set anything.
func Defaults() Values {
	attempts, unlock := int64(10), int64(10)
	return Values{
		RequireAdminApprovalAfterUserSignup: true, DomainAllowlist: []string{}, DomainDenylist: []string{},
		CanCreateGroup: true, DefaultProjectsLimit: 100000,
		MinimumPasswordLength: 8, MaxLoginAttempts: &attempts, UnlockPeriodMinutes: &unlock, PasswordForGit: true,
		SessionExpireDelay: 24 * 60, RememberMeEnabled: true,
		DefaultProjectVisibility: "private", DefaultGroupVisibility: "private", DefaultSnippetVisibility: "private",
		RestrictedVisibilityLevels: []string{}, DefaultProjectCreation: 2, DefaultBranchProtection: 2,
		ImportSources: []string{"git", "gitlab_project"}, DefaultArtifactsExpireIn: "30 days", SharedRunnersEnabled: true,
		AllowRunnerRegistrationToken: true, ValidRunnerRegistrars: []string{"project", "group"},
		MaxArtifactsSize: 100, MaxAttachmentSize: 100, MaxPagesSize: 100,
		ThrottleUnauthenticatedAPIRequests: 3600, ThrottleUnauthenticatedAPIPeriod: 3600,
		ThrottleAuthenticatedAPIRequests: 7200, ThrottleAuthenticatedAPIPeriod: 3600,
		NotesCreateLimit: 300, UsersGetByIDLimit: 300, ProjectJobsAPIRateLimit: 600,
		GroupExportLimit: 6, GroupImportLimit: 6, GroupDownloadExportLimit: 1, RawBlobRequestLimit: 300,
	}
}

// visibilities are the levels by their names in the API.
var visibilities = map[string]model.Visibility{
	model.Private.String(): model.Private, model.Internal.String(): model.Internal, model.Public.String(): model.Public,
}

// Restricted reports whether only administrators may use a visibility.
func (v *Values) Restricted(level model.Visibility) bool {
	return slices.Contains(v.RestrictedVisibilityLevels, level.String())
}

// ProjectVisibility returns the visibility of new projects whose creator gives none.
func (v *Values) ProjectVisibility() model.Visibility {
	return visibilities[v.DefaultProjectVisibility]
}

// GroupVisibility returns the visibility of new groups whose creator gives none.
func (v *Values) GroupVisibility() model.Visibility { return visibilities[v.DefaultGroupVisibility] }

// SnippetVisibility returns the visibility of new snippets whose creator gives none.
func (v *Values) SnippetVisibility() model.Visibility {
	return visibilities[v.DefaultSnippetVisibility]
}

// BranchName returns the default branch of new projects.
func (v *Values) BranchName() string {
	if v.DefaultBranchName == nil || *v.DefaultBranchName == "" {
		return "main"
	}
	return *v.DefaultBranchName
}

// projectCreationLevels are the levels of groups by their numbers in the settings.
var projectCreationLevels = []string{"noone", "maintainer", "developer"}

// ProjectCreationLevel returns who may create projects in new groups.
func (v *Values) ProjectCreationLevel() string {
	return projectCreationLevels[v.DefaultProjectCreation]
}

// NewUser returns a new account with the defaults of the settings.
func (v *Values) NewUser() model.User {
	u := model.DefaultUser()
	u.External, u.PrivateProfile = v.UserDefaultExternal, v.UserDefaultsToPrivateProfile
	u.CanCreateGroup, u.ProjectsLimit = v.CanCreateGroup, v.DefaultProjectsLimit
	return u
}

// LoginAttempts returns how many failed attempts to sign in lock an account.
func (v *Values) LoginAttempts() int64 { return orElse(v.MaxLoginAttempts, 10) }

// LockTime returns how long an account stays locked.
func (v *Values) LockTime() time.Duration {
	return time.Duration(orElse(v.UnlockPeriodMinutes, 10)) * time.Minute
}

// SessionTime returns how long a browser session lasts without use.
func (v *Values) SessionTime() time.Duration {
	return time.Duration(v.SessionExpireDelay) * time.Minute
}

// AllowsGit reports whether a protocol, "ssh" or "http", can be used for git.
func (v *Values) AllowsGit(protocol string) bool {
	return v.EnabledGitAccessProtocol == "" || v.EnabledGitAccessProtocol == "all" || v.EnabledGitAccessProtocol == protocol
}

// ImportsFrom reports whether projects can be imported from a source, such as "git".
func (v *Values) ImportsFrom(source string) bool { return slices.Contains(v.ImportSources, source) }

func orElse(n *int64, otherwise int64) int64 {
	if n == nil {
		return otherwise
	}
	return *n
}
