// Package access authenticates callers and decides what each caller is allowed to do.
//
//	abilities.go     abilities on the instance, and the role that each needs
//	access.go        checks of abilities, account states and token scopes
//	projects.go      abilities in a project, and finding a project for a caller
//	groups.go        abilities in a group, and finding a group for a caller
//	namespaces.go    finding a namespace for a caller
//	snippets.go      finding a snippet for a caller
//	noteables.go     who can read issues, merge requests, commits and their notes
//	person.go        finding a user by id or username
//	tokens.go        finding the group or project whose tokens are managed
//	authenticate.go  callers behind access tokens and sessions; sudo
//	oauth.go         callers behind tokens of applications
//	job_token.go     callers behind tokens of jobs
//	password.go      callers behind passwords, failed attempts and locks
//	deploy.go        access with a deploy token
//	ssh_key.go       callers behind SSH keys
//	site_session.go  callers of a project's site
//	lifetime.go      when a token expires
//	expiry.go        when a role expires
//	usage.go         when tokens and users were last active
package access

// Ability names something that a caller may be allowed to do. The OpenAPI document refers to it in x-ability.
type Ability string

// Role is the least role on the instance that an ability needs.
type Role int

// The roles on the instance, from least to most.
const (
	Anyone Role = iota
	SignedIn
	Administrator
)

// The abilities on the instance.
const (
	AdminApplication      Ability = "admin_application"
	AdminDeployToken      Ability = "admin_deploy_token"
	AdminInstanceVariable Ability = "admin_instance_variable"
	AdminKey              Ability = "admin_key"
	AdminPagesDomain      Ability = "admin_pages_domain"
	AdminProjectOfUser    Ability = "admin_project_of_user"
	AdminRunner           Ability = "admin_runner"
	AdminSnippet          Ability = "admin_snippet"
	AdminStorageMove      Ability = "admin_storage_move"
	AdminToken            Ability = "admin_token"
	AdminUser             Ability = "admin_user"
	AdminUserEmail        Ability = "admin_user_email"
	CreateGroup           Ability = "create_group"
	CreateOwnEmail        Ability = "create_own_email"
	CreateOwnKey          Ability = "create_own_key"
	CreateOwnToken        Ability = "create_own_token"
	CreateProject         Ability = "create_project"
	CreateRunner          Ability = "create_runner"
	CreateSnippet         Ability = "create_snippet"
	DeleteOwnEmail        Ability = "delete_own_email"
	DeleteOwnKey          Ability = "delete_own_key"
	FollowUser            Ability = "follow_user"
	LintCI                Ability = "lint_ci"
	ReadAuditEvent        Ability = "read_audit_event"
	ReadDocument          Ability = "read_document"
	ReadIssues            Ability = "read_issues" // issues of projects that the caller can see
	ReadAnyIssue          Ability = "read_any_issue"
	ReadTodo              Ability = "read_todo"
	UpdateTodo            Ability = "update_todo"
	ReadMergeRequests     Ability = "read_merge_requests" // merge requests of projects that the caller can see
	ReadMetadata          Ability = "read_metadata"
	ReadNamespace         Ability = "read_namespace"
	ReadOwnEmail          Ability = "read_own_email"
	ReadOwnEvents         Ability = "read_own_events"
	ReadOwnJob            Ability = "read_own_job" // with the token of the job
	ReadOwnKey            Ability = "read_own_key"
	ReadOwnNotices        Ability = "read_own_notifications"
	ReadOwnPreferences    Ability = "read_own_preferences"
	ReadOwnRunners        Ability = "read_own_runners"
	ReadOwnStatus         Ability = "read_own_status"
	ReadOwnToken          Ability = "read_own_token"
	ReadProbe             Ability = "read_probe"
	ReadProjects          Ability = "read_projects"
	ReadRunner            Ability = "read_runner"
	ReadSelf              Ability = "read_self"
	ReadSnippet           Ability = "read_snippet" // Access.Snippet also checks that the caller can see the snippet
	ReadSnippets          Ability = "read_snippets"
	ReadToken             Ability = "read_token"
	ReadUser              Ability = "read_user"
	ReadUserAssociations  Ability = "read_user_associations"
	ReadUserEvents        Ability = "read_user_events"
	ReadUserFollows       Ability = "read_user_follows"
	ReadUserKey           Ability = "read_user_key"
	ReadUserMembership    Ability = "read_user_membership"
	ReadUserProjects      Ability = "read_user_projects"
	ReadUserStatus        Ability = "read_user_status"
	RevokeOwnToken        Ability = "revoke_own_token"
	RevokeToken           Ability = "revoke_token"
	RotateOwnToken        Ability = "rotate_own_token"
	RotateToken           Ability = "rotate_token"
	TransferToGroup       Ability = "transfer_project_to_group"
	RunJob                Ability = "run_job"
	SendTrackedError      Ability = "send_tracked_error"
	UpdateOwnAvatar       Ability = "update_own_avatar"
	UpdateOwnNotices      Ability = "update_own_notifications"
	UpdateOwnPreferences  Ability = "update_own_preferences"
	UpdateOwnStatus       Ability = "update_own_status"
	UpdateSnippet         Ability = "update_snippet" // the author, and users who may change snippets of the project
	UseOAuth              Ability = "use_oauth"
)

// Instance maps each ability on the instance to the least role that it needs.
var Instance = map[Ability]Role{
	AdminApplication:      Administrator,
	AdminDeployToken:      Administrator,
	AdminInstanceVariable: Administrator,
	AdminKey:              Administrator,
	AdminPagesDomain:      Administrator,
	AdminProjectOfUser:    Administrator,
	AdminRunner:           Administrator,
	AdminSnippet:          Administrator,
	AdminStorageMove:      Administrator,
	AdminToken:            Administrator,
	AdminUser:             Administrator,
	AdminUserEmail:        Administrator,
	CreateGroup:           SignedIn,
	CreateOwnEmail:        SignedIn,
	CreateOwnKey:          SignedIn,
	CreateOwnToken:        SignedIn,
	CreateProject:         SignedIn,
	CreateRunner:          SignedIn,
	CreateSnippet:         SignedIn,
	DeleteOwnEmail:        SignedIn,
	DeleteOwnKey:          SignedIn,
	FollowUser:            SignedIn,
	LintCI:                SignedIn,
	ReadAuditEvent:        Administrator,
	ReadDocument:          Anyone,
	ReadIssues:            SignedIn,
	ReadAnyIssue:          Administrator,
	ReadTodo:              SignedIn,
	UpdateTodo:            SignedIn,
	ReadMergeRequests:     SignedIn,
	ReadMetadata:          SignedIn,
	ReadNamespace:         SignedIn,
	ReadOwnEmail:          SignedIn,
	ReadOwnEvents:         SignedIn,
	ReadOwnJob:            SignedIn,
	ReadOwnKey:            SignedIn,
	ReadOwnNotices:        SignedIn,
	ReadOwnPreferences:    SignedIn,
	ReadOwnRunners:        SignedIn,
	ReadOwnStatus:         SignedIn,
	ReadOwnToken:          SignedIn,
	ReadProbe:             Anyone,
	ReadProjects:          Anyone,
	ReadRunner:            SignedIn,
	ReadSelf:              SignedIn,
	ReadSnippet:           Anyone,
	ReadSnippets:          SignedIn,
	ReadToken:             SignedIn,
	ReadUser:              Anyone,
	ReadUserAssociations:  SignedIn,
	ReadUserEvents:        Anyone,
	ReadUserFollows:       SignedIn,
	ReadUserKey:           Anyone,
	ReadUserMembership:    Administrator,
	ReadUserProjects:      Anyone,
	ReadUserStatus:        Anyone,
	RevokeOwnToken:        SignedIn,
	RevokeToken:           SignedIn,
	RotateOwnToken:        SignedIn,
	RotateToken:           SignedIn,
	TransferToGroup:       Administrator,
	RunJob:                Anyone, // the operation itself checks the token of the runner or the job
	SendTrackedError:      Anyone, // the operation itself checks the client key
	UpdateOwnAvatar:       SignedIn,
	UpdateOwnNotices:      SignedIn,
	UpdateOwnPreferences:  SignedIn,
	UpdateOwnStatus:       SignedIn,
	UpdateSnippet:         SignedIn,
	UseOAuth:              Anyone,
}
