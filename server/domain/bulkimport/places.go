package bulkimport

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"svc/server/domain/group"
	"svc/server/domain/project"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// groupPlace is where a group is created, and how visible it may be there.
type groupPlace struct {
	group.Place
	most model.Visibility
}

// placeOfGroup returns the place for a group. It refuses callers who may not create it there.
func (s *Service) placeOfGroup(ctx context.Context, parent string) (at groupPlace, err error) {
	at.most = model.Public
	if parent == "" {
		at.Place, err = s.Groups.MayCreateIn(ctx, nil)
		return at, err
	}
	above, _, err := s.Access.GroupAt(ctx, parent, access.ReadGroup)
	if err != nil {
		return at, err
	}
	at.most = above.Visibility
	at.Place, err = s.Groups.MayCreateIn(ctx, &above.ID)
	return at, err
}

// projectPlace is where a project is created, and how visible it may be there.
type projectPlace struct {
	project.Place
	most model.Visibility
}

// placeOfProject returns the place for a project. It refuses callers who may not create it there.
func (s *Service) placeOfProject(ctx context.Context, namespace string) (at projectPlace, err error) {
	at.most = model.Public
	u, err := s.Store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return at, err
	}
	if namespace != "" {
		above, err := s.Access.Namespace(ctx, namespace, access.CreateProject)
		if err != nil {
			return at, err
		}
		if above.Kind == model.NamespaceGroup {
			at.most = above.Visibility
		}
	}
	at.Place, err = s.Projects.MayCreateIn(ctx, u, namespace)
	return at, err
}

// visibility returns a level of the other instance, or the highest that is possible here.
func visibility(name string, most model.Visibility) model.Visibility {
	for _, level := range []model.Visibility{model.Internal, model.Public} {
		if level.String() == name {
			return min(level, most)
		}
	}
	return model.Private
}

// at returns the path of the API of the group or project on the other instance.
func (c *copier) at(rest string) string {
	kind := "/projects/"
	if c.entity.EntityType == model.BulkImportGroup {
		kind = "/groups/"
	}
	return kind + url.PathEscape(c.entity.SourceFullPath) + rest
}

// sourceGroup is a group of the other instance.
type sourceGroup struct {
	Name                  string
	Path                  string
	FullPath              string `json:"full_path"`
	Description           *string
	Visibility            string
	ProjectCreationLevel  string `json:"project_creation_level"`
	SubgroupCreationLevel string `json:"subgroup_creation_level"`
	RequestAccessEnabled  *bool  `json:"request_access_enabled"`
	ShareWithGroupLock    *bool  `json:"share_with_group_lock"`
	LfsEnabled            *bool  `json:"lfs_enabled"`
	MentionsDisabled      *bool  `json:"mentions_disabled"`
}

// apply gives a new group the attributes of the group of the other instance.
func (g sourceGroup) apply(row *model.Namespace, most model.Visibility) {
	row.Name, row.Visibility = g.Name, visibility(g.Visibility, most)
	if g.Description != nil {
		row.Description = *g.Description
	}
	if slices.Contains([]string{"noone", "maintainer", "developer"}, g.ProjectCreationLevel) {
		row.ProjectCreationLevel = g.ProjectCreationLevel
	}
	if slices.Contains([]string{"owner", "maintainer"}, g.SubgroupCreationLevel) {
		row.SubgroupCreationLevel = g.SubgroupCreationLevel
	}
	for _, f := range []struct{ to, from *bool }{
		{&row.RequestAccessEnabled, g.RequestAccessEnabled},
		{&row.ShareWithGroupLock, g.ShareWithGroupLock},
		{&row.LfsEnabled, g.LfsEnabled},
	} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	row.MentionsDisabled = g.MentionsDisabled
}

// group creates the group.
func (c *copier) group(ctx context.Context) (batch, error) {
	var g sourceGroup
	if _, err := c.source.get(ctx, c.at(""), url.Values{"with_projects": {"false"}}, &g); err != nil {
		return batch{}, err
	}
	in, err := c.placeOfGroup(ctx, c.entity.DestinationNamespace)
	if err != nil {
		return batch{}, err
	}
	return batch{write: func(ctx context.Context) (int64, []model.BulkImportFailure, error) {
		row := c.Groups.DefaultRow(in.Place)
		g.apply(&row, in.most)
		row.Path = c.entity.DestinationSlug
		made, err := c.Groups.Create(ctx, in.Place, group.New{Row: row})
		if err != nil {
			return 0, nil, err
		}
		return 1, nil, c.Store.BulkImports.SetPlace(ctx, c.entity.ID, &made.ID, nil)
	}}, nil
}

// sourceProject is a project of the other instance.
type sourceProject struct {
	Name        string
	Path        string
	FullPath    string `json:"path_with_namespace"`
	Description *string
	Visibility  string
	EmptyRepo   bool   `json:"empty_repo"`
	Repository  string `json:"repository_access_level"`
}

// project creates the project, and queues the copy of its repository.
func (c *copier) project(ctx context.Context) (batch, error) {
	var p sourceProject
	if _, err := c.source.get(ctx, c.at(""), nil, &p); err != nil {
		return batch{}, err
	}
	in, err := c.placeOfProject(ctx, c.entity.DestinationNamespace)
	if err != nil {
		return batch{}, err
	}
	return batch{write: func(ctx context.Context) (int64, []model.BulkImportFailure, error) {
		level := visibility(p.Visibility, in.most)
		n := project.New{OwnerID: c.user.ID, Change: project.Change{
			Name: &p.Name, Path: &c.entity.DestinationSlug, Visibility: &level, Settings: map[string]any{"description": p.Description},
		}}
		var made model.Project
		var err error
		if p.EmptyRepo || p.Repository == "disabled" {
			made, err = c.Projects.Create(ctx, in.Place, n)
		} else {
			made, err = c.Remotes.Create(ctx, c.Projects, in.Place, n, c.source.repository(p.FullPath))
		}
		if err != nil {
			return 0, nil, err
		}
		return 1, nil, c.Store.BulkImports.SetPlace(ctx, c.entity.ID, nil, &made.ID)
	}}, nil
}

// repository waits until the copy of the repository has ended.
func (c *copier) repository(ctx context.Context) (batch, error) {
	row, err := c.newProject(ctx)
	if err != nil {
		return batch{}, err
	}
	p := row.Project
	if p.ImportStatus == model.ImportScheduled || p.ImportStatus == model.ImportStarted {
		return batch{}, errWaits
	}
	return batch{write: func(context.Context) (int64, []model.BulkImportFailure, error) {
		if p.ImportStatus != model.ImportFailed || p.ImportError == nil {
			return 1, nil, nil
		}
		return 0, []model.BulkImportFailure{failure(stageRepository, "SourceError", *p.ImportError, "", "")}, nil
	}}, nil
}

// newProject returns the new project as the user who imports sees it.
func (c *copier) newProject(ctx context.Context) (model.ProjectRow, error) {
	as := &store.Reader{UserID: c.user.ID, Admin: c.user.Admin, External: c.user.External}
	return c.Store.Projects.Get(ctx, *c.entity.ProjectID, "", as)
}

// subgroups adds the subgroups to the import.
func (c *copier) subgroups(ctx context.Context) (batch, error) {
	var rows []sourceGroup
	m, err := c.source.page(ctx, c.at("/subgroups"), url.Values{"order_by": {"id"}, "sort": {"asc"}}, c.entity.Page, &rows)
	if err != nil {
		return batch{}, err
	}
	children := make([]Entity, len(rows))
	for i, g := range rows {
		children[i] = Entity{
			Type: model.BulkImportGroup, SourcePath: g.FullPath, Slug: g.Path,
			MigrateProjects: c.entity.MigrateProjects, MigrateMemberships: c.entity.MigrateMemberships,
		}
	}
	return c.children(m, children), nil
}

// projects adds the projects of the group to the import.
func (c *copier) projects(ctx context.Context) (batch, error) {
	if !c.entity.MigrateProjects {
		return nothing(), nil
	}
	var rows []sourceProject
	query := url.Values{"order_by": {"id"}, "sort": {"asc"}, "include_subgroups": {"false"}, "with_shared": {"false"}}
	m, err := c.source.page(ctx, c.at("/projects"), query, c.entity.Page, &rows)
	if err != nil {
		return batch{}, err
	}
	children := make([]Entity, len(rows))
	for i, p := range rows {
		children[i] = Entity{
			Type: model.BulkImportProject, SourcePath: p.FullPath, Slug: p.Path, MigrateMemberships: c.entity.MigrateMemberships,
		}
	}
	return c.children(m, children), nil
}

// nothing is a stage that is left out.
func nothing() batch {
	return batch{write: func(context.Context) (int64, []model.BulkImportFailure, error) { return 0, nil, nil }}
}

// children adds groups and projects to the import, which belong to the new group.
func (c *copier) children(m more, all []Entity) batch {
	return batch{more: m, fetched: int64(len(all)), write: func(ctx context.Context) (int64, []model.BulkImportFailure, error) {
		in, _, err := c.Store.Namespaces.GetGroup(ctx, *c.entity.NamespaceID, "", nil)
		if err != nil {
			return 0, nil, err
		}
		var rows []*model.BulkImportEntity
		for _, e := range all {
			e.Namespace = in.FullPath
			row := newRow(e)
			row.BulkImportID, row.ParentID = c.entity.BulkImportID, &c.entity.ID
			rows = append(rows, row)
		}
		return int64(len(rows)), nil, c.add(ctx, rows)
	}}
}

// sourcePage returns the address of a page of the other instance, for people.
func (c *copier) sourcePage(rest ...string) string {
	return c.source.base.String() + "/" + c.entity.SourceFullPath + strings.Join(rest, "")
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
