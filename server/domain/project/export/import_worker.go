package export

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"svc/server/domain/archive"
	"svc/server/domain/repository/contribution"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Import is the job that imports an archive into a project.
type Import struct {
	ProjectID int64 `json:"project_id"`
}

// Kind returns the name of the job in the queue.
func (Import) Kind() string { return "project_import" }

// RunImport imports an archive into a project. It stores the records in batches, each in one transaction together with
// the number of records that are stored. If it is interrupted at any point, it passes over those records.
func (s *Service) RunImport(ctx context.Context, job Import) error {
	i, err := s.Store.ProjectFileImports.Of(ctx, job.ProjectID)
	if store.IsNotFound(err) {
		return nil // done, or the project is deleted
	}
	if err != nil {
		return err
	}
	if err := errors.Join(s.Store.ProjectImports.Start(ctx, i.ProjectID), s.Store.ProjectFileImports.Touch(ctx, i.ID)); err != nil {
		return err
	}
	defer archive.ReportProgress(ctx, s.Logger, func(ctx context.Context) error { return s.Store.ProjectFileImports.Touch(ctx, i.ID) })()
	err = s.runImport(ctx, i)
	if store.IsNotFound(err) {
		if _, gone := s.Store.ProjectFileImports.Of(ctx, job.ProjectID); store.IsNotFound(gone) {
			return nil // the project is deleted, or another process has ended the import
		}
	}
	if reason := explain(err); reason != "" {
		return s.fail(ctx, i, reason)
	}
	return err
}

// explain returns an error that the user who imports may read, or "" if the error is internal.
func explain(err error) string {
	var refused *archive.BadArchiveError
	var taken *store.ConflictError
	var visible *store.TooVisibleError
	switch {
	case errors.As(err, &refused):
		return refused.Text
	case errors.As(err, &taken):
		return "Two things have the same name or number: in the archive, or because something was created in the project meanwhile."
	case errors.As(err, &visible):
		return "The group of the project became less visible meanwhile."
	}
	return ""
}

// runImport imports the archive of an import.
func (s *Service) runImport(ctx context.Context, i model.ProjectFileImport) error {
	if i.UserID == nil {
		return bad("The account of the user who started the import was deleted.")
	}
	u, err := s.Store.Users.Get(ctx, *i.UserID)
	if err != nil {
		return err
	}
	if u.State != model.UserActive {
		return bad("The user who started the import is no longer active.")
	}
	if i.Key == nil {
		if err := s.download(ctx, &i); err != nil {
			return err
		}
	}
	row, err := s.Store.Projects.Get(ctx, i.ProjectID, "", &store.Reader{UserID: u.ID, Admin: u.Admin, External: u.External})
	if err != nil {
		return err
	}
	from, err := s.Blobs.Read(ctx, *i.Key, 0, i.Size)
	if err != nil {
		return err
	}
	defer from.Close()
	to := &importer{
		Service: s, ctx: ctx, row: row, user: u, done: i.Imported, known: map[int64]author{}, key: *i.Key, secrets: map[string]bool{},
		lines: map[string]int64{},
	}
	if err := json.Unmarshal([]byte(i.Overrides), &to.kept); err != nil {
		return err
	}
	_, records, err := Read(ctx, from, to)
	if err != nil {
		return err
	}
	return s.finish(ctx, i, row.Project, u, records)
}

// finish stores that an import has succeeded, and queues what follows.
func (s *Service) finish(ctx context.Context, i model.ProjectFileImport, p model.Project, u model.User, records int64) error {
	return s.Store.ProjectFileImports.End(ctx, i.ProjectID, nil, func(ctx context.Context) error {
		if err := s.Store.ProjectContents.Recount(ctx, p.ID); err != nil {
			return err
		}
		if err := s.Store.Repositories.MarkChanged(ctx, p.ID); err != nil {
			return err
		}
		for _, job := range []Job{lifecycle.MaintainJob{ProjectID: p.ID}, contribution.CountJob{ProjectID: p.ID}} {
			if err := s.Enqueue(ctx, job); err != nil {
				return err
			}
		}
		c := events.OfProject(p, "project_imported", fmt.Sprintf("Imported the project: %d records", records))
		c.Author = &events.Author{ID: u.ID, Name: u.Name}
		return events.Audit(ctx, s.Store, c)
	})
}

// fail stores that an import has failed, and why. The project stays as it is, so that the reason can be read.
func (s *Service) fail(ctx context.Context, i model.ProjectFileImport, reason string) error {
	return s.Store.ProjectFileImports.End(ctx, i.ProjectID, &reason, func(ctx context.Context) error {
		row, err := s.Store.Projects.Get(ctx, i.ProjectID, "", &store.Reader{Admin: true})
		if err != nil {
			return err
		}
		if err := s.Store.ProjectContents.Recount(ctx, i.ProjectID); err != nil {
			return err
		}
		c := events.OfProject(row.Project, "project_import_failed", "Could not import the project: "+reason)
		c.Author = events.System
		if i.UserID != nil {
			u, err := s.Store.Users.Get(ctx, *i.UserID)
			if err != nil && !store.IsNotFound(err) {
				return err
			}
			if err == nil {
				c.Author = &events.Author{ID: u.ID, Name: u.Name}
			}
		}
		return events.Audit(ctx, s.Store, c)
	})
}

// author is a user of an archive: their id here, or 0, and the name that a text shows for them.
type author struct {
	id       int64
	username string
}

// importer stores the content of an archive.
type importer struct {
	*Service

	ctx          context.Context  //nolint:containedctx // of the one job that imports
	row          model.ProjectRow // as the user who imports sees it
	user         model.User
	done         int64    // records that are stored
	kept         []string // columns that the archive does not set
	head         string   // the default branch in the archive
	known        map[int64]author
	labelIDs     map[string]int64
	milestoneIDs map[string]int64
	key          string           // of the archive in the blob store
	secrets      map[string]bool  // of the uploads in the archive
	lines        map[string]int64 // of each part
	failures     int
}

// batch runs f in a transaction that also records how many records are stored, unless they are stored already.
func (m *importer) batch(records int64, f func(ctx context.Context) error) error {
	if records <= m.done {
		return nil
	}
	if err := m.Store.ProjectFileImports.Advance(m.ctx, m.row.Project.ID, records, f); err != nil {
		return err
	}
	m.done = records
	return nil
}

// failed stores that a record could not be imported.
func (m *importer) failed(ctx context.Context, relation string, line int64, message string) error {
	if m.failures++; m.failures > maxFailures {
		return nil
	}
	return m.Store.ProjectFileImports.AddFailure(ctx, model.ProjectImportFailure{
		ProjectID: m.row.Project.ID, Relation: relation, Line: line, Message: message,
	}, maxFailures)
}
