// Package export writes a project to an archive, and imports such an archive into this or another instance.
//
//	service.go          requests for exports
//	request.go          requests for imports
//	upload.go           uploaded and downloaded archives
//	format.go           the records of an archive, and its limits
//	format_project.go   the settings of a project
//	format_issuable.go  issues, merge requests and releases
//	read.go             reads an archive
//	export_worker.go    the job that exports
//	export_records.go   the records of an export
//	relations.go        the relations of a project, for exports of relations
//	import_worker.go    the job that imports
//	import_files.go     imports repositories and files
//	import_records.go   imports records
//	import_issuables.go imports issues, merge requests, notes and releases
//	resume_worker.go    the job that resumes interrupted exports and imports
package export

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"time"

	"svc/server/domain/repository/lfs"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/events"
	"svc/server/platform/outbound"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/blob"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
	"svc/store/secret"
)

const (
	// Lifetime is how long an export can be downloaded.
	Lifetime = 24 * time.Hour
	// uploadTime is how long an upload may take before its file is removed as abandoned.
	uploadTime = 24 * time.Hour

	staleAfter = 5 * time.Minute // after which a worker counts as dead; the queue resumes its jobs much sooner
	giveUp     = 24 * time.Hour  // after which a job that keeps failing is given up
	batchSize  = 500
)

// Job is a background job of this package.
type Job interface{ Kind() string }

// Dependencies are the dependencies and settings of a Service.
type Dependencies struct {
	Store    *store.Store
	Blobs    blob.Store
	Repos    *git.Repositories
	Wikis    *lifecycle.SideRepositories
	Measurer *lifecycle.Measurer
	LFS      *lfs.Store
	Client   *outbound.Client
	Agent    string // the header User-Agent
	// Enqueue queues a job, in the caller's transaction.
	Enqueue    func(ctx context.Context, job Job) error
	Logger     *slog.Logger
	TempFolder string // a folder for temporary files
}

// Service exports and imports projects.
type Service struct {
	Dependencies

	vault secret.Vault
}

// New returns the service. Addresses are encrypted with a key that is derived from the given one.
func New(d Dependencies, secretKey string) (*Service, error) {
	vault, err := secret.NewVault(secretKey, secret.ImportPurpose)
	return &Service{Dependencies: d, vault: vault}, err
}

// Export schedules an export of a project for the caller. It replaces an older export.
func (s *Service) Export(ctx context.Context, p model.Project, description *string) error {
	return events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		at := clock.Now(ctx).UTC()
		e := model.ProjectExport{
			ProjectID: p.ID, UserID: reqctx.Of(ctx).Actor.User.ID, State: model.ExportScheduled, Description: description,
			ExpiresAt: at.Add(Lifetime),
			Filename:  at.Format("2006-01-02_15-04-05_") + strings.ReplaceAll(p.FullPath, "/", "_") + "_export.tar.gz",
		}
		if len(e.Filename) > 255 {
			e.Filename = at.Format("2006-01-02_15-04-05_") + "export.tar.gz"
		}
		err := s.Store.ProjectExports.Replace(ctx, &e)
		if err == nil {
			err = s.Enqueue(ctx, Export{ExportID: e.ID})
		}
		return events.OfProject(p, "project_export_scheduled", "Exported project"), err
	})
}

// Current returns the export of a project that has not expired, or a *store.NotFoundError.
func (s *Service) Current(ctx context.Context, projectID int64) (model.ProjectExport, error) {
	e, err := s.Store.ProjectExports.Of(ctx, projectID)
	if err == nil && e.ExpiresAt.Before(clock.Now(ctx)) {
		err = &store.NotFoundError{Resource: "Export"}
	}
	return e, err
}

// Open reads a part of an export.
func (s *Service) Open(ctx context.Context, e model.ProjectExport, offset, length int64) (io.ReadCloser, error) {
	return s.Blobs.Read(ctx, *e.Key, offset, length)
}
