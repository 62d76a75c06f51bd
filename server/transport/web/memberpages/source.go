package memberpages

import (
	"svc/server/domain/member"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// source is the project or group of a page.
type source struct {
	member.Source

	Base       string // the address of the page with its members
	Noun       string
	Abilities  abilities
	Applicants access.Ability
}

// sourceOf returns the project or group of a page.
func sourceOf(v *page.Visit) source {
	if v.Project != nil {
		p := v.Project.Project
		return source{
			Source: member.Source{
				Type: model.SourceProject, ID: p.ID, Role: v.Project.Role(), RequestAccessEnabled: p.RequestAccessEnabled,
				OwnerID: v.Project.Owner.ID, Path: p.FullPath, Project: &p,
			},
			Base: "/" + p.FullPath + "/-/project_members", Noun: "project", Abilities: inProject, Applicants: access.ReadProjectApplicants,
		}
	}
	g := v.Group.Namespace
	return source{
		Source: member.Source{
			Type: model.SourceGroup, ID: g.ID, Role: v.Group.Role, RequestAccessEnabled: g.RequestAccessEnabled, Path: g.FullPath,
		},
		Base: "/groups/" + g.FullPath + "/-/group_members", Noun: "group", Abilities: inGroup, Applicants: access.ReadGroupApplicants,
	}
}
