package memberpages

import (
	"embed"

	"svc/server/domain/group"
	"svc/server/domain/member"
	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
)

//go:embed templates
var templates embed.FS

// Dependencies are what the pages need.
type Dependencies struct {
	Store    *store.Store
	Access   *access.Access
	Members  *member.Service
	Projects *project.Service
	Groups   *group.Service
}

// Pages are the pages of members.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates)}
}

// abilities are the abilities that the pages of projects or of groups need.
type abilities struct{ read, manage, share, leave, ask access.Ability }

var (
	inProject = abilities{
		read: access.ReadProjectMember, manage: access.AdminProjectMember, share: access.ShareProject, leave: access.LeaveProject,
		ask: access.RequestProjectAccess,
	}
	inGroup = abilities{
		read: access.ReadGroupMember, manage: access.AdminGroupMember, share: access.AdminGroup, leave: access.LeaveGroup,
		ask: access.RequestGroupAccess,
	}
)

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	p.register(r.Project, "project_members", inProject)
	p.register(r.Group, "group_members", inGroup)
}

// register adds the pages of projects or of groups.
func (p *Pages) register(
	add func(method, pattern string, ability access.Ability, h page.Handler) *page.Route, at string, may abilities,
) {
	add("GET", at, may.read, p.members)
	add("POST", at+"/add", may.manage, p.add)
	add("POST", at+"/:user_id", may.manage, p.change)
	add("POST", at+"/:user_id/remove", may.manage, p.remove)
	add("POST", at+"/leave", may.leave, p.leave)
	add("POST", at+"/invitations/withdraw", may.manage, p.withdraw)
	add("POST", at+"/share", may.share, p.share)
	add("POST", at+"/share/:group_id/remove", may.share, p.unshare)
	add("POST", at+"/request_access", may.ask, p.requestAccess)
	add("POST", at+"/requests/:user_id/approve", may.manage, p.approve)
	add("POST", at+"/requests/:user_id/deny", may.manage, p.deny)
}
