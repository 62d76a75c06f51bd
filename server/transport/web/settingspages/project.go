package settingspages

import (
	"strings"
	"unicode/utf8"

	"svc/openapi/wire"
	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/platform/naming"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// generalView is the content of the general settings of a project or group.
type generalView struct {
	Noun      string
	Archived  bool
	Change    bool // the caller may change the settings
	Avatar    *string
	Form      page.Form
	Picture   page.Form
	Remove    string // where the picture is removed
	Features  page.Form
	HasSwitch bool // there are features
}

const maxDescription = 2000 // characters of the description of a project

// levels are who can use a feature.
var levels = []page.Option{
	{Value: string(model.FeatureEnabled), Label: "Everybody who sees the project"},
	{Value: string(model.FeaturePrivate), Label: "Members"},
	{Value: string(model.FeatureDisabled), Label: "Nobody"},
}

// features are the parts of a project that can be turned off, and further switches.
var features = []setting{
	{column: "repository_access_level", label: "Repository", options: levels},
	{column: "issues_access_level", label: "Issues", options: levels},
	{column: "merge_requests_access_level", label: "Merge requests", options: levels},
	{column: "forking_access_level", label: "Forks", options: levels},
	{column: "builds_access_level", label: "CI", options: levels},
	{column: "wiki_access_level", label: "Wiki", options: levels},
	{column: "snippets_access_level", label: "Snippets", options: levels},
	{column: "releases_access_level", label: "Releases", options: levels},
	{column: "environments_access_level", label: "Environments", options: levels},
	{column: "monitor_access_level", label: "Monitoring", options: levels},
	{column: "request_access_enabled", label: "People may request access"},
	{column: "lfs_enabled", label: "Large files (LFS)"},
	{column: "emails_disabled", label: "Send no mail about this project"},
}

// featuresNow returns the present values of the features.
func featuresNow(p model.Project) map[string]string {
	return map[string]string{
		"repository_access_level":     string(p.RepositoryAccessLevel),
		"issues_access_level":         string(p.IssuesAccessLevel),
		"merge_requests_access_level": string(p.MergeRequestsAccessLevel),
		"forking_access_level":        string(p.ForkingAccessLevel),
		"builds_access_level":         string(p.BuildsAccessLevel),
		"wiki_access_level":           string(p.WikiAccessLevel),
		"snippets_access_level":       string(p.SnippetsAccessLevel),
		"releases_access_level":       string(p.ReleasesAccessLevel),
		"environments_access_level":   string(p.EnvironmentsAccessLevel),
		"monitor_access_level":        string(p.MonitorAccessLevel),
		"request_access_enabled":      checked(p.RequestAccessEnabled),
		"lfs_enabled":                 checked(p.LfsEnabled),
		"emails_disabled":             checked(p.EmailsDisabled),
	}
}

// project shows the general settings of a project.
// GET /{project}/-/edit
func (p *Pages) project(v *page.Visit) error { return p.showProject(v, nil) }

func (p *Pages) showProject(v *page.Visit, refused error) error {
	row := v.Project.Project
	view := generalView{
		Noun: "project", Archived: row.Archived, Change: v.May(access.AdminProject), HasSwitch: true,
		Avatar: naming.AvatarURL("", "project", row.ID, row.Avatar), Picture: pictureForm(v), Remove: at(v, general+"/avatar"),
		Form: page.Form{Action: at(v, general), Submit: "Save", Fields: []page.Field{
			{Name: "name", Label: "Name", Type: "text", Value: row.Name, Required: true},
			{Name: "description", Label: "Description", Type: "textarea", Value: wire.Value(row.Description), Rows: 3},
			{
				Name: "topics", Label: "Topics", Type: "text", Value: strings.Join(row.TopicList(), ", "),
				Hint: "Words by which people find the project, separated by commas",
			},
		}},
		Features: page.Form{Action: at(v, general+"/features"), Submit: "Save", Fields: fields(features, featuresNow(row))},
	}
	if v.May(access.RemoveProject) { // only owners may change the visibility
		view.Form.Fields = append(view.Form.Fields, page.VisibilityField(row.Visibility))
	}
	return p.show(v, general, "general", "Settings", &view, refused, &view.Form, &view.Features, &view.Picture)
}

// changeProject changes the name, description, topics and visibility.
// POST /{project}/-/edit
func (p *Pages) changeProject(v *page.Visit) error {
	name, description := v.Value("name"), v.Text("description")
	if utf8.RuneCountInString(description) > maxDescription {
		return p.showProject(v, page.Broken(map[string][]string{"description": {"is too long (maximum is 2000 characters)"}}))
	}
	change := project.Change{Name: &name, Settings: map[string]any{
		"description": &description, "topics": store.JoinTopics(strings.Split(v.Value("topics"), ",")),
	}}
	if v.Value("visibility") != "" {
		visibility, err := v.Visibility()
		if err != nil {
			return p.showProject(v, err)
		}
		change.Visibility = &visibility
	}
	if err := p.Projects.Apply(v.Request().Context(), *v.Project, change); err != nil {
		return p.showProject(v, err)
	}
	return v.Done(at(v, general), "The project was saved.")
}

// changeFeatures changes who can use the parts of the project.
// POST /{project}/-/edit/features
func (p *Pages) changeFeatures(v *page.Visit) error {
	set, err := columns(v, features)
	if err == nil {
		err = p.Projects.Apply(v.Request().Context(), *v.Project, project.Change{Settings: set})
	}
	if err != nil {
		return p.showProject(v, err)
	}
	return v.Done(at(v, general), "The features were saved.")
}
