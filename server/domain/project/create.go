package project

import (
	"context"
	"strconv"

	"svc/openapi/wire"
	"svc/server/domain/avatar"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/naming"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// New describes a new project. It needs a name or a path; the other one follows from it. Fields of Change that are not
// set get their defaults.
type New struct {
	Change
	OwnerID int64
	Readme  bool // the repository begins with a README
}

// Create creates a project and its repository.
func (s *Service) Create(ctx context.Context, in Place, n New) (model.Project, error) {
	row, err := n.row(s.store.Settings.Current(), in.most)
	if err == nil {
		err = s.checkRestricted(ctx, &row.Visibility)
	}
	if err != nil {
		return row, err
	}
	picture, err := avatar.Read(n.Avatar)
	if err != nil {
		return row, err
	}
	set := n.columns()
	if n.Storage != nil && reqctx.Of(ctx).Actor.User.Admin {
		if !s.repos.HasStorage(*n.Storage) {
			return row, apierr.InvalidFields(map[string][]string{"repository_storage": {"is not a storage of this instance"}})
		}
		set["repository_storage"] = *n.Storage
	}
	row.NamespaceID, row.CreatorID = in.namespaceID, &n.OwnerID
	var made model.ProjectRow
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Projects.Create(ctx, &row, in.limit); err != nil {
			return err
		}
		if err := s.update(ctx, row.ID, set, picture); err != nil {
			return err
		}
		if made, err = s.store.Projects.Get(ctx, row.ID, "", &store.Reader{Admin: true}); err != nil {
			return err
		}
		if err := s.recordCreated(ctx, made.Project, "project_created", "Created project"); err != nil {
			return err
		}
		if err := s.store.PushRules.CopyFromGroups(ctx, row.ID, row.NamespaceID); err != nil {
			return err
		}
		if err := s.hooks.ProjectCreated(ctx, row.ID); err != nil {
			return err
		}
		return s.repos.Create(ctx, made.Project)
	})
	if err == nil && n.Readme {
		return made.Project, s.createReadme(ctx, row.ID)
	}
	return made.Project, explain(err)
}

// row returns the new project with defaults for what columns sets.
func (n New) row(settings *store.CurrentSettings, most model.Visibility) (model.Project, error) {
	row := model.DefaultProject()
	row.Visibility, row.DefaultBranch = min(settings.ProjectVisibility(), most), settings.BranchName()
	row.SharedRunnersEnabled, row.CiConfigPath = settings.SharedRunnersEnabled, settings.DefaultCIConfigPath
	switch {
	case n.Path == nil:
		row.Name, row.Path = wire.Value(n.Name), naming.PathOf(wire.Value(n.Name))
	case n.Name == nil:
		row.Name, row.Path = *n.Path, *n.Path
	default:
		row.Name, row.Path = *n.Name, *n.Path
	}
	if n.Visibility != nil {
		row.Visibility = *n.Visibility
	}
	if _, given := n.Settings["pages_access_level"]; row.Visibility == model.Public && !given {
		row.PagesAccessLevel = model.FeatureEnabled // everybody can see the project, and so its site
	}
	rules := fieldErrors{}
	rules.add("name", naming.Name(row.Name))
	rules.add("path", naming.Path(row.Path, false))
	checkBranch(rules, n.DefaultBranch)
	checkConfigPath(rules, n.CIConfigPath.Ptr())
	return row, rules.err()
}

// createReadme creates the first commit of a new project, a README.
func (s *Service) createReadme(ctx context.Context, id int64) error {
	row, err := s.access.Project(ctx, strconv.FormatInt(id, 10), access.ReadProject)
	if err != nil {
		return err
	}
	row.Admin = true // users who may create a project may create its first commit, whatever is protected
	text := "# " + row.Project.Name + "\n"
	if d := row.Project.Description; d != nil && *d != "" {
		text += "\n" + *d + "\n"
	}
	_, err = s.writer.Write(push.WithoutPushRules(ctx), row, commit.Edit{
		Branch: row.Project.DefaultBranch, Message: "Initial commit",
		Changes: []git.Change{{Action: git.ActionCreate, Path: "README.md", Content: []byte(text)}},
	})
	return err
}
