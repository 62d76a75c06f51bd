package present

import (
	"html"
	"net/url"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/naming"
	"svc/store/model"
)

// ProjectSimple presents the simple form of a project.
func (p Presenter) ProjectSimple(r model.ProjectRow) gen.Project {
	row := r.Project
	topics := r.Project.TopicList()
	shown := gen.Project{
		ID:                row.ID,
		Description:       row.Description,
		Name:              row.Name,
		NameWithNamespace: row.FullName,
		Path:              row.Path,
		PathWithNamespace: row.FullPath,
		CreatedAt:         wire.NewTime(row.CreatedAt),
		TagList:           topics,
		Topics:            topics,
		SSHURLToRepo:      naming.SSHURL(p.Base, p.SSH, row.FullPath),
		HTTPURLToRepo:     p.Base + "/" + row.FullPath + ".git",
		WebURL:            p.Base + "/" + row.FullPath,
		ForksCount:        row.ForksCount,
		AvatarURL:         p.AvatarURL(model.AvatarProject, row.ID, row.Avatar),
		StarCount:         row.StarCount,
		LastActivityAt:    wire.NewTime(row.LastActivityAt),
		Namespace:         p.place(r),
	}
	if r.ReadsCode() {
		shown.DefaultBranch = &row.DefaultBranch
		if row.ReadmePath != nil {
			shown.ReadmeURL = ptr(shown.WebURL + "/-/blob/" + (&url.URL{Path: row.DefaultBranch + "/" + *row.ReadmePath}).EscapedPath())
		}
	}
	return shown
}

// Project presents a project in a list.
func (p Presenter) Project(r model.ProjectRow) gen.Project {
	shown := p.ProjectSimple(r)
	row := &r.Project
	p.settings(&shown, row)
	shown.UnderscoreLinks = p.projectLinks(row.ID)
	shown.EmptyRepo = &row.EmptyRepo
	shown.Archived = &row.Archived
	shown.MarkedForDeletionAt, shown.MarkedForDeletionOn = wire.DatePtr(row.MarkedForDeletionAt), wire.DatePtr(row.MarkedForDeletionAt)
	shown.Visibility = ptr(gen.Visibility(row.Visibility.String()))
	shown.CreatorID = wire.Maybe(row.CreatorID)
	shown.ServiceDeskEnabled = ptr(false)
	shown.CanCreateMergeRequestIn = ptr(r.MayPropose())
	shown.ImportURL, shown.ImportType = wire.Null[string](), wire.Maybe(row.ImportType)
	shown.ImportStatus = ptr(gen.ImportStatus(row.ImportStatus))
	shown.OpenIssuesCount = ptr(openIssues(r))
	shown.DescriptionHTML = ptr(paragraph(row.Description))
	shown.UpdatedAt = ptr(wire.NewTime(row.UpdatedAt))
	if r.Role() >= model.Maintainer {
		shown.ImportURL, shown.ImportError = wire.Maybe(row.ImportURL), wire.Maybe(row.ImportError)
	}
	if r.Admin {
		shown.RepositoryStorage = &row.RepositoryStorage
	}
	if r.Owner.ID != nil {
		owner := p.UserBasic(model.User{
			ID: *r.Owner.ID, Username: *r.Owner.Username, Name: *r.Owner.Name, State: *r.Owner.State,
			LockedAt: r.Owner.LockedAt, Avatar: r.Owner.Avatar,
		})
		shown.Owner = &owner
	}
	if o := r.Origin; o.ID != nil {
		shown.ForkedFromProject = &gen.ProjectOrigin{
			ID: *o.ID, Name: *o.Name, NameWithNamespace: *o.FullName, Path: *o.Path, PathWithNamespace: *o.FullPath,
			WebURL: p.Base + "/" + *o.FullPath,
		}
	}
	return shown
}

// ProjectDetail presents a single project, with the groups that it is shared with and the caller's roles.
func (p Presenter) ProjectDetail(r model.ProjectRow, shares []model.GroupShare) gen.Project {
	shown := p.Project(r)
	with := All(shares, groupShare)
	shown.SharedWithGroups = &with
	if r.SignedIn {
		shown.Permissions = &gen.ProjectPermissions{ProjectAccess: projectAccess(r.Direct), GroupAccess: projectAccess(r.Inherited)}
	}
	return shown
}

// ProjectStatistics presents the sizes of a project. So far wikis and snippets do not count.
func ProjectStatistics(row model.Project) *gen.ProjectStatistics {
	return &gen.ProjectStatistics{
		CommitCount:    row.CommitCount,
		StorageSize:    row.RepositorySize + row.LfsObjectsSize + row.JobArtifactsSize + row.PackagesSize + row.UploadsSize,
		RepositorySize: row.RepositorySize, LfsObjectsSize: row.LfsObjectsSize, JobArtifactsSize: row.JobArtifactsSize,
		PackagesSize: row.PackagesSize, UploadsSize: row.UploadsSize,
	}
}

// openIssues counts the open issues that a reader of the project can see. Either all confidential issues count, or
// none.
func openIssues(r model.ProjectRow) int64 {
	switch {
	case !r.ReadsIssues():
		return 0
	case r.SeesConfidential():
		return r.Project.OpenIssuesCount + r.Project.OpenConfidentialIssuesCount
	}
	return r.Project.OpenIssuesCount
}

const notifyGlobal = 3 // the user's global setting

func projectAccess(role model.Access) *gen.ProjectAccess {
	if role == model.NoAccess {
		return nil
	}
	return &gen.ProjectAccess{AccessLevel: int64(role), NotificationLevel: notifyGlobal}
}

func (p Presenter) place(r model.ProjectRow) gen.Namespace {
	n := r.Place
	shown := p.Namespace(nil, nil)(model.Namespace{
		ID: n.ID, Kind: n.Kind, Name: n.Name, Path: n.Path, FullPath: n.FullPath, ParentID: n.ParentID, Avatar: n.Avatar,
	})
	if r.Owner.ID != nil { // a personal namespace shows the avatar of its user
		shown.AvatarURL = p.AvatarURL(model.AvatarUser, *r.Owner.ID, r.Owner.Avatar)
	}
	return shown
}

func (p Presenter) projectLinks(id int64) *gen.ProjectLinks {
	self := p.Base + "/api/v4/projects/" + strconv.FormatInt(id, 10)
	return &gen.ProjectLinks{Self: self, Members: self + "/members"}
}

// paragraph returns a text as HTML.
func paragraph(text *string) string {
	if text == nil || *text == "" {
		return ""
	}
	return `<p dir="auto">` + strings.ReplaceAll(html.EscapeString(*text), "\n", "<br>") + "</p>"
}

func ptr[T any](v T) *T { return &v }
