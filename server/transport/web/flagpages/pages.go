package flagpages

import (
	"embed"
	"net/url"

	"svc/server/domain/featureflag"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

//go:embed templates
var templates embed.FS

// Dependencies are what the pages need.
type Dependencies struct {
	Store *store.Store
	Flags *featureflag.Service
	URL   string // of the service, without a trailing slash
}

// Pages are the pages of feature flags.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates)}
}

// The patterns of the pages.
const (
	flagsPattern  = "feature_flags"
	listsPattern  = "feature_flags_user_lists"
	clientPattern = "feature_flags_client"
)

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Project("GET", flagsPattern, access.ReadFeatureFlag, p.flags)
	r.Project("POST", flagsPattern, access.AdminFeatureFlag, p.createFlag)
	r.Project("GET", flagsPattern+"/new", access.AdminFeatureFlag, p.newFlag)
	r.Project("GET", flagsPattern+"/:name/edit", access.AdminFeatureFlag, p.editFlag)
	r.Project("POST", flagsPattern+"/:name", access.AdminFeatureFlag, p.updateFlag)
	r.Project("POST", flagsPattern+"/:name/state", access.AdminFeatureFlag, p.switchFlag)
	r.Project("POST", flagsPattern+"/:name/delete", access.AdminFeatureFlag, p.deleteFlag)
	r.Project("POST", flagsPattern+"/:name/strategies", access.AdminFeatureFlag, p.addStrategy)
	r.Project("POST", flagsPattern+"/:name/strategies/:id/delete", access.AdminFeatureFlag, p.removeStrategy)
	r.Project("POST", clientPattern+"/reset_token", access.AdminFlagsClient, p.resetClient)
	r.Project("GET", listsPattern, access.ReadFeatureFlag, p.lists)
	r.Project("POST", listsPattern, access.AdminFeatureFlag, p.createList)
	r.Project("GET", listsPattern+"/new", access.AdminFeatureFlag, p.newList)
	r.Project("GET", listsPattern+"/:iid", access.ReadFeatureFlag, p.list)
	r.Project("GET", listsPattern+"/:iid/edit", access.AdminFeatureFlag, p.editList)
	r.Project("POST", listsPattern+"/:iid", access.AdminFeatureFlag, p.updateList)
	r.Project("POST", listsPattern+"/:iid/delete", access.AdminFeatureFlag, p.deleteList)
}

// address returns the address of a list.
func address(v *page.Visit, pattern string) string {
	return "/" + v.Project.Project.FullPath + "/-/" + pattern
}

// flagAddress returns the address of a flag.
func flagAddress(v *page.Visit, name string) string {
	return address(v, flagsPattern) + "/" + url.PathEscape(name)
}

// parts are the links to the two lists.
func parts(v *page.Visit, here string) []page.Link {
	return []page.Link{
		{Path: address(v, flagsPattern), Label: "Feature flags", Here: here == flagsPattern},
		{Path: address(v, listsPattern), Label: "User lists", Here: here == listsPattern},
	}
}

func flagCrumbs(v *page.Visit) []page.Link {
	return []page.Link{{Path: address(v, flagsPattern), Label: "Feature flags"}}
}

func listCrumbs(v *page.Visit) []page.Link {
	return append(flagCrumbs(v), page.Link{Path: address(v, listsPattern), Label: "User lists"})
}

// findFlag finds the flag of a page.
func (p *Pages) findFlag(v *page.Visit) (model.FeatureFlagRow, error) {
	row, err := p.Store.FeatureFlags.Get(v.Request().Context(), v.Project.Project.ID, v.Param("name"))
	return row, page.Hide(apierr.OrNotFound(err))
}

// findList finds the user list of a page.
func (p *Pages) findList(v *page.Visit) (model.FeatureFlagUserList, error) {
	iid, err := v.Number("iid")
	if err != nil {
		return model.FeatureFlagUserList{}, page.NotFound()
	}
	row, err := p.Store.FeatureFlagUserLists.Get(v.Request().Context(), v.Project.Project.ID, iid)
	return row, page.Hide(apierr.OrNotFound(err))
}

// formView is the content of a page with one form, and the button that deletes what it is about.
type formView struct {
	Form   page.Form
	Delete *page.Button
}

// showForm shows a page with a form, after a refusal with its reason.
func (p *Pages) showForm(v *page.Visit, refused error, form formView, title string, crumbs []page.Link) error {
	status, err := v.Fill(refused, &form.Form)
	if err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "edit", Status: status, Title: title, Tab: page.TabFlags, Crumbs: crumbs, Data: form,
	})
}
