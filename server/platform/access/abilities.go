// Package access decides who may do what.
package access

// Ability is something that a caller may or may not do; the YAML names it in x-ability.
type Ability string

// Role is the least standing that an ability needs on the instance.
type Role int

// The roles on the instance.
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
	ReadIssues            Ability = "read_issues" // those of projects that the caller sees
	ReadAnyIssue          Ability = "read_any_issue"
	ReadTodo              Ability = "read_todo"
	UpdateTodo            Ability = "update_todo"
	ReadMergeRequests     Ability = "read_merge_requests" // those of projects that the caller sees
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
	ReadSnippet           Ability = "read_snippet" // whether one sees it is judged besides
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
	UpdateSnippet         Ability = "update_snippet" // its author, and who may in its project
	UseOAuth              Ability = "use_oauth"
)

// Instance is the one table of who may do what on the instance.
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
	RunJob:                Anyone, // with the token of a runner or a job, which the operation reads itself
	SendTrackedError:      Anyone, // with a client key, which the operation reads itself
	UpdateOwnAvatar:       SignedIn,
	UpdateOwnNotices:      SignedIn,
	UpdateOwnPreferences:  SignedIn,
	UpdateOwnStatus:       SignedIn,
	UpdateSnippet:         SignedIn,
	UseOAuth:              Anyone,
}
