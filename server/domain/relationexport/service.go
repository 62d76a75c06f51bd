// Package relationexport exports the relations of groups and projects, such as labels and issues: each to files of its own,
// with one JSON object per line, compressed with gzip.
//
//	service.go  requests, states and downloads
//	worker.go   the jobs that export, and that resume interrupted exports
//	files.go    writes the files of a relation
package relationexport

import (
	"context"
	"io"
	"log/slog"
	"time"

	"svc/server/domain/archive"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/blob"
	"svc/store/clock"
	"svc/store/model"
)

const (
	// lifetime is how long the files of an export can be downloaded.
	lifetime = 24 * time.Hour
	// writeTime is how long the files of a relation may take before they are removed as abandoned.
	writeTime = 24 * time.Hour

	staleAfter = 5 * time.Minute // after which a worker counts as dead; the queue resumes its jobs much sooner
	giveUp     = 24 * time.Hour  // after which a job that keeps failing is given up
	staleBatch = 500
	batchSize  = 1000 // records in a file of a batched export
)

// Job is a background job of this package.
type Job interface{ Kind() string }

// Source has the relations of groups, or those of projects.
type Source interface {
	// RelationNames returns the relations, in the order in which they are exported.
	RelationNames() []string
	// Relations returns what puts the records of each relation, by name. They read in the transaction of ctx. It returns an
	// *archive.BadArchiveError if the user may not export them.
	Relations(ctx context.Context, ownerID, userID int64) (map[string]archive.Records, error)
}

// Dependencies are the dependencies of a Service.
type Dependencies struct {
	Store            *store.Store
	Blobs            blob.Store
	Groups, Projects Source
	// Enqueue queues a job, in the caller's transaction.
	Enqueue func(ctx context.Context, job Job) error
	Logger  *slog.Logger
}

// Service exports relations.
type Service struct{ Dependencies }

// New returns the service.
func New(d Dependencies) *Service { return &Service{d} }

// ExportGroup schedules an export of the relations of a group for the caller. It replaces an older one.
func (s *Service) ExportGroup(ctx context.Context, g model.Namespace, batched bool) error {
	change := events.OfGroup(g, "group_relations_export_scheduled", "Exported relations of group")
	return s.schedule(ctx, store.OwnedByGroup(g), batched, change)
}

// ExportProject schedules an export of the relations of a project for the caller. It replaces an older one.
func (s *Service) ExportProject(ctx context.Context, p model.Project, batched bool) error {
	change := events.OfProject(p, "project_relations_export_scheduled", "Exported relations of project")
	return s.schedule(ctx, store.OwnedByProject(p), batched, change)
}

func (s *Service) schedule(ctx context.Context, owner store.ResourceOwner, batched bool, change events.Change) error {
	return events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		e := model.RelationExport{
			UserID: reqctx.Of(ctx).Actor.User.ID, Batched: batched, State: model.ExportScheduled,
			ExpiresAt: clock.Now(ctx).UTC().Add(lifetime),
		}
		err := s.Store.RelationExports.Replace(ctx, owner, &e)
		if err == nil {
			err = s.Enqueue(ctx, Export{ExportID: e.ID})
		}
		return change, err
	})
}

// State is the state of one relation of an export. It has files once it is written.
type State struct {
	Relation string
	Export   model.RelationExport
	Files    []model.RelationExportFile
}

// States returns the states of all relations of a group or project, or of one, if it is given. There are none without an export.
func (s *Service) States(ctx context.Context, owner store.ResourceOwner, relation string) ([]State, error) {
	e, err := s.current(ctx, owner)
	if store.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	files, err := s.Store.RelationExports.Files(ctx, e.ID, relation)
	if err != nil {
		return nil, err
	}
	written := map[string][]model.RelationExportFile{}
	for _, file := range files {
		written[file.Relation] = append(written[file.Relation], file)
	}
	states := []State{}
	for _, name := range s.source(e).RelationNames() {
		if relation != "" && name != relation {
			continue
		}
		states = append(states, State{Relation: name, Export: e, Files: written[name]})
	}
	return states, nil
}

// current returns the export of a group or project that has not expired, or a *store.NotFoundError.
func (s *Service) current(ctx context.Context, owner store.ResourceOwner) (model.RelationExport, error) {
	e, err := s.Store.RelationExports.Of(ctx, owner)
	if err == nil && e.ExpiresAt.Before(clock.Now(ctx)) {
		err = &store.NotFoundError{Resource: "Export"}
	}
	return e, err
}

func (s *Service) source(e model.RelationExport) Source {
	if e.ProjectID != nil {
		return s.Projects
	}
	return s.Groups
}

// Selection names a file of an export.
type Selection struct {
	Relation string
	Batched  bool
	Batch    *int64 // only if Batched
}

// File returns a file of the export of a group or project.
func (s *Service) File(ctx context.Context, owner store.ResourceOwner, sel Selection) (model.RelationExportFile, error) {
	batch := int64(1)
	switch {
	case sel.Batched && sel.Batch == nil:
		return model.RelationExportFile{}, apierr.BadParameter("batch_number is missing")
	case !sel.Batched && sel.Batch != nil:
		return model.RelationExportFile{}, apierr.BadParameter("batch_number needs batched")
	case sel.Batch != nil:
		batch = *sel.Batch
	}
	e, err := s.current(ctx, owner)
	if store.IsNotFound(err) {
		return model.RelationExportFile{}, apierr.NotThere("404 Not found or has expired")
	}
	if err != nil {
		return model.RelationExportFile{}, err
	}
	if e.Batched != sel.Batched {
		text := "Export is not batched"
		if e.Batched {
			text = "Export is batched"
		}
		return model.RelationExportFile{}, apierr.Refused(text)
	}
	file, err := s.Store.RelationExports.File(ctx, e.ID, sel.Relation, batch)
	return file, apierr.OrNotFound(err, "Export file")
}

// Open reads a part of a file.
func (s *Service) Open(ctx context.Context, f model.RelationExportFile, offset, length int64) (io.ReadCloser, error) {
	return s.Blobs.Read(ctx, f.Key, offset, length)
}
