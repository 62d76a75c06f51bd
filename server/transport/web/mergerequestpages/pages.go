package mergerequestpages

import (
	"embed"

	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/transport/web/issuablepages"
	"svc/server/transport/web/page"
)

//go:embed templates
var templates embed.FS

var kind = issuablepages.MergeRequest

// maxForm is the size of the form of a merge request: a description of a million characters, escaped.
const maxForm = 12 << 20

// Dependencies are what the pages need.
type Dependencies struct {
	Parts   *issuablepages.Parts
	Access  *access.Access
	Service *mergerequest.Service
	Merger  *mergerequest.Merger
	Viewer  *mergerequest.Viewer
}

// Pages are the pages of merge requests.
type Pages struct {
	*issuablepages.Parts

	access    *access.Access
	service   *mergerequest.Service
	merger    *mergerequest.Merger
	viewer    *mergerequest.Viewer
	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{
		Parts: d.Parts, access: d.Access, service: d.Service, merger: d.Merger, viewer: d.Viewer,
		templates: issuablepages.Templates(templates, "heading"),
	}
}

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Project("GET", "merge_requests", access.ReadMergeRequest, p.projectList)
	r.Group("GET", "merge_requests", access.ReadGroupMergeRequest, p.groupList)
	r.Project("GET", "merge_requests/new", access.CreateMergeRequest, p.newRequest)
	r.Project("POST", "merge_requests", access.CreateMergeRequest, p.create).MaxForm(maxForm)
	const one = "merge_requests/:iid"
	r.Project("GET", one, access.ReadMergeRequest, p.overview)
	r.Project("GET", one+"/description", access.ReadMergeRequest, p.description)
	r.Project("GET", one+"/commits", access.ReadMergeRequest, p.commits)
	r.Project("GET", one+"/pipelines", access.ReadMergeRequest, p.pipelines)
	r.Project("GET", one+"/diffs", access.ReadMergeRequest, p.changes)
	r.Project("POST", one+"/diffs", access.CreateNote, p.commentOnLine).MaxForm(maxForm)
	r.Project("GET", one+"/edit", access.UpdateMergeRequest, p.edit)
	r.Project("POST", one, access.UpdateMergeRequest, p.update).MaxForm(maxForm)
	r.Project("POST", one+"/delete", access.DestroyMergeRequest, p.remove)
	r.Project("POST", one+"/approve", access.ApproveMergeRequest, p.approve)
	r.Project("POST", one+"/unapprove", access.ApproveMergeRequest, p.unapprove)
	r.Project("POST", one+"/merge", access.MergeMergeRequest, p.merge)
	r.Project("POST", one+"/cancel_merge", access.MergeMergeRequest, p.cancelMerge)
	r.Project("POST", one+"/rebase", access.UpdateMergeRequest, p.rebase)
	r.Project("POST", one+"/pipelines", access.RunMergeRequestPipeline, p.runPipeline)
	p.Parts.Register(r, kind)
}
