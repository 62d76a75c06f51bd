package projects

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/avatar"
	"svc/server/domain/repository/commit"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// CreateProject creates a project in a group or in the caller's own namespace.
// POST /projects
func (p *Projects) CreateProject(ctx context.Context, req gen.CreateProjectRequestObject) (gen.CreateProjectResponseObject, error) {
	actor, err := access.Allow(ctx, access.CreateProject)
	if err != nil {
		return nil, err
	}
	owner, err := p.store.Users.Get(ctx, actor.User.ID)
	if err != nil {
		return nil, err
	}
	shown, err := p.create(ctx, owner, req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProject201JSONResponse(shown), nil
}

// CreateProjectsUser creates a project for another user.
// POST /projects/user/{user_id}
func (p *Projects) CreateProjectsUser(
	ctx context.Context, req gen.CreateProjectsUserRequestObject,
) (gen.CreateProjectsUserResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminProjectOfUser); err != nil {
		return nil, err
	}
	owner, err := p.store.Users.Get(ctx, req.UserID)
	if err != nil {
		return nil, err
	}
	shown, err := p.create(ctx, owner, req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectsUser201JSONResponse(shown), nil
}

// create creates a project that belongs to owner, and presents it to the caller.
func (p *Projects) create(ctx context.Context, owner model.User, b *gen.ProjectWrite) (gen.Project, error) {
	if b == nil || (b.Name == nil && b.Path == nil) {
		return gen.Project{}, apierr.BadParameter("name, path are missing, at least one parameter must be provided")
	}
	if err := refuseImport(*b); err != nil {
		return gen.Project{}, err
	}
	place, err := p.targetNamespace(ctx, owner, ref(b.NamespaceID))
	if err != nil {
		return gen.Project{}, err
	}
	row, set, err := newProject(*b, reqctx.Of(ctx).Actor.User.Admin)
	if err != nil {
		return gen.Project{}, err
	}
	picture, err := avatar.Read(b.Avatar)
	if err != nil {
		return gen.Project{}, err
	}
	if storage, ok := set["repository_storage"].(string); ok && !p.repos.HasStorage(storage) {
		return gen.Project{}, apierr.InvalidFields(map[string][]string{"repository_storage": {"is not a storage of this instance"}})
	}
	row.NamespaceID, row.CreatorID = place.id, &owner.ID
	err = p.store.Tx(ctx, func(ctx context.Context) error {
		if err := p.store.Projects.Create(ctx, &row, place.limit); err != nil {
			return err
		}
		if err := p.change(ctx, row.ID, set, picture); err != nil {
			return err
		}
		made, err := p.store.Projects.Get(ctx, row.ID, "", &store.Reader{Admin: true})
		if err != nil {
			return err
		}
		if err := p.recordCreated(ctx, made.Project, "project_created", "Created project"); err != nil {
			return err
		}
		return p.repos.Create(ctx, made.Project)
	})
	if err != nil {
		return gen.Project{}, explain(err)
	}
	if wire.Value(b.InitializeWithReadme) {
		if err := p.createReadme(ctx, row.ID); err != nil {
			return gen.Project{}, err
		}
	}
	return p.reload(ctx, row.ID)
}

// refuseImport refuses imports and mirrors of other servers, which are not supported yet.
func refuseImport(b gen.ProjectWrite) error {
	if from := b.ImportURL.Ptr(); from != nil && *from != "" {
		return apierr.BadParameter("import_url is not supported: create the project without import_url and push the repository")
	}
	if wire.Value(b.Mirror) {
		return apierr.BadParameter("mirror is not supported: this service does not mirror repositories of other servers")
	}
	return nil
}

// createReadme creates the first commit of a new project, a README.
func (p *Projects) createReadme(ctx context.Context, id int64) error {
	row, err := p.access.Project(ctx, strconv.FormatInt(id, 10), access.ReadProject)
	if err != nil {
		return err
	}
	row.Admin = true // users who may create a project may create its first commit, whatever is protected
	text := "# " + row.Project.Name + "\n"
	if d := row.Project.Description; d != nil && *d != "" {
		text += "\n" + *d + "\n"
	}
	_, err = p.writer.Write(ctx, row, commit.Edit{
		Branch: row.Project.DefaultBranch, Message: "Initial commit",
		Changes: []git.Change{{Action: git.ActionCreate, Path: "README.md", Content: []byte(text)}},
	})
	return err
}

// GetProject shows a project.
// GET /projects/{id}
func (p *Projects) GetProject(ctx context.Context, req gen.GetProjectRequestObject) (gen.GetProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProject)
	if err != nil {
		return nil, err
	}
	shown, err := p.detail(ctx, row)
	if err != nil {
		return nil, err
	}
	if wire.Value(req.Params.Statistics) && row.Role() >= model.Reporter {
		shown.Statistics = present.ProjectStatistics(row.Project)
	}
	one := []gen.Project{shown}
	if err := p.attach(ctx, one, req.Params.WithCustomAttributes); err != nil {
		return nil, err
	}
	return gen.GetProject200JSONResponse(one[0]), nil
}

// UpdateProject changes the given settings of a project.
// PUT /projects/{id}
func (p *Projects) UpdateProject(ctx context.Context, req gen.UpdateProjectRequestObject) (gen.UpdateProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminProject)
	if err != nil {
		return nil, err
	}
	if req.Body != nil {
		if err := refuseImport(*req.Body); err != nil {
			return nil, err
		}
		set, err := updated(*req.Body, row)
		if err != nil {
			return nil, err
		}
		picture, err := avatar.Read(req.Body.Avatar)
		if err != nil {
			return nil, err
		}
		storage, _ := set["repository_storage"].(string)
		delete(set, "repository_storage") // the move sets the storage once the repository is there
		err = p.store.Tx(ctx, func(ctx context.Context) error {
			if err := p.change(ctx, row.Project.ID, set, picture); err != nil {
				return err
			}
			if err := p.changeRepository(ctx, row.Project, set); err != nil {
				return err
			}
			if err := p.recordChanges(ctx, row.Project, picture != nil); err != nil {
				return err
			}
			return p.move(ctx, row.Project, storage)
		})
		if err != nil {
			return nil, explain(err)
		}
	}
	shown, err := p.reload(ctx, row.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProject200JSONResponse(shown), nil
}

// changeRepository applies the changed settings of a project to its repository.
func (p *Projects) changeRepository(ctx context.Context, old model.Project, set map[string]any) error {
	rules := fieldErrors{}
	if branch, ok := set["default_branch"].(string); ok && branch != old.DefaultBranch {
		found, err := p.repos.SetDefault(ctx, old, branch)
		if err != nil {
			return err
		}
		if !found {
			rules.add("default_branch", "is not a branch of the repository")
		}
	}
	return rules.err()
}

// move schedules the move of a project's repository to another storage.
func (p *Projects) move(ctx context.Context, old model.Project, storage string) error {
	if storage == "" || storage == old.RepositoryStorage {
		return nil
	}
	rules := fieldErrors{}
	if !p.repos.HasStorage(storage) {
		rules.add("repository_storage", "is not included in the list")
		return rules.err()
	}
	_, err := p.repos.Schedule(ctx, old, storage, nil)
	if errors.Is(err, store.ErrReadOnly) {
		rules.add("repository_storage", "cannot be changed while the repository is read-only")
		return rules.err()
	}
	return err
}

// change sets columns and the avatar of a project.
func (p *Projects) change(ctx context.Context, id int64, set map[string]any, picture *model.Avatar) error {
	return p.store.Tx(ctx, func(ctx context.Context) error {
		if err := p.store.Projects.Update(ctx, id, set); err != nil {
			return err
		}
		return p.store.Avatars.Put(ctx, model.AvatarProject, id, picture)
	})
}

// DeleteProject deletes a project.
// DELETE /projects/{id}
func (p *Projects) DeleteProject(ctx context.Context, req gen.DeleteProjectRequestObject) (gen.DeleteProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.RemoveProject)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, p.store, func(ctx context.Context) (events.Change, error) {
		err := p.store.Projects.Delete(ctx, row.Project.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
		return events.OfProject(row.Project, "project_destroyed", "Removed project"), err
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProject202JSONResponse{Message: "202 " + http.StatusText(http.StatusAccepted)}, nil
}

// detail presents a single project to the caller.
func (p *Projects) detail(ctx context.Context, row model.ProjectRow) (gen.Project, error) {
	reader := access.Reader(ctx)
	shares, err := p.store.ProjectLinks.ListByProject(ctx, row.Project.ID, reader)
	if err == nil && row.Admin && reader != nil { // an administrator needs no role, but may have one
		row.Direct, row.Inherited, err = p.store.Projects.Roles(ctx, row.Project.ID, reader)
	}
	return p.show.ProjectDetail(row, shares), err
}

// reload reads a project after a change and presents it.
func (p *Projects) reload(ctx context.Context, id int64) (gen.Project, error) {
	row, err := p.access.Project(ctx, strconv.FormatInt(id, 10), access.ReadProject)
	if err != nil {
		return gen.Project{}, err
	}
	return p.detail(ctx, row)
}
