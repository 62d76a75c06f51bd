package planningpages

import (
	"embed"

	"svc/server/domain/epic"
	"svc/server/domain/iteration"
	"svc/server/domain/label"
	"svc/server/domain/milestone"
	"svc/server/platform/access"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
	"svc/store"
)

//go:embed templates
var templates embed.FS

// maxForm is the size of the form of a milestone: a description of a million characters, escaped.
const maxForm = 12 << 20

// Pages are the pages of milestones, iterations, epics, labels and boards.
type Pages struct {
	store      *store.Store
	milestones *milestone.Service
	labels     *label.Service
	iterations *iteration.Service
	epics      *epic.Service // nil if the tier has no epics
	templates  *page.Templates
}

// New returns the pages. Without a service for epics, there are no pages of epics.
func New(st *store.Store, milestones *milestone.Service, labels *label.Service, epics *epic.Service) *Pages {
	return &Pages{
		store: st, milestones: milestones, labels: labels, iterations: iteration.New(st), epics: epics,
		templates: issuablepages.Templates(templates),
	}
}

// place is the project or group of a page.
type place struct {
	milestone.Owner
	root  string // its address, with the separator at the end
	path  string // of a project; empty for a group
	scope store.IssuableScope
	// What the caller may do here.
	mayMilestones, mayLabels, seesIssues, seesRequests bool
}

// here returns the project or group of a page.
func here(v *page.Visit) place {
	reader := access.Reader(v.Request().Context())
	if v.Project != nil {
		project := &v.Project.Project
		return place{
			Owner: milestone.Owner{ResourceOwner: store.OwnedByProject(*project), Project: project},
			root:  "/" + project.FullPath + "/-/", path: project.FullPath, scope: store.InProject(*v.Project, reader),
			mayMilestones: v.Actor != nil && v.May(access.AdminMilestone), mayLabels: v.Actor != nil && v.May(access.AdminLabel),
			seesIssues: v.May(access.ReadIssue), seesRequests: v.May(access.ReadMergeRequest),
		}
	}
	return place{
		Owner: milestone.Owner{ResourceOwner: store.OwnedByGroup(v.Group.Namespace)}, root: "/groups/" + v.Group.FullPath + "/-/",
		scope:         store.IssuableScope{GroupID: &v.Group.ID, Reader: reader, NonArchived: true},
		mayMilestones: v.Actor != nil && v.May(access.AdminGroupMilestone), mayLabels: v.Actor != nil && v.May(access.AdminGroupLabel),
		seesIssues: v.May(access.ReadGroupIssue), seesRequests: v.May(access.ReadGroupMergeRequest),
	}
}

// routes adds a page of projects and groups, each with its ability.
func routes(r *page.Router, method, pattern string, project, group access.Ability, h page.Handler) {
	r.Project(method, pattern, project, h).MaxForm(maxForm)
	r.Group(method, pattern, group, h).MaxForm(maxForm)
}

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	read, write, groupRead, groupWrite := access.ReadMilestone, access.AdminMilestone, access.ReadGroupMilestone, access.AdminGroupMilestone
	routes(r, "GET", "milestones", read, groupRead, p.listMilestones)
	routes(r, "GET", "milestones/new", write, groupWrite, p.newMilestone)
	routes(r, "POST", "milestones", write, groupWrite, p.createMilestone)
	routes(r, "GET", "milestones/:iid", read, groupRead, p.milestone)
	routes(r, "GET", "milestones/:iid/edit", write, groupWrite, p.editMilestone)
	routes(r, "POST", "milestones/:iid", write, groupWrite, p.updateMilestone)
	routes(r, "POST", "milestones/:iid/state", write, groupWrite, p.setMilestoneState)
	routes(r, "POST", "milestones/:iid/delete", write, groupWrite, p.deleteMilestone)
	routes(r, "GET", "labels", access.ReadLabel, access.ReadGroupLabel, p.listLabels)
	routes(r, "GET", "labels/new", access.AdminLabel, access.AdminGroupLabel, p.newLabel)
	routes(r, "POST", "labels", access.AdminLabel, access.AdminGroupLabel, p.createLabel)
	routes(r, "GET", "labels/:id/edit", access.AdminLabel, access.AdminGroupLabel, p.editLabel)
	routes(r, "POST", "labels/:id", access.AdminLabel, access.AdminGroupLabel, p.updateLabel)
	routes(r, "POST", "labels/:id/delete", access.AdminLabel, access.AdminGroupLabel, p.deleteLabel)
	p.registerIterations(r)
	if p.epics != nil {
		p.registerEpics(r)
	}
	r.Project("GET", "boards", access.ReadBoard, p.listBoards)
	r.Project("GET", "boards/:id", access.ReadBoard, p.board)
}
