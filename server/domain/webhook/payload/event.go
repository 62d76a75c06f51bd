package payload

// The events of members and subgroups of groups, and of projects, for group hooks and system hooks. A group hook gets
// EventUserAccessRequestDeniedForGroup where a system hook gets EventUserAccessRequestRevokedForGroup.
const (
	EventUserAddToGroup                   = "user_add_to_group"
	EventUserUpdateForGroup               = "user_update_for_group"
	EventUserRemoveFromGroup              = "user_remove_from_group"
	EventUserAccessRequestToGroup         = "user_access_request_to_group"
	EventUserAccessRequestDeniedForGroup  = "user_access_request_denied_for_group"
	EventUserAccessRequestRevokedForGroup = "user_access_request_revoked_for_group"
	EventSubgroupCreate                   = "subgroup_create"
	EventSubgroupDestroy                  = "subgroup_destroy"
	EventProjectCreate                    = "project_create"
	EventProjectDestroy                   = "project_destroy"
)

// The other events of system hooks.
const (
	EventProjectUpdate                      = "project_update" // anything but the path
	EventProjectRename                      = "project_rename" // the path, in the same namespace
	EventProjectTransfer                    = "project_transfer"
	EventUserCreate                         = "user_create"
	EventUserDestroy                        = "user_destroy"
	EventUserRename                         = "user_rename"
	EventUserFailedLogin                    = "user_failed_login" // only of blocked users
	EventKeyCreate                          = "key_create"
	EventKeyDestroy                         = "key_destroy"
	EventGroupCreate                        = "group_create"
	EventGroupDestroy                       = "group_destroy"
	EventGroupRename                        = "group_rename"
	EventUserAddToTeam                      = "user_add_to_team"
	EventUserUpdateForTeam                  = "user_update_for_team"
	EventUserRemoveFromTeam                 = "user_remove_from_team"
	EventUserAccessRequestToProject         = "user_access_request_to_project"
	EventUserAccessRequestRevokedForProject = "user_access_request_revoked_for_project"
	EventRepositoryUpdate                   = "repository_update"
)

// SystemEvents lists the events that every system hook gets. Pushes, tags, merge requests and repository_update depend
// on flags.
var SystemEvents = []string{
	EventProjectCreate, EventProjectDestroy, EventProjectUpdate, EventProjectRename, EventProjectTransfer,
	EventUserCreate, EventUserDestroy, EventUserRename, EventUserFailedLogin, EventKeyCreate, EventKeyDestroy,
	EventGroupCreate, EventGroupDestroy, EventGroupRename,
	EventUserAddToGroup, EventUserUpdateForGroup, EventUserRemoveFromGroup,
	EventUserAccessRequestToGroup, EventUserAccessRequestRevokedForGroup,
	EventUserAddToTeam, EventUserUpdateForTeam, EventUserRemoveFromTeam,
	EventUserAccessRequestToProject, EventUserAccessRequestRevokedForProject,
}
