package issuablepages

import (
	"embed"
	"io/fs"
	"strconv"

	"svc/server/domain/discussion/note"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

//go:embed templates
var templates embed.FS

// common are the templates that the pages of both packages use.
var common = []string{"parts_list", "parts_item", "parts_timeline"}

// Parts are what the pages of issues and merge requests share.
type Parts struct {
	Store     *store.Store
	Notes     *note.Service
	Issuables *issuable.Service
}

// Kind is one of the two kinds of items.
type Kind struct {
	Type   string // model.OnIssue or model.OnMergeRequest
	Path   string // in addresses
	Mark   string // in references
	Noun   string
	Tab    page.Tab
	Follow access.Ability // to subscribe and to add a to-do
	Track  access.Ability // to record times
}

// The kinds of items.
var (
	Issue = Kind{
		Type: model.OnIssue, Path: "issues", Mark: "#", Noun: "issue", Tab: page.TabIssues,
		Follow: access.FollowIssue, Track: access.AdminIssue,
	}
	MergeRequest = Kind{
		Type: model.OnMergeRequest, Path: "merge_requests", Mark: "!", Noun: "merge request", Tab: page.TabMerge,
		Follow: access.FollowMergeRequest, Track: access.AdminMergeRequest,
	}
)

// Address returns the path of the page of an item.
func (k Kind) Address(project string, iid int64) string {
	return k.List(project) + "/" + strconv.FormatInt(iid, 10)
}

// List returns the path of the list of a project.
func (k Kind) List(project string) string { return "/" + project + "/-/" + k.Path }

// Reference returns the short name of an item in its project, such as #12.
func (k Kind) Reference(iid int64) string { return k.Mark + strconv.FormatInt(iid, 10) }

// Templates returns the templates of a package together with the shared ones, and more that its own pages share.
func Templates(own fs.FS, more ...string) *page.Templates {
	return page.NewTemplates(joined{own}, append(more, common...)...)
}

// ownTemplates are the templates of the pages that this package has itself.
var ownTemplates = page.NewTemplates(templates, common...)

// joined is the templates of a package, and those of this package where it has none.
type joined struct{ own fs.FS }

// Open opens a template.
func (j joined) Open(name string) (fs.File, error) {
	file, err := j.own.Open(name)
	if err != nil {
		return templates.Open(name)
	}
	return file, nil
}
