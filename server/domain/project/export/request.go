package export

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"

	"svc/server/domain/project"
	"svc/server/platform/apierr"
	"svc/server/platform/outbound"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Request describes an import: where the project is created, and what replaces the settings of the archive.
type Request struct {
	Place     project.Place
	Name      string
	Path      string
	Overwrite bool // a project with the path is marked for deletion
	Overrides project.Change
}

// CheckSource refuses imports if the settings of the instance do not allow archives.
func (s *Service) CheckSource() error {
	if !s.Store.Settings.Current().ImportsFrom(model.ImportedFromFile) {
		return apierr.Forbidden("The import of projects from files is disabled")
	}
	return nil
}

// Import creates a project and schedules the import of an archive into it.
func (s *Service) Import(ctx context.Context, projects *project.Service, r Request, u Upload) (model.Project, error) {
	return s.create(ctx, projects, r, func(ctx context.Context, i model.ProjectFileImport) error {
		i.Key, i.Size = &u.Key, u.Size
		if err := s.Store.ProjectFileImports.Create(ctx, &i, nil); err != nil {
			return err
		}
		// Issues that users create before the import ends get higher numbers than those of the archive.
		return s.Store.ProjectContents.Reserve(ctx, i.ProjectID, u.Project.Issues, u.Project.MergeRequests)
	})
}

// ImportFrom creates a project and schedules the download and the import of the archive at a URL.
func (s *Service) ImportFrom(ctx context.Context, projects *project.Service, r Request, from string) (model.Project, error) {
	shown, err := s.checkURL(ctx, from)
	if err != nil {
		return model.Project{}, err
	}
	return s.create(ctx, projects, r, func(ctx context.Context, i model.ProjectFileImport) error {
		if err := s.Store.ProjectFileImports.Create(ctx, &i, &shown); err != nil {
			return err
		}
		sealed := model.ProjectImport{ProjectID: i.ProjectID, UserID: i.UserID, Sealed: s.vault.Seal([]byte(from), owner(i.ProjectID))}
		return s.Store.ProjectImports.Create(ctx, sealed, model.ImportedFromFile, shown)
	})
}

// owner is the owner that the address of a project's archive is sealed for.
func owner(projectID int64) string { return "project " + strconv.FormatInt(projectID, 10) }

// checkURL refuses a URL that must not be reached. It returns the URL without its secrets.
func (s *Service) checkURL(ctx context.Context, raw string) (string, error) {
	u, err := outbound.Parse(raw)
	if err == nil {
		err = s.Client.Check(ctx, raw, false)
	}
	var blocked *outbound.BlockedError
	if errors.As(err, &blocked) {
		return "", apierr.Refused("File url is blocked: " + blocked.Reason)
	}
	if err != nil {
		return "", err
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String(), nil
}

// create creates the project of an import. add stores what is imported, in the same transaction.
func (s *Service) create(
	ctx context.Context, projects *project.Service, r Request, add func(ctx context.Context, i model.ProjectFileImport) error,
) (made model.Project, err error) {
	kept := slices.Sorted(maps.Keys(r.Overrides.Settings))
	if r.Overrides.Visibility != nil {
		kept = append(kept, visibilityColumn)
	}
	names, err := json.Marshal(kept)
	if err != nil {
		return made, err
	}
	user := reqctx.Of(ctx).Actor.User.ID
	n := project.New{Change: r.Overrides, OwnerID: user}
	n.Name, n.Path = &r.Name, &r.Path
	if n.Visibility == nil {
		private := model.Private
		n.Visibility = &private // until the visibility of the archive is known
	}
	err = s.Store.Tx(ctx, func(ctx context.Context) error {
		if r.Overwrite {
			if err := projects.MakeWay(ctx, r.Place, r.Path); err != nil {
				return err
			}
		}
		if made, err = projects.Create(ctx, r.Place, n); err != nil {
			return err
		}
		if err := add(ctx, model.ProjectFileImport{ProjectID: made.ID, UserID: &user, Overrides: string(names)}); err != nil {
			return err
		}
		return s.Enqueue(ctx, Import{ProjectID: made.ID})
	})
	if err != nil {
		return made, err
	}
	row, err := s.Store.Projects.Get(ctx, made.ID, "", &store.Reader{Admin: true})
	return row.Project, err
}

const visibilityColumn = "visibility"
