package payload

import (
	"time"

	"svc/store/model"
)

// SystemProjectInput is what the system events about a project are made of.
type SystemProjectInput struct {
	Event   string // EventProjectCreate, EventProjectDestroy, EventProjectUpdate, EventProjectRename or EventProjectTransfer
	Project model.Project
	Owner   *model.User      // of a project in a personal namespace
	Group   *model.Namespace // that the project is in
	Owners  []model.User     // users with the role of an owner
	OldPath string           // the former full path, of EventProjectRename and EventProjectTransfer
}

// SystemProject is the body of a system event about a project.
type SystemProject struct {
	EventName            string   `json:"event_name"`
	CreatedAt            string   `json:"created_at"`
	UpdatedAt            string   `json:"updated_at"`
	Name                 string   `json:"name"`
	Path                 string   `json:"path"`
	PathWithNamespace    string   `json:"path_with_namespace"`
	ProjectID            int64    `json:"project_id"`
	ProjectNamespaceID   int64    `json:"project_namespace_id"`
	OwnerName            *string  `json:"owner_name"`
	OwnerEmail           *string  `json:"owner_email"`
	Owners               []Author `json:"owners"`
	ProjectVisibility    string   `json:"project_visibility"`
	OldPathWithNamespace string   `json:"old_path_with_namespace,omitempty"`
}

// SystemProject builds the body of a system event about a project.
func (Instance) SystemProject(in SystemProjectInput) SystemProject {
	p := in.Project
	body := SystemProject{
		EventName: in.Event, CreatedAt: iso(p.CreatedAt), UpdatedAt: iso(p.UpdatedAt), Name: p.Name, Path: p.Path,
		PathWithNamespace: p.FullPath, ProjectID: p.ID, ProjectNamespaceID: p.NamespaceID, Owners: owners(in.Owners),
		ProjectVisibility: p.Visibility.String(), OldPathWithNamespace: in.OldPath,
	}
	switch {
	case in.Owner != nil:
		body.OwnerName, body.OwnerEmail = &in.Owner.Name, new(publicEmail(*in.Owner))
	case in.Group != nil:
		body.OwnerName = &in.Group.Name
	}
	return body
}

// SystemUserInput is what the system events about a user are made of.
type SystemUserInput struct {
	Event       string     // EventUserCreate, EventUserDestroy, EventUserRename or EventUserFailedLogin
	User        model.User // with the e-mail address
	OldUsername string     // of EventUserRename
}

// SystemUser is the body of a system event about a user.
type SystemUser struct {
	EventName   string `json:"event_name"`
	CreatedAt   string `json:"created_at"`
	UpdatedAt   string `json:"updated_at"`
	Name        string `json:"name"`
	Email       string `json:"email"` // the real one
	UserID      int64  `json:"user_id"`
	Username    string `json:"username"`
	OldUsername string `json:"old_username,omitempty"`
	State       string `json:"state,omitempty"` // of a failed sign-in
}

// SystemUser builds the body of a system event about a user.
func (Instance) SystemUser(in SystemUserInput) SystemUser {
	u := in.User
	body := SystemUser{
		EventName: in.Event, CreatedAt: iso(u.CreatedAt), UpdatedAt: iso(u.UpdatedAt), Name: u.Name, Email: u.Email, UserID: u.ID,
		Username: u.Username, OldUsername: in.OldUsername,
	}
	if in.Event == EventUserFailedLogin {
		body.State = string(u.State)
	}
	return body
}

// SystemKeyInput is what the system events about an SSH key are made of.
type SystemKeyInput struct {
	Event string // EventKeyCreate or EventKeyDestroy
	Key   model.Key
	User  *model.User // nil for a deploy key
}

// SystemKey is the body of a system event about an SSH key.
type SystemKey struct {
	EventName string `json:"event_name"`
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
	Username  string `json:"username,omitempty"`
	Key       string `json:"key"`
	ID        int64  `json:"id"`
}

// SystemKey builds the body of a system event about an SSH key.
func (Instance) SystemKey(in SystemKeyInput) SystemKey {
	k := in.Key
	body := SystemKey{EventName: in.Event, CreatedAt: iso(k.CreatedAt), UpdatedAt: iso(k.UpdatedAt), Key: k.Key, ID: k.ID}
	if in.User != nil {
		body.Username = in.User.Username
	}
	return body
}

// SystemGroupInput is what the system events about a group are made of.
type SystemGroupInput struct {
	Event       string // EventGroupCreate, EventGroupDestroy or EventGroupRename
	Group       model.Namespace
	OldPath     string // of EventGroupRename
	OldFullPath string // of EventGroupRename
}

// SystemGroup is the body of a system event about a group.
type SystemGroup struct {
	EventName   string `json:"event_name"`
	CreatedAt   string `json:"created_at"`
	UpdatedAt   string `json:"updated_at"`
	Name        string `json:"name"`
	Path        string `json:"path"`
	FullPath    string `json:"full_path"`
	GroupID     int64  `json:"group_id"`
	OldPath     string `json:"old_path,omitempty"`
	OldFullPath string `json:"old_full_path,omitempty"`
}

// SystemGroup builds the body of a system event about a group.
func (Instance) SystemGroup(in SystemGroupInput) SystemGroup {
	g := in.Group
	return SystemGroup{
		EventName: in.Event, CreatedAt: iso(g.CreatedAt), UpdatedAt: iso(g.UpdatedAt), Name: g.Name, Path: g.Path, FullPath: g.FullPath,
		GroupID: g.ID, OldPath: in.OldPath, OldFullPath: in.OldFullPath,
	}
}

// SystemGroupMember is the body of a system event about a member of a group.
type SystemGroupMember struct {
	EventName    string  `json:"event_name"`
	CreatedAt    string  `json:"created_at"`
	UpdatedAt    string  `json:"updated_at"`
	GroupName    string  `json:"group_name"`
	GroupPath    string  `json:"group_path"`
	GroupID      int64   `json:"group_id"`
	UserUsername string  `json:"user_username"`
	UserName     string  `json:"user_name"`
	UserEmail    string  `json:"user_email"`
	UserID       int64   `json:"user_id"`
	GroupAccess  string  `json:"group_access"`
	ExpiresAt    *string `json:"expires_at"`
}

// SystemGroupMember builds the body of a system event about a member of a group. A denied access request is called
// revoked here.
func (i Instance) SystemGroupMember(in GroupMemberInput) SystemGroupMember {
	m := i.GroupMember(in)
	if m.EventName == EventUserAccessRequestDeniedForGroup {
		m.EventName = EventUserAccessRequestRevokedForGroup
	}
	return SystemGroupMember{
		EventName: m.EventName, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, GroupName: m.GroupName, GroupPath: m.GroupPath,
		GroupID: m.GroupID, UserUsername: m.UserUsername, UserName: m.UserName, UserEmail: m.UserEmail, UserID: m.UserID,
		GroupAccess: m.GroupAccess, ExpiresAt: m.ExpiresAt,
	}
}

// ProjectMemberInput is what the system events about a member of a project are made of.
type ProjectMemberInput struct {
	Event     string // one of the events of members, such as EventUserAddToTeam
	Project   model.Project
	User      model.User
	Access    model.Access
	CreatedAt time.Time // of the membership or the access request
	UpdatedAt time.Time
}

// SystemProjectMember is the body of a system event about a member of a project.
type SystemProjectMember struct {
	EventName                string `json:"event_name"`
	CreatedAt                string `json:"created_at"`
	UpdatedAt                string `json:"updated_at"`
	ProjectName              string `json:"project_name"`
	ProjectPath              string `json:"project_path"`
	ProjectPathWithNamespace string `json:"project_path_with_namespace"`
	ProjectID                int64  `json:"project_id"`
	UserUsername             string `json:"user_username"`
	UserName                 string `json:"user_name"`
	UserEmail                string `json:"user_email"`
	UserID                   int64  `json:"user_id"`
	AccessLevel              string `json:"access_level"` // the name of the role
	ProjectVisibility        string `json:"project_visibility"`
}

// SystemProjectMember builds the body of a system event about a member of a project.
func (Instance) SystemProjectMember(in ProjectMemberInput) SystemProjectMember {
	p, u := in.Project, in.User
	return SystemProjectMember{
		EventName: in.Event, CreatedAt: iso(in.CreatedAt), UpdatedAt: iso(in.UpdatedAt), ProjectName: p.Name, ProjectPath: p.Path,
		ProjectPathWithNamespace: p.FullPath, ProjectID: p.ID, UserUsername: u.Username, UserName: u.Name, UserEmail: publicEmail(u),
		UserID: u.ID, AccessLevel: in.Access.String(), ProjectVisibility: p.Visibility.String(),
	}
}
