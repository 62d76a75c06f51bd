package graphql

import (
	"context"
	"math"
	"strings"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/naming"
	"svc/server/transport/graphql/engine"
	"svc/store"
	"svc/store/model"
)

func (h *Handler) projectTypes() map[string]engine.Resolvers {
	return map[string]engine.Resolvers{
		"Query": {
			"project":  engine.One(h.project),
			"projects": engine.One(h.projects),
		},
		"Project": h.projectFields(),
		"Repository": {
			"rootRef": engine.Value(func(r model.ProjectRow) any {
				if r.Project.EmptyRepo {
					return nil
				}
				return r.Project.DefaultBranch
			}),
			"empty":  engine.Value(func(r model.ProjectRow) any { return r.Project.EmptyRepo }),
			"exists": engine.Value(func(r model.ProjectRow) any { return true }),
		},
		"ProjectStatistics": {
			"commitCount":    size(func(p model.Project) int64 { return p.CommitCount }),
			"repositorySize": size(func(p model.Project) int64 { return p.RepositorySize }),
			"storageSize": size(func(p model.Project) int64 {
				return p.RepositorySize + p.LfsObjectsSize + p.JobArtifactsSize + p.PackagesSize + p.UploadsSize
			}),
			"lfsObjectsSize":     size(func(p model.Project) int64 { return p.LfsObjectsSize }),
			"buildArtifactsSize": size(func(p model.Project) int64 { return p.JobArtifactsSize }),
			"packagesSize":       size(func(p model.Project) int64 { return p.PackagesSize }),
			"uploadsSize":        size(func(p model.Project) int64 { return p.UploadsSize }),
			"wikiSize":           engine.Value(func(model.ProjectRow) any { return nil }),
		},
		"RepositoryLanguage": {
			"name":  engine.Value(func(l model.ProjectLanguage) any { return l.Name }),
			"share": engine.Value(func(l model.ProjectLanguage) any { return math.Round(l.Share*100) / 100 }),
			"color": engine.Value(func(model.ProjectLanguage) any { return nil }),
		},
		"ProjectPermissions": projectPermissions(),
	}
}

func size(read func(model.Project) int64) engine.Resolver {
	return engine.Value(func(r model.ProjectRow) any { return float64(read(r.Project)) })
}

// projectPermissions maps each permission to the ability that operations of the API require.
func projectPermissions() engine.Resolvers {
	all := engine.Resolvers{
		"createMergeRequestIn": engine.Value(func(r model.ProjectRow) any { return r.MayPropose() }),
		"forkProject": engine.Seen(func(ctx context.Context, r model.ProjectRow) any {
			return r.MayFork() && access.InProject(ctx, r, access.ForkProject) == nil
		}),
	}
	for name, ability := range map[string]access.Ability{
		"readProject": access.ReadProject, "adminProject": access.AdminProject, "archiveProject": access.ArchiveProject,
		"removeProject": access.RemoveProject, "downloadCode": access.ReadCode, "pushCode": access.PushCode,
		"createIssue": access.CreateIssue, "adminIssue": access.AdminIssue, "createLabel": access.AdminLabel,
		"createMergeRequestFrom": access.PushCode, "readMergeRequest": access.ReadMergeRequest,
		"createSnippet": access.CreateProjectSnippet, "createPipeline": access.CreatePipeline, "readWiki": access.ReadWiki,
		"createWiki": access.CreateWiki, "uploadFile": access.CreateUpload, "readProjectMember": access.ReadProjectMember,
	} {
		all[name] = engine.Seen(func(ctx context.Context, r model.ProjectRow) any { return access.InProject(ctx, r, ability) == nil })
	}
	return all
}

// ofProject reads a value from the row of a project.
func ofProject(read func(model.Project) any) engine.Resolver {
	return engine.Value(func(r model.ProjectRow) any { return read(r.Project) })
}

// enabled reports whether a feature of a project is on.
func enabled(read func(model.Project) model.FeatureAccess) engine.Resolver {
	return engine.Value(func(r model.ProjectRow) any { return read(r.Project) != model.FeatureDisabled })
}

func (h *Handler) projectFields() engine.Resolvers {
	fields := h.projectRelations()
	for name, resolve := range (engine.Resolvers{
		"id":                   ofProject(func(p model.Project) any { return gid("Project", p.ID) }),
		"name":                 ofProject(func(p model.Project) any { return p.Name }),
		"path":                 ofProject(func(p model.Project) any { return p.Path }),
		"nameWithNamespace":    ofProject(func(p model.Project) any { return p.FullName }),
		"fullPath":             ofProject(func(p model.Project) any { return p.FullPath }),
		"description":          ofProject(func(p model.Project) any { return p.Description }),
		"visibility":           ofProject(func(p model.Project) any { return p.Visibility.String() }),
		"archived":             ofProject(func(p model.Project) any { return p.Archived }),
		"webUrl":               ofProject(func(p model.Project) any { return h.Base + "/" + p.FullPath }),
		"avatarUrl":            ofProject(func(p model.Project) any { return h.avatar(model.AvatarProject, p.ID, p.Avatar) }),
		"httpUrlToRepo":        ofProject(func(p model.Project) any { return h.Base + "/" + p.FullPath + ".git" }),
		"sshUrlToRepo":         ofProject(func(p model.Project) any { return naming.SSHURL(h.Base, h.SSH, p.FullPath) }),
		"createdAt":            ofProject(func(p model.Project) any { return p.CreatedAt }),
		"updatedAt":            ofProject(func(p model.Project) any { return p.UpdatedAt }),
		"lastActivityAt":       ofProject(func(p model.Project) any { return p.LastActivityAt }),
		"starCount":            ofProject(func(p model.Project) any { return p.StarCount }),
		"forksCount":           ofProject(func(p model.Project) any { return p.ForksCount }),
		"topics":               ofProject(func(p model.Project) any { return p.TopicList() }),
		"wikiEnabled":          enabled(func(p model.Project) model.FeatureAccess { return p.WikiAccessLevel }),
		"issuesEnabled":        enabled(func(p model.Project) model.FeatureAccess { return p.IssuesAccessLevel }),
		"mergeRequestsEnabled": enabled(func(p model.Project) model.FeatureAccess { return p.MergeRequestsAccessLevel }),
		"jobsEnabled":          enabled(func(p model.Project) model.FeatureAccess { return p.BuildsAccessLevel }),
		"snippetsEnabled":      enabled(func(p model.Project) model.FeatureAccess { return p.SnippetsAccessLevel }),
		"lfsEnabled":           ofProject(func(p model.Project) any { return p.LfsEnabled }),
		"requestAccessEnabled": ofProject(func(p model.Project) any { return p.RequestAccessEnabled }),
		"sharedRunnersEnabled": ofProject(func(p model.Project) any { return p.SharedRunnersEnabled }),
		"publicJobs":           ofProject(func(p model.Project) any { return p.PublicJobs }),
		"onlyAllowMergeIfPipelineSucceeds": ofProject(func(p model.Project) any {
			return p.OnlyAllowMergeIfPipelineSucceeds
		}),
		"onlyAllowMergeIfAllDiscussionsAreResolved": ofProject(func(p model.Project) any {
			return p.OnlyAllowMergeIfAllDiscussionsAreResolved
		}),
		"removeSourceBranchAfterMerge": ofProject(func(p model.Project) any { return p.RemoveSourceBranchAfterMerge }),
		"duoFeaturesEnabled":           ofProject(func(model.Project) any { return false }),
	}) {
		fields[name] = resolve
	}
	return fields
}

// projectRelations are the fields that depend on the caller or on other tables.
func (h *Handler) projectRelations() engine.Resolvers {
	return engine.Resolvers{
		"openIssuesCount": engine.Value(openIssues),
		"namespace":       engine.Value(func(r model.ProjectRow) any { return namespaceOf(r) }),
		"group": engine.Lookup(func(r model.ProjectRow) (int64, bool) {
			return r.Project.NamespaceID, r.Place.Kind == model.NamespaceGroup
		}, h.visibleGroups),
		"repository": engine.Value(func(r model.ProjectRow) any {
			if !r.ReadsCode() {
				return nil
			}
			return r
		}),
		"statistics": engine.Value(func(r model.ProjectRow) any {
			if r.Role() < model.Reporter {
				return nil
			}
			return r
		}),
		"languages":       engine.Batch(h.languages),
		"maxAccessLevel":  engine.Value(func(r model.ProjectRow) any { return r.Role() }),
		"userPermissions": engine.Value(func(r model.ProjectRow) any { return r }),
		"projectMembers":  engine.One(h.projectMembers),
	}
}

func openIssues(r model.ProjectRow) any {
	switch {
	case !r.ReadsIssues():
		return nil
	case r.SeesConfidential():
		return r.Project.OpenIssuesCount + r.Project.OpenConfidentialIssuesCount
	}
	return r.Project.OpenIssuesCount
}

// namespaceOf returns what a project shows of its namespace.
func namespaceOf(r model.ProjectRow) model.Namespace {
	name := strings.TrimSuffix(r.Project.FullName, " / "+r.Project.Name)
	return model.Namespace{
		ID: r.Place.ID, Kind: r.Place.Kind, Name: r.Place.Name, Path: r.Place.Path, FullPath: r.Place.FullPath, FullName: name,
		ParentID: r.Place.ParentID, Avatar: r.Place.Avatar,
	}
}

func (h *Handler) languages(ctx context.Context, _ engine.Call, rows []model.ProjectRow) ([]any, error) {
	ids := make([]int64, len(rows))
	for i, r := range rows {
		ids[i] = r.Project.ID
	}
	found, err := h.Store.Projects.LanguagesByProject(ctx, ids)
	values := make([]any, len(rows))
	for i, id := range ids {
		values[i] = append([]model.ProjectLanguage{}, found[id]...)
	}
	return values, err
}

// visibleProjects returns the projects that the caller can see.
func (h *Handler) visibleProjects(ctx context.Context, ids []int64) (map[int64]model.ProjectRow, error) {
	reader := access.Reader(ctx)
	rows, err := h.Store.Projects.Rows(ctx, ids, reader)
	for id, row := range rows {
		if !access.SeesProject(row, reader) {
			delete(rows, id)
		}
	}
	return rows, err
}

// project finds a project by its path. A path without a slash is not one, even if it is the number of a project.
func (h *Handler) project(ctx context.Context, call engine.Call, _ root) (any, error) {
	row, err := h.findProject(ctx, call.Args.Text("fullPath"), access.ReadProject)
	return row, err
}

func (h *Handler) findProject(ctx context.Context, path string, ability access.Ability) (model.ProjectRow, error) {
	if !strings.Contains(path, "/") {
		return model.ProjectRow{}, apierr.NotFound("Project")
	}
	return h.Access.Project(ctx, path, ability)
}

// projectSorts are the columns by which lists of projects are sorted.
var projectSorts = map[string]string{
	"id": "id", "name": "name", "path": "path", "created": "created_at", "created_at": "created_at", "updated": "updated_at",
	"updated_at": "updated_at", "latest_activity": "last_activity_at", "activity": "last_activity_at", "stars": "star_count",
}

func (h *Handler) projects(ctx context.Context, call engine.Call, _ root) (any, error) {
	if _, err := access.Allow(ctx, access.ReadProjects); err != nil {
		return nil, err
	}
	args := call.Args
	f := projectFilter(args)
	var err error
	if f.IDs, err = readGIDs(args.Texts("ids"), "Project"); err != nil {
		return nil, err
	}
	if f.FullPaths = args.Texts("fullPaths"); len(f.FullPaths) > maxIDs {
		return nil, &engine.Error{Message: "Too many paths"}
	}
	if args.Bool("membership") {
		f.MinAccess = model.Guest
	}
	f.MinAccess = max(f.MinAccess, roleOf(args.Text("minAccessLevel")))
	f.Topics, f.Language = args.Texts("topics"), args.Text("programmingLanguageName")
	if name := args.Text("visibilityLevel"); name != "" {
		level := map[string]model.Visibility{"internal": model.Internal, "public": model.Public}[name]
		f.Visibility = &level
	}
	return h.listProjects(ctx, args, f)
}

// projectFilter reads the arguments that all lists of projects have.
func projectFilter(args engine.Args) store.ProjectFilter {
	f := store.ProjectFilter{
		Search: args.Text("search"), SearchNamespaces: args.Bool("searchNamespaces"),
		WithIssues: args.BoolPtr("withIssuesEnabled"), WithMerges: args.BoolPtr("withMergeRequestsEnabled"),
	}
	yes, no := true, false
	switch args.Text("archived") {
	case "ONLY":
		f.Archived = &yes
	case "EXCLUDE":
		f.Archived = &no
	}
	return f
}

func (h *Handler) listProjects(ctx context.Context, args engine.Args, f store.ProjectFilter) (any, error) {
	order := store.ProjectOrder{Column: "id", Desc: true}
	if sort := args.Text("sort"); strings.EqualFold(sort, "similarity") {
		order.Column = "similarity"
	} else if sort != "" {
		var err error
		if order.Column, order.Desc, err = sortOf(sort, projectSorts); err != nil {
			return nil, err
		}
	}
	return pageUpTo(args, int(h.Pages), func(p store.Page) ([]model.ProjectRow, store.Total, error) {
		return h.Store.Projects.List(ctx, f, order, access.Reader(ctx), p)
	})
}

// projectsOfNamespace lists the projects of a group or of a personal namespace.
func (h *Handler) projectsOfNamespace(ctx context.Context, call engine.Call, n model.Namespace) (any, error) {
	f := projectFilter(call.Args)
	f.NamespaceID = &n.ID
	if call.Args.Bool("includeSubgroups") {
		f.Below = &n.ID
	}
	return h.listProjects(ctx, call.Args, f)
}
