package payload

import (
	"time"

	"svc/store/model"
)

// GroupMemberInput is what the body about a member of a group is made of.
type GroupMemberInput struct {
	Event     string // one of the events of members, such as EventUserAddToGroup
	Group     model.Namespace
	User      model.User
	Access    model.Access
	ExpiresAt *time.Time
	CreatedAt time.Time // of the membership or the access request
	UpdatedAt time.Time
}

// GroupMember is the body about a member of a group, for group hooks.
type GroupMember struct {
	CreatedAt    string  `json:"created_at"`
	UpdatedAt    string  `json:"updated_at"`
	GroupName    string  `json:"group_name"`
	GroupPath    string  `json:"group_path"`
	GroupID      int64   `json:"group_id"`
	UserUsername string  `json:"user_username"`
	UserName     string  `json:"user_name"`
	UserEmail    string  `json:"user_email"`
	UserID       int64   `json:"user_id"`
	GroupAccess  string  `json:"group_access"` // the name of the role
	GroupPlan    *string `json:"group_plan"`   // of a paid plan; always null
	ExpiresAt    *string `json:"expires_at"`
	EventName    string  `json:"event_name"`
}

// GroupMember builds the body about a member of a group, for group hooks.
func (Instance) GroupMember(in GroupMemberInput) GroupMember {
	return GroupMember{
		CreatedAt: iso(in.CreatedAt), UpdatedAt: iso(in.UpdatedAt), GroupName: in.Group.Name, GroupPath: in.Group.Path,
		GroupID: in.Group.ID, UserUsername: in.User.Username, UserName: in.User.Name, UserEmail: publicEmail(in.User),
		UserID: in.User.ID, GroupAccess: in.Access.String(), ExpiresAt: written(in.ExpiresAt, iso), EventName: in.Event,
	}
}

// SubgroupInput is what the body about a subgroup is made of.
type SubgroupInput struct {
	Event         string // EventSubgroupCreate or EventSubgroupDestroy
	Group, Parent model.Namespace
}

// Subgroup is the body about a subgroup, for the hooks of the groups above it.
type Subgroup struct {
	CreatedAt      string `json:"created_at"`
	UpdatedAt      string `json:"updated_at"`
	EventName      string `json:"event_name"`
	Name           string `json:"name"`
	Path           string `json:"path"`
	FullPath       string `json:"full_path"`
	GroupID        int64  `json:"group_id"`
	ParentGroupID  int64  `json:"parent_group_id"`
	ParentName     string `json:"parent_name"`
	ParentPath     string `json:"parent_path"`
	ParentFullPath string `json:"parent_full_path"`
}

// Subgroup builds the body about a subgroup.
func (Instance) Subgroup(in SubgroupInput) Subgroup {
	g, parent := in.Group, in.Parent
	return Subgroup{
		CreatedAt: iso(g.CreatedAt), UpdatedAt: iso(g.UpdatedAt), EventName: in.Event, Name: g.Name, Path: g.Path, FullPath: g.FullPath,
		GroupID: g.ID, ParentGroupID: parent.ID, ParentName: parent.Name, ParentPath: parent.Path, ParentFullPath: parent.FullPath,
	}
}

// GroupProject is the body about a project that was created or deleted in a group, for group hooks.
type GroupProject struct {
	EventName          string   `json:"event_name"`
	CreatedAt          string   `json:"created_at"`
	UpdatedAt          string   `json:"updated_at"`
	Name               string   `json:"name"`
	Path               string   `json:"path"`
	PathWithNamespace  string   `json:"path_with_namespace"`
	ProjectID          int64    `json:"project_id"`
	ProjectNamespaceID int64    `json:"project_namespace_id"`
	Owners             []Author `json:"owners"`
	ProjectVisibility  string   `json:"project_visibility"`
}

// GroupProject builds the body about a project that was created or deleted in a group. It reads no owner besides
// Owners.
func (Instance) GroupProject(in SystemProjectInput) GroupProject {
	p := in.Project
	return GroupProject{
		EventName: in.Event, CreatedAt: iso(p.CreatedAt), UpdatedAt: iso(p.UpdatedAt), Name: p.Name, Path: p.Path,
		PathWithNamespace: p.FullPath, ProjectID: p.ID, ProjectNamespaceID: p.NamespaceID, Owners: owners(in.Owners),
		ProjectVisibility: p.Visibility.String(),
	}
}

func owners(list []model.User) []Author {
	return each(list, func(u model.User) Author { return Author{Name: u.Name, Email: publicEmail(u)} })
}
