package payload

import (
	"svc/server/platform/naming"
	"svc/store/git"
	"svc/store/model"
)

// User is a user as bodies show it.
type User struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Username  string  `json:"username"`
	AvatarURL *string `json:"avatar_url"`
	Email     string  `json:"email"` // the public address, or Redacted
}

func (i Instance) user(u model.User) User {
	return User{ID: u.ID, Name: u.Name, Username: u.Username, AvatarURL: i.userAvatar(u), Email: publicEmail(u)}
}

func (i Instance) userOrNull(u *model.User) *User {
	if u == nil {
		return nil
	}
	return new(i.user(*u))
}

func (i Instance) users(list []*model.User) []User {
	return each(list, func(u *model.User) User { return i.user(*u) })
}

func userIDs(list []*model.User) []int64 {
	return each(list, func(u *model.User) int64 { return u.ID })
}

// first returns the first id, or nil.
func first(ids []int64) *int64 {
	if len(ids) == 0 {
		return nil
	}
	return &ids[0]
}

// ProjectBasic is a project as the bodies of pipelines and jobs show it.
type ProjectBasic struct {
	ID                int64   `json:"id"`
	Name              string  `json:"name"`
	Description       *string `json:"description"`
	WebURL            string  `json:"web_url"`
	AvatarURL         *string `json:"avatar_url"`
	GitSSHURL         string  `json:"git_ssh_url"`
	GitHTTPURL        string  `json:"git_http_url"`
	Namespace         string  `json:"namespace"` // the display name
	VisibilityLevel   int64   `json:"visibility_level"`
	PathWithNamespace string  `json:"path_with_namespace"`
	DefaultBranch     *string `json:"default_branch"`
	CIConfigPath      *string `json:"ci_config_path"`
}

// Project is a project as most bodies show it, with the older names of its URLs.
type Project struct {
	ProjectBasic
	Homepage string `json:"homepage"`
	URL      string `json:"url"`
	SSHURL   string `json:"ssh_url"`
	HTTPURL  string `json:"http_url"`
}

func (i Instance) projectBasic(p model.Project) ProjectBasic {
	shown := ProjectBasic{
		ID: p.ID, Name: p.Name, Description: p.Description, WebURL: i.web(p),
		AvatarURL: naming.AvatarURL(i.Base, string(model.AvatarProject), p.ID, p.Avatar),
		GitSSHURL: i.gitSSH(p), GitHTTPURL: i.gitHTTP(p), Namespace: namespaceName(p), VisibilityLevel: int64(p.Visibility),
		PathWithNamespace: p.FullPath, CIConfigPath: p.CiConfigPath,
	}
	if p.DefaultBranch != "" {
		shown.DefaultBranch = &p.DefaultBranch
	}
	return shown
}

func (i Instance) project(p model.Project) Project {
	return Project{
		ProjectBasic: i.projectBasic(p), Homepage: i.web(p), URL: i.gitSSH(p), SSHURL: i.gitSSH(p), HTTPURL: i.gitHTTP(p),
	}
}

func (i Instance) projectOrNull(p *model.Project) *Project {
	if p == nil {
		return nil
	}
	return new(i.project(*p))
}

// Repository is the older form of a project.
type Repository struct {
	Name        string  `json:"name"`
	URL         string  `json:"url"`
	Description *string `json:"description"`
	Homepage    string  `json:"homepage"`
}

// RepositoryDetail is the older form of a project in the bodies of pushes and jobs.
type RepositoryDetail struct {
	Repository
	GitHTTPURL      string `json:"git_http_url"`
	GitSSHURL       string `json:"git_ssh_url"`
	VisibilityLevel int64  `json:"visibility_level"`
}

func (i Instance) repository(p model.Project) Repository {
	return Repository{Name: p.Name, URL: i.gitSSH(p), Description: p.Description, Homepage: i.web(p)}
}

func (i Instance) repositoryDetail(p model.Project) RepositoryDetail {
	return RepositoryDetail{
		Repository: i.repository(p), GitHTTPURL: i.gitHTTP(p), GitSSHURL: i.gitSSH(p), VisibilityLevel: int64(p.Visibility),
	}
}

// Author is the author of a commit, or an owner of a project.
type Author struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// Commit is a commit without its files.
type Commit struct {
	ID        string `json:"id"`
	Message   string `json:"message"`
	Title     string `json:"title"`
	Timestamp string `json:"timestamp"`
	URL       string `json:"url"`
	Author    Author `json:"author"`
}

func (i Instance) commit(p model.Project, c git.Commit) Commit {
	return Commit{
		ID: c.ID, Message: c.Message, Title: c.Title(), Timestamp: c.Committer.When.Format(commitTime),
		URL: i.commitURL(p, c.ID), Author: Author{Name: c.Author.Name, Email: c.Author.Email},
	}
}

func (i Instance) commitOrNull(p model.Project, c *git.Commit) *Commit {
	if c == nil {
		return nil
	}
	return new(i.commit(p, *c))
}

// Label is a label of an issue or merge request.
type Label struct {
	ID          int64   `json:"id"`
	Title       string  `json:"title"`
	Color       string  `json:"color"`
	ProjectID   *int64  `json:"project_id"`
	CreatedAt   string  `json:"created_at"`
	UpdatedAt   string  `json:"updated_at"`
	Template    bool    `json:"template"`
	Description *string `json:"description"`
	Type        string  `json:"type"` // ProjectLabel or GroupLabel
	GroupID     *int64  `json:"group_id"`
}

func label(l model.Label) Label {
	kind := "ProjectLabel"
	if l.GroupID != nil {
		kind = "GroupLabel"
	}
	return Label{
		ID: l.ID, Title: l.Name, Color: l.Color, ProjectID: l.ProjectID, CreatedAt: stamp(l.CreatedAt), UpdatedAt: stamp(l.UpdatedAt),
		Description: l.Description, Type: kind, GroupID: l.GroupID,
	}
}

func labels(list []model.Label) []Label { return each(list, label) }

// Group is a group as the bodies of milestones and tokens show it.
type Group struct {
	GroupName string `json:"group_name"`
	GroupPath string `json:"group_path"`
	GroupID   int64  `json:"group_id"`
	FullPath  string `json:"full_path"`
}

func groupOrNull(g *model.Namespace) *Group {
	if g == nil {
		return nil
	}
	return &Group{GroupName: g.Name, GroupPath: g.Path, GroupID: g.ID, FullPath: g.FullPath}
}
