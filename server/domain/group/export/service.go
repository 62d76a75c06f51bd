// Package export writes a group and all its subgroups to one archive, and imports such an archive into this or another
// instance.
//
//	service.go        requests for exports and imports
//	upload.go         uploaded archives
//	format.go         the format of an archive, and its limits
//	pack.go           the names of files in an archive
//	unpack.go         reads an archive
//	lines.go          reads the list of groups
//	export_worker.go  the job that exports
//	relations.go      the relations of a group, for exports of relations
//	import_worker.go  the job that imports
//	resume_worker.go  the job that resumes interrupted exports and imports
package export

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"time"

	"svc/server/domain/webhook/announce"
	"svc/store"
	"svc/store/blob"
	"svc/store/clock"
	"svc/store/model"
)

const (
	// ExportLifetime is how long an export can be downloaded.
	ExportLifetime = 24 * time.Hour
	// uploadTime is how long an upload may take before its file is removed as abandoned.
	uploadTime = 24 * time.Hour

	staleAfter = 5 * time.Minute // after which a worker counts as dead; the queue resumes its jobs much sooner
	giveUp     = 24 * time.Hour  // after which a job that keeps failing is given up
	batchSize  = 500
)

// Job is a background job of this package.
type Job interface{ Kind() string }

// Service exports and imports groups.
type Service struct {
	store      *store.Store
	blobs      blob.Store
	tempFolder string // a folder for temporary files
	wikis      Wikis
	noWikis    bool // whether exports leave wikis out
	queue      func(ctx context.Context, job Job) error
	logger     *slog.Logger
	hooks      *announce.Announcer // announces to webhooks; nil announces nothing
}

// Wikis packs and unpacks the wikis of groups. Packing a group without a wiki writes nothing. UnpackGroupWiki returns
// false if the data is damaged.
type Wikis interface {
	PackGroupWiki(ctx context.Context, groupID int64, to io.Writer) error
	UnpackGroupWiki(ctx context.Context, groupID int64, from io.Reader, limit int64) (bool, error)
}

// Dependencies are the dependencies and settings of a Service.
type Dependencies struct {
	Store *store.Store
	Blobs blob.Store
	Wikis Wikis
	// Enqueue queues a job, in the caller's transaction.
	Enqueue    func(ctx context.Context, job Job) error
	Logger     *slog.Logger
	TempFolder string // a folder for temporary files
	OmitWikis  bool   // exports leave wikis out; imports still read them
	Hooks      *announce.Announcer
}

// New returns the service that exports and imports groups.
func New(d Dependencies) *Service {
	return &Service{
		store: d.Store, blobs: d.Blobs, tempFolder: d.TempFolder, wikis: d.Wikis, noWikis: d.OmitWikis,
		queue: d.Enqueue, logger: d.Logger, hooks: d.Hooks,
	}
}

// Export schedules an export of a group. It replaces an older export.
func (s *Service) Export(ctx context.Context, g model.Namespace, userID int64) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		at := clock.Now(ctx).UTC()
		e := model.GroupExport{
			GroupID: g.ID, UserID: userID, State: model.ExportScheduled, ExpiresAt: at.Add(ExportLifetime),
			Filename: at.Format("2006-01-02_15-04-05_") + strings.ReplaceAll(g.FullPath, "/", "_") + "_export.tar.gz",
		}
		if len(e.Filename) > 255 {
			e.Filename = at.Format("2006-01-02_15-04-05_") + "export.tar.gz"
		}
		if err := s.store.GroupExports.Replace(ctx, &e); err != nil {
			return err
		}
		return s.queue(ctx, Export{ExportID: e.ID})
	})
}

// Current returns the export of a group that has not expired, or a *store.NotFoundError.
func (s *Service) Current(ctx context.Context, groupID int64) (model.GroupExport, error) {
	e, err := s.store.GroupExports.Of(ctx, groupID)
	if err == nil && e.ExpiresAt.Before(clock.Now(ctx)) {
		err = &store.NotFoundError{Resource: "Export"}
	}
	return e, err
}

// OmitsWikis reports whether exports leave wikis out.
func (s *Service) OmitsWikis() bool { return s.noWikis }

// Open reads a part of an export.
func (s *Service) Open(ctx context.Context, e model.GroupExport, offset, length int64) (io.ReadCloser, error) {
	return s.blobs.Read(ctx, *e.Key, offset, length)
}

// Import schedules the import of an archive into a new group.
func (s *Service) Import(ctx context.Context, u Upload, groupID, userID int64) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		i := model.GroupImport{
			GroupID: groupID, UserID: userID, State: model.ExportScheduled, Key: &u.Key, Size: u.Size,
			Records: u.Records,
		}
		if err := s.store.GroupImports.Create(ctx, &i); err != nil {
			return err
		}
		return s.queue(ctx, Import{ImportID: i.ID})
	})
}
