package project

import (
	"context"
	"errors"
	"maps"

	"svc/openapi/wire"
	"svc/server/domain/avatar"
	"svc/server/platform/apierr"
	"svc/server/platform/naming"
	"svc/store"
	"svc/store/model"
)

// Change describes what to change in a project; fields that are not set stay as they are.
type Change struct {
	Name, Path    *string
	Visibility    *model.Visibility // only owners may change it
	DefaultBranch *string
	CIConfigPath  wire.Optional[string]
	Storage       *string // where the repository lies; ignored unless the caller is an administrator
	Avatar        wire.Optional[[]byte]
	Settings      map[string]any // further settings by column, which need no validation
}

// Apply changes a project. It refuses a changed visibility if the caller is not an owner.
func (s *Service) Apply(ctx context.Context, row model.ProjectRow, c Change) error {
	set, err := c.changed(row)
	if err == nil && c.Visibility != nil && *c.Visibility != row.Project.Visibility {
		err = s.checkRestricted(ctx, c.Visibility)
	}
	if err != nil {
		return err
	}
	picture, err := avatar.Read(c.Avatar)
	if err != nil {
		return err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		ctx, err := s.hooks.Expect(ctx, row.Project)
		if err != nil {
			return err
		}
		if err := s.update(ctx, row.Project.ID, set, picture); err != nil {
			return err
		}
		if err := s.setDefaultBranch(ctx, row.Project, c.DefaultBranch); err != nil {
			return err
		}
		if err := s.recordChanges(ctx, row.Project, picture != nil); err != nil {
			return err
		}
		err = s.hooks.ProjectChanged(ctx, row.Project)
		if err != nil || !row.Admin || c.Storage == nil {
			return err
		}
		return s.moveRepository(ctx, row.Project, *c.Storage)
	})
	return explain(err)
}

// changed returns the columns that change, after their validation.
func (c Change) changed(row model.ProjectRow) (map[string]any, error) {
	set := c.columns()
	rules := fieldErrors{}
	if c.Name != nil {
		set["name"] = *c.Name
		rules.add("name", naming.Name(*c.Name))
	}
	if c.Path != nil {
		set["path"] = *c.Path
		rules.add("path", naming.Path(*c.Path, false))
	}
	checkBranch(rules, c.DefaultBranch)
	checkConfigPath(rules, c.CIConfigPath.Ptr())
	if c.Visibility != nil && *c.Visibility != row.Project.Visibility {
		if row.Role() < model.Owner {
			return nil, apierr.Forbidden()
		}
		set["visibility"] = *c.Visibility
	}
	return set, rules.err()
}

// columns returns the columns that a new project and a changed one take alike.
func (c Change) columns() map[string]any {
	set := maps.Clone(c.Settings)
	if set == nil {
		set = map[string]any{}
	}
	if c.DefaultBranch != nil {
		set["default_branch"] = *c.DefaultBranch
	}
	if c.CIConfigPath.IsSet() {
		set["ci_config_path"] = c.CIConfigPath.Ptr()
	}
	return set
}

// update sets columns and the avatar of a project.
func (s *Service) update(ctx context.Context, id int64, set map[string]any, picture *model.Avatar) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Projects.Update(ctx, id, set); err != nil {
			return err
		}
		return s.store.Avatars.Put(ctx, model.AvatarProject, id, picture)
	})
}

// setDefaultBranch changes the default branch of a project's repository.
func (s *Service) setDefaultBranch(ctx context.Context, old model.Project, branch *string) error {
	if branch == nil || *branch == old.DefaultBranch {
		return nil
	}
	found, err := s.repos.SetDefault(ctx, old, *branch)
	if err == nil && !found {
		err = apierr.Invalid("default_branch", "is not a branch of the repository")
	}
	return err
}

// moveRepository schedules the move of a project's repository to another storage. The move sets the column once the
// repository is there.
func (s *Service) moveRepository(ctx context.Context, old model.Project, storage string) error {
	if storage == "" || storage == old.RepositoryStorage {
		return nil
	}
	if !s.repos.HasStorage(storage) {
		return apierr.Invalid("repository_storage", "is not included in the list")
	}
	_, err := s.repos.Schedule(ctx, old, storage, nil)
	if errors.Is(err, store.ErrReadOnly) {
		return apierr.Invalid("repository_storage", "cannot be changed while the repository is read-only")
	}
	return err
}
