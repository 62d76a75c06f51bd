package editpages

import (
	"embed"

	"svc/server/domain/repository/branch"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/push"
	"svc/server/domain/repository/tag"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store/git"
)

//go:embed templates
var templates embed.FS

// Dependencies are what the pages need.
type Dependencies struct {
	Access   *access.Access
	Pusher   *push.Pusher
	Writer   *commit.Writer
	Branches *branch.Service
	Tags     *tag.Service
}

// Pages are the pages that change repositories.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates)}
}

const (
	// maxEditForm is the largest form with a file that was edited; forms escape characters.
	maxEditForm = 4 << 20
	// maxUpload is the largest file that can be uploaded, in bytes.
	maxUpload = 10 << 20
)

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Project("GET", "branches/new", access.PushCode, p.newBranch)
	r.Project("POST", "branches/new", access.PushCode, p.createBranch)
	r.Project("POST", "branches/delete", access.PushCode, p.deleteBranch)
	r.Project("GET", "tags/new", access.PushCode, p.newTag)
	r.Project("POST", "tags/new", access.PushCode, p.createTag)
	r.Project("POST", "tags/delete", access.PushCode, p.deleteTag)
	r.Project("GET", "new/*", access.PushCode, p.newFile)
	r.Project("POST", "new/*", access.PushCode, p.createFile).MaxForm(maxEditForm)
	r.Project("GET", "edit/*", access.PushCode, p.editFile)
	r.Project("POST", "edit/*", access.PushCode, p.changeFile).MaxForm(maxEditForm)
	r.Project("GET", "delete/*", access.PushCode, p.deleteFileForm)
	r.Project("POST", "delete/*", access.PushCode, p.deleteFile)
	r.Project("GET", "upload/*", access.PushCode, p.uploadForm)
	r.Project("POST", "upload/*", access.PushCode, p.upload).MaxForm(maxUpload + 1<<20)
}

// repository opens the repository of the project of a page.
func (p *Pages) repository(v *page.Visit) (git.Repo, error) { return p.Pusher.Repo(v.Project.Project) }

// at returns the address of a page below the project.
func at(v *page.Visit, pattern string) string {
	return "/" + v.Project.Project.FullPath + "/-/" + pattern
}

// showForm shows a page that is one form.
func showForm(v *page.Visit, title string, tab page.Tab, view *page.FormPage, refused error) error {
	status, err := v.Fill(refused, &view.Form)
	if err != nil {
		return err
	}
	return v.Show(page.View{Name: "form_page", Status: status, Title: title, Tab: tab, Data: view})
}
