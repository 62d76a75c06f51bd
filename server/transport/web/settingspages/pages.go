package settingspages

import (
	"context"
	"embed"

	"svc/server/domain/deploykey"
	"svc/server/domain/deploytoken"
	"svc/server/domain/group"
	groupexport "svc/server/domain/group/export"
	"svc/server/domain/project"
	"svc/server/domain/project/export"
	"svc/server/domain/repository/protection"
	"svc/server/domain/repository/remote"
	"svc/server/domain/token"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

//go:embed templates
var templates embed.FS

// Dependencies are what the pages need.
type Dependencies struct {
	Store        *store.Store
	Access       *access.Access
	Projects     *project.Service
	Groups       *group.Service
	Protections  *protection.Service
	DeployKeys   *deploykey.Service
	DeployTokens *deploytoken.Service
	Tokens       *token.Service
	Remotes      *remote.Service
	Exports      *export.Service
	GroupExports *groupexport.Service
	// LimitExport refuses exports of the project or group with an ID that one caller requests too often.
	LimitExport func(ctx context.Context, id int64) error
}

// Pages are the settings of projects and groups.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates)}
}

// The patterns of the pages, below a project or group.
const (
	general      = "edit"
	merging      = "settings/merge_requests"
	repository   = "settings/repository"
	mirrors      = "settings/mirrors"
	pullMirror   = "settings/mirrors/pull"
	accessTokens = "settings/access_tokens"
	deployTokens = "settings/deploy_tokens"
	advanced     = "settings/advanced"
)

// maxPicture is the size of a form with a picture, in bytes.
const maxPicture = 1 << 20

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	p.registerProject(r)
	p.registerRepository(r)
	p.registerMirrors(r)
	p.registerGroup(r)
	p.registerTokens(r.Project, access.ReadProjectToken, access.AdminProjectToken, access.RevokeProjectToken)
	p.registerTokens(r.Group, access.ReadGroupToken, access.AdminGroupToken, access.AdminGroupToken)
	r.ProjectSettings(general, "General", access.ReadProtection)
	r.ProjectSettings(merging, "Merge requests", access.AdminProject)
	r.ProjectSettings(repository, "Repository", access.ReadProtection)
	r.ProjectSettings(mirrors, "Mirrors", access.ReadMirror)
	r.ProjectSettings(accessTokens, "Access tokens", access.ReadProjectToken)
	r.ProjectSettings(deployTokens, "Deploy tokens", access.ReadProjectToken)
	r.ProjectSettings(advanced, "Advanced", access.ReadProtection)
	r.GroupSettings(general, "General", access.AdminGroup)
	r.GroupSettings(accessTokens, "Access tokens", access.ReadGroupToken)
	r.GroupSettings(deployTokens, "Deploy tokens", access.ReadGroupToken)
	r.GroupSettings(advanced, "Advanced", access.AdminGroup)
}

func (p *Pages) registerProject(r *page.Router) {
	r.Project("GET", general, access.ReadProtection, p.project)
	r.Project("POST", general, access.AdminProject, p.changeProject)
	r.Project("POST", general+"/features", access.AdminProject, p.changeFeatures)
	r.Project("POST", general+"/avatar", access.AdminProject, p.changeProjectPicture).MaxForm(maxPicture)
	r.Project("GET", merging, access.AdminProject, p.mergeSettings)
	r.Project("POST", merging, access.AdminProject, p.changeMergeSettings)
	r.Project("GET", advanced, access.ReadProtection, p.advancedProject)
	r.Project("POST", advanced+"/export", access.ExportProject, p.exportProject)
	r.Project("POST", advanced+"/path", access.AdminProject, p.renameProject)
	r.Project("POST", advanced+"/archive", access.ArchiveProject, p.archive)
	r.Project("POST", advanced+"/unarchive", access.ArchiveProject, p.unarchive)
	r.Project("POST", advanced+"/transfer", access.TransferProject, p.transferProject)
	r.Project("POST", advanced+"/delete", access.RemoveProject, p.deleteProject)
	r.Project("POST", advanced+"/restore", access.RestoreProject, p.restoreProject)
}

func (p *Pages) registerRepository(r *page.Router) {
	r.Project("GET", repository, access.ReadProtection, p.repository)
	r.Project("POST", repository+"/default_branch", access.AdminProject, p.setDefaultBranch)
	r.Project("POST", repository+"/protected_branches", access.AdminProject, p.protectBranch)
	r.Project("GET", repository+"/protected_branches/edit/*", access.AdminProtectedBranch, p.editProtectedBranch)
	r.Project("POST", repository+"/protected_branches/edit/*", access.AdminProtectedBranch, p.changeProtectedBranch)
	r.Project("POST", repository+"/protected_branches/remove", access.AdminProtectedBranch, p.unprotectBranch)
	r.Project("POST", repository+"/protected_tags", access.AdminProject, p.protectTag)
	r.Project("POST", repository+"/protected_tags/remove", access.AdminProject, p.unprotectTag)
	r.Project("POST", repository+"/deploy_keys", access.AdminProjectDeployKey, p.addDeployKey)
	r.Project("POST", repository+"/deploy_keys/:id/remove", access.AdminProjectDeployKey, p.removeDeployKey)
}

func (p *Pages) registerMirrors(r *page.Router) {
	r.Project("GET", mirrors, access.ReadMirror, p.mirrors)
	r.Project("POST", mirrors, access.AdminMirror, p.addMirror)
	r.Project("POST", mirrors+"/:id/sync", access.AdminMirror, p.syncMirror)
	r.Project("POST", mirrors+"/:id/switch", access.AdminMirror, p.switchMirror)
	r.Project("POST", mirrors+"/:id/remove", access.AdminMirror, p.removeMirror)
	r.Project("GET", pullMirror, access.AdminMirror, p.editPull)
	r.Project("POST", pullMirror, access.AdminMirror, p.setPull)
	r.Project("POST", pullMirror+"/start", access.AdminMirror, p.startPull)
}

func (p *Pages) registerGroup(r *page.Router) {
	r.Group("GET", general, access.AdminGroup, p.group)
	r.Group("POST", general, access.AdminGroup, p.changeGroup)
	r.Group("POST", general+"/avatar", access.AdminGroup, p.changeGroupPicture).MaxForm(maxPicture)
	r.Group("GET", advanced, access.AdminGroup, p.advancedGroup)
	r.Group("POST", advanced+"/export", access.ExportGroup, p.exportGroup)
	r.Group("POST", advanced+"/path", access.AdminGroup, p.renameGroup)
	r.Group("POST", advanced+"/transfer", access.AdminGroup, p.transferGroup)
	r.Group("POST", advanced+"/delete", access.RemoveGroup, p.deleteGroup)
	r.Group("POST", advanced+"/restore", access.RestoreGroup, p.restoreGroup)
}

// registerTokens adds the pages of tokens to projects or to groups.
func (p *Pages) registerTokens(
	add func(method, pattern string, ability access.Ability, h page.Handler) *page.Route, read, create, revoke access.Ability,
) {
	add("GET", accessTokens, read, p.accessTokens)
	add("POST", accessTokens, create, p.createAccessToken)
	add("POST", accessTokens+"/:id/revoke", revoke, p.revokeAccessToken)
	add("GET", deployTokens, read, p.deployTokens)
	add("POST", deployTokens, create, p.createDeployToken)
	add("POST", deployTokens+"/:id/revoke", revoke, p.revokeDeployToken)
}

// at returns the address of a page below the project or group of a visit.
func at(v *page.Visit, pattern string) string {
	if v.Project != nil {
		return "/" + v.Project.Project.FullPath + "/-/" + pattern
	}
	return "/groups/" + v.Group.FullPath + "/-/" + pattern
}

// show shows a page of settings with its forms, after the refusal of one of them if there was one.
func (p *Pages) show(v *page.Visit, pattern, name, title string, view any, refused error, forms ...*page.Form) error {
	status, err := v.Fill(refused, forms...)
	if err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: name, Status: status, Title: title, Tab: page.TabSettings, Nav: v.SettingsNav(pattern), Data: view,
	})
}

// tokenSource returns the project or group whose tokens are managed.
func tokenSource(v *page.Visit) access.TokenSource {
	if v.Project != nil {
		p := v.Project.Project
		return access.TokenSource{
			Source: store.Source{Type: model.SourceProject, ID: p.ID}, Noun: "project", Path: p.FullPath, Role: v.Project.Role(),
		}
	}
	g := v.Group.Namespace
	return access.TokenSource{Source: store.Source{Type: model.SourceGroup, ID: g.ID}, Noun: "group", Path: g.FullPath, Role: v.Group.Role}
}
