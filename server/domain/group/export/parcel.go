// Package export writes a group and all its subgroups to one archive, and imports such an archive into this or another
// instance.
//
//	parcel.go         requests for exports and imports, and the job that resumes interrupted ones
//	format.go         the format of an archive, and its limits
//	pack.go           writes an archive
//	unpack.go         reads an archive, within limits
//	lines.go          reads the records of one file
//	export_worker.go  the job that exports
//	import_worker.go  the job that imports
package export

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"time"

	"svc/store"
	"svc/store/blob"
	"svc/store/model"
)

const (
	// ExportLifetime is how long an export can be downloaded.
	ExportLifetime = 24 * time.Hour
	// uploadTime is how long an upload may take before its file is removed as abandoned.
	uploadTime = 24 * time.Hour

	heartbeat  = 5 * time.Second // how often a worker reports that it is alive
	staleAfter = 5 * time.Minute // after which a worker counts as dead; the queue resumes its jobs much sooner
	giveUp     = 24 * time.Hour  // after which a job that keeps failing is given up
	someRows   = 500
)

// Job is a background job of this package.
type Job interface{ Kind() string }

// Service exports and imports groups.
type Service struct {
	store      *store.Store
	blobs      blob.Store
	tempFolder string // a folder for temporary files
	limit      int64  // maximum size of an archive in bytes; 0 means no limit
	wikis      Wikis
	noWikis    bool // whether exports leave wikis out
	queue      func(ctx context.Context, job Job) error
	logger     *slog.Logger
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
	MaxSize    int64  // maximum size of an archive in bytes; 0 means no limit
	OmitWikis  bool   // exports leave wikis out; imports still read them
}

// New returns the service that exports and imports groups.
func New(d Dependencies) *Service {
	return &Service{
		store: d.Store, blobs: d.Blobs, tempFolder: d.TempFolder, limit: d.MaxSize, wikis: d.Wikis, noWikis: d.OmitWikis,
		queue: d.Enqueue, logger: d.Logger,
	}
}

// Export schedules an export of a group. It replaces an older export.
func (k *Service) Export(ctx context.Context, g model.Namespace, userID int64) error {
	return k.store.Tx(ctx, func(ctx context.Context) error {
		at := time.Now().UTC()
		e := model.GroupExport{
			GroupID: g.ID, UserID: userID, State: model.ExportScheduled, ExpiresAt: at.Add(ExportLifetime),
			Filename: at.Format("2006-01-02_15-04-05_") + strings.ReplaceAll(g.FullPath, "/", "_") + "_export.tar.gz",
		}
		if len(e.Filename) > 255 {
			e.Filename = at.Format("2006-01-02_15-04-05_") + "export.tar.gz"
		}
		if err := k.store.GroupExports.Replace(ctx, &e); err != nil {
			return err
		}
		return k.queue(ctx, Export{ExportID: e.ID})
	})
}

// Open reads a part of an export.
func (k *Service) Open(ctx context.Context, e model.GroupExport, offset, length int64) (io.ReadCloser, error) {
	return k.blobs.Read(ctx, *e.Key, offset, length)
}

// Upload is an uploaded archive that was checked.
type Upload struct {
	Key     string
	Size    int64
	Records int64
}

// ReceiveUpload stores an uploaded archive and checks it while it arrives. If the file is not an export or too large, Take
// returns a *BadArchiveError or ErrTooLarge and deletes the file. The file is also deleted if it is not imported within
// a day.
func (k *Service) ReceiveUpload(ctx context.Context, from io.Reader) (Upload, error) {
	u := Upload{Key: blob.ExportKey()}
	if err := k.store.ScheduleBlobRemoval(ctx, u.Key, time.Now().UTC().Add(uploadTime)); err != nil {
		return u, err
	}
	if k.limit > 0 {
		from = &limited{from: from, left: k.limit}
	}
	looked, copied := io.Pipe()
	type result struct {
		records int64
		err     error
	}
	done := make(chan result, 1)
	go func() {
		n, err := Read(ctx, looked, discardSink{})
		looked.CloseWithError(err) // a refused upload need not be read to its end
		done <- result{n, err}
	}()
	var err error
	u.Size, err = k.blobs.Put(ctx, u.Key, io.TeeReader(from, copied))
	copied.CloseWithError(err) // nil is the end of the file
	seen := <-done
	u.Records = seen.records
	if err == nil {
		err = seen.err
	}
	if err != nil {
		k.discard(ctx, u.Key)
	}
	return u, err
}

// DiscardUpload removes an archive that will not be imported.
func (k *Service) DiscardUpload(ctx context.Context, u Upload) { k.discard(ctx, u.Key) }

// discard schedules the removal of a file. If that fails, the file is removed later.
func (k *Service) discard(ctx context.Context, key string) {
	if err := k.store.ScheduleBlobRemoval(context.WithoutCancel(ctx), key, time.Now().UTC()); err != nil {
		k.logger.WarnContext(ctx, "cannot schedule the removal of a file; it is removed a day later", "error", err)
	}
}

// Import schedules the import of an archive into a new group.
func (k *Service) Import(ctx context.Context, u Upload, groupID, userID int64) error {
	return k.store.Tx(ctx, func(ctx context.Context) error {
		i := model.GroupImport{
			GroupID: groupID, UserID: userID, State: model.ExportScheduled, Key: &u.Key, Size: u.Size,
			Records: u.Records,
		}
		if err := k.store.GroupImports.Create(ctx, &i); err != nil {
			return err
		}
		return k.queue(ctx, Import{ImportID: i.ID})
	})
}

// ResumeJob is the job that resumes exports and imports of killed processes and removes expired exports.
type ResumeJob struct{}

// Kind returns the name of the job in the queue.
func (ResumeJob) Kind() string { return "group_parcels_rest" }

// Resume resumes exports and imports that killed processes left unfinished, and removes expired exports.
func (k *Service) Resume(ctx context.Context, _ ResumeJob) error {
	now := time.Now().UTC()
	if err := k.store.GroupExports.DeleteExpired(ctx, now); err != nil {
		return err
	}
	exports, err := k.store.GroupExports.ListStale(ctx, now.Add(-staleAfter), someRows)
	if err != nil {
		return err
	}
	for _, e := range exports {
		if now.Sub(e.CreatedAt) > giveUp {
			err = k.store.GroupExports.Fail(ctx, e.ID, gaveUp)
		} else {
			err = k.RunExport(ctx, Export{ExportID: e.ID})
		}
		if err != nil {
			return err
		}
	}
	imports, err := k.store.GroupImports.ListStale(ctx, now.Add(-staleAfter), someRows)
	if err != nil {
		return err
	}
	for _, i := range imports {
		if now.Sub(i.CreatedAt) > giveUp {
			err = k.failImport(ctx, i.ID, gaveUp)
		} else {
			err = k.RunImport(ctx, Import{ImportID: i.ID})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const gaveUp = "It did not finish within a day; the log of the server has the reason."

// alive calls say every few seconds, until the returned function is called.
func (k *Service) alive(ctx context.Context, say func(ctx context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if err := say(ctx); err != nil && ctx.Err() == nil {
					k.logger.WarnContext(ctx, "cannot record the progress of an export or import", "error", err)
				}
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// limited is a reader that fails with ErrTooLarge after too many bytes.
type limited struct {
	from io.Reader
	left int64
}

// Read implements io.Reader.
func (l *limited) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}
