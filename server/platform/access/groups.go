package access

import (
	"context"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// The abilities in a group.
const (
	ReadGroup           Ability = "read_group"
	ReadGroupMember     Ability = "read_group_member"
	LeaveGroup          Ability = "leave_group"
	RequestGroupAccess  Ability = "request_group_access"
	AdminGroup          Ability = "admin_group"
	AdminGroupRunner    Ability = "admin_group_runner"
	AdminGroupMember    Ability = "admin_group_member"
	ReadGroupToken      Ability = "read_group_token"
	AdminGroupToken     Ability = "admin_group_token"
	RotateSelfInGroup   Ability = "rotate_self_in_group"
	ReadGroupApplicants Ability = "read_group_applicants" // users who request access or are invited
	RemoveGroup         Ability = "remove_group"
	AdminGroupVariable  Ability = "admin_group_variable"
	ReadGroupIssue      Ability = "read_group_issue"
	ReadGroupLabel      Ability = "read_group_label"
	FollowGroupLabel    Ability = "follow_group_label"
	AdminGroupLabel     Ability = "admin_group_label"
	ReadGroupMilestone  Ability = "read_group_milestone"
	AdminGroupMilestone Ability = "admin_group_milestone"
	ReadGroupBoard      Ability = "read_group_board"
	AdminGroupBoard     Ability = "admin_group_board"
	ReadGroupBadge      Ability = "read_group_badge"
	AdminGroupBadge     Ability = "admin_group_badge"
	ExportGroup         Ability = "export_group"
	ReadGroupImport     Ability = "read_group_import"

	ReadGroupNotifications   Ability = "read_group_notifications"
	UpdateGroupNotifications Ability = "update_group_notifications"

	ReadGroupAuditEvents  Ability = "read_group_audit_events" // owners see all events, others only their own
	ReadGroupAuditEvent   Ability = "read_group_audit_event"
	ReadGroupMergeRequest Ability = "read_group_merge_request"
	ReadGroupWiki         Ability = "read_group_wiki"
	CreateGroupWiki       Ability = "create_group_wiki" // includes changing pages
)

// InGroup maps each ability in a group to the least role that it needs. NoAccess means that everybody who can see the
// group has the ability.
var InGroup = map[Ability]model.Access{
	ReadGroup:           model.NoAccess,
	ReadGroupMember:     model.NoAccess,
	LeaveGroup:          model.NoAccess,
	RequestGroupAccess:  model.NoAccess,
	AdminGroup:          model.Owner,
	AdminGroupRunner:    model.Owner,
	AdminGroupMember:    model.Owner,
	ReadGroupToken:      model.Owner,
	AdminGroupToken:     model.Owner,
	RotateSelfInGroup:   model.NoAccess,
	ReadGroupApplicants: model.Owner,
	RemoveGroup:         model.Owner,
	AdminGroupVariable:  model.Owner,
	ReadGroupIssue:      model.NoAccess,
	ReadGroupLabel:      model.NoAccess,
	FollowGroupLabel:    model.NoAccess,
	AdminGroupLabel:     model.Reporter,
	ReadGroupMilestone:  model.NoAccess,
	AdminGroupMilestone: model.Reporter,
	ReadGroupBoard:      model.NoAccess,
	AdminGroupBoard:     model.Reporter,
	ReadGroupBadge:      model.NoAccess,
	AdminGroupBadge:     model.Owner,
	ExportGroup:         model.Owner,
	ReadGroupImport:     model.Owner,

	ReadGroupNotifications:   model.NoAccess,
	UpdateGroupNotifications: model.NoAccess,

	ReadGroupAuditEvents:  model.Developer,
	ReadGroupAuditEvent:   model.Owner,
	ReadGroupMergeRequest: model.NoAccess,
	ReadGroupWiki:         model.NoAccess,
	CreateGroupWiki:       model.Developer,
}

// Access checks what callers are allowed to do, by their roles.
type Access struct{ store *store.Store }

// New returns the access checks.
func New(st *store.Store) *Access { return &Access{store: st} }

// Group returns a group, given by id or full path, and the caller's role in it, if the caller has the ability in the
// group. A group that the caller cannot see is a 404; a missing ability is a 403.
func (a *Access) Group(ctx context.Context, ref string, ability Ability) (model.Namespace, model.Access, error) {
	if id, err := strconv.ParseInt(ref, 10, 64); err == nil {
		return a.group(ctx, id, "", ability)
	}
	return a.group(ctx, 0, ref, ability)
}

// GroupAt is Group for pages, which identify a group by its full path only: a path of digits is not an id.
func (a *Access) GroupAt(ctx context.Context, path string, ability Ability) (model.Namespace, model.Access, error) {
	return a.group(ctx, 0, path, ability)
}

func (a *Access) group(ctx context.Context, id int64, path string, ability Ability) (model.Namespace, model.Access, error) {
	least, known := InGroup[ability]
	if !known {
		return model.Namespace{}, 0, apierr.Forbidden()
	}
	g, role, err := a.store.Namespaces.GetGroup(ctx, id, path, Reader(ctx))
	switch {
	case store.IsNotFound(err) || (err == nil && !role.Visible):
		return model.Namespace{}, 0, apierr.NotFound("Group")
	case err != nil:
		return model.Namespace{}, 0, err
	case role.Access < least:
		return model.Namespace{}, 0, apierr.Forbidden()
	}
	return g, role.Access, nil
}

// Reader returns the caller in the form that the store uses to filter lists; nil for an anonymous caller.
func Reader(ctx context.Context) *store.Reader {
	actor := reqctx.Of(ctx).Actor
	if actor == nil {
		return nil
	}
	return &store.Reader{UserID: actor.User.ID, Admin: actor.User.Admin, External: actor.User.External}
}
