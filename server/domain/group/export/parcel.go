// Package export writes a group and all its subgroups to one archive, and imports such an archive here or elsewhere.
//
//	parcel.go         exports and imports are asked for, and what was left behind is done
//	format.go         what is in an archive, and what it may be
//	pack.go           an archive is written
//	unpack.go         an archive is read, within limits
//	lines.go          the records of one file
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
	// Kept is how long an export can be downloaded.
	Kept = 24 * time.Hour
	// uploadTime is how long a file may take to come until what came of it counts as left behind.
	uploadTime = 24 * time.Hour

	beat     = 5 * time.Second // how often who works says so
	silence  = 5 * time.Minute // after which nobody works: the queue takes the jobs of dead processes up much sooner
	giveUp   = 24 * time.Hour  // what could not be done for so long fails
	someRows = 500
)

// Job is one of the jobs.
type Job interface{ Kind() string }

// Keeper exports and imports groups.
type Keeper struct {
	store  *store.Store
	blobs  blob.Store
	drafts string // a folder for what is being written
	limit  int64  // bytes that an archive may have
	wikis  Wikis
	bare   bool // exports hold no wikis
	queue  func(ctx context.Context, job Job) error
	logger *slog.Logger
}

// Wikis packs and unpacks the wikis of groups. One that is not sound when it is unpacked is false; a group without a wiki has nothing to pack.
type Wikis interface {
	PackGroupWiki(ctx context.Context, groupID int64, to io.Writer) error
	UnpackGroupWiki(ctx context.Context, groupID int64, from io.Reader, limit int64) (bool, error)
}

// New takes where files are kept and where unfinished ones may lie, how many bytes an archive may have (0 for any), the wikis and the queue.
func New(st *store.Store, blobs blob.Store, drafts string, limit int64, wikis Wikis, queue func(ctx context.Context, job Job) error, logger *slog.Logger) *Keeper {
	return &Keeper{store: st, blobs: blobs, drafts: drafts, limit: limit, wikis: wikis, queue: queue, logger: logger}
}

// WithoutWikis leaves wikis out of exports, for the tier that has none in them. Imports still read them.
func (k *Keeper) WithoutWikis() *Keeper {
	k.bare = true
	return k
}

// Export has a group exported soon, in the place of an older export.
func (k *Keeper) Export(ctx context.Context, g model.Namespace, userID int64) error {
	return k.store.Tx(ctx, func(ctx context.Context) error {
		at := time.Now().UTC()
		e := model.GroupExport{
			GroupID: g.ID, UserID: userID, State: model.ParcelScheduled, ExpiresAt: at.Add(Kept),
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
func (k *Keeper) Open(ctx context.Context, e model.GroupExport, offset, length int64) (io.ReadCloser, error) {
	return k.blobs.Read(ctx, *e.Key, offset, length)
}

// Upload is an archive that has come and was looked through.
type Upload struct {
	Key     string
	Size    int64
	Records int64
}

// Take takes an archive in and looks through it while it comes. What is no export, or too large, is a *BadArchiveError or ErrTooLarge; then, and
// unless it is imported within a day, nothing of it is kept.
func (k *Keeper) Take(ctx context.Context, from io.Reader) (Upload, error) {
	u := Upload{Key: blob.ExportKey()}
	if err := k.store.AnnounceBlob(ctx, u.Key, time.Now().UTC().Add(uploadTime)); err != nil {
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
		n, err := Read(ctx, looked, nothing{})
		looked.CloseWithError(err) // what is refused need not come to its end
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
		k.forget(ctx, u.Key)
	}
	return u, err
}

// Forget removes an archive that is not imported after all.
func (k *Keeper) Forget(ctx context.Context, u Upload) { k.forget(ctx, u.Key) }

// forget has a file removed soon. Should that fail it is removed later.
func (k *Keeper) forget(ctx context.Context, key string) {
	if err := k.store.AnnounceBlob(context.WithoutCancel(ctx), key, time.Now().UTC()); err != nil {
		k.logger.WarnContext(ctx, "a file is removed a day late", "error", err)
	}
}

// Import has an archive imported soon into a new group.
func (k *Keeper) Import(ctx context.Context, u Upload, groupID, userID int64) error {
	return k.store.Tx(ctx, func(ctx context.Context) error {
		i := model.GroupImport{GroupID: groupID, UserID: userID, State: model.ParcelScheduled, Key: &u.Key, Size: u.Size, Records: u.Records}
		if err := k.store.GroupImports.Create(ctx, &i); err != nil {
			return err
		}
		return k.queue(ctx, Import{ImportID: i.ID})
	})
}

// Rest is the job that does what killed processes have left behind, and removes what has expired.
type Rest struct{}

// Kind names the job in the queue.
func (Rest) Kind() string { return "group_parcels_rest" }

// Rest does what killed processes have left behind.
func (k *Keeper) Rest(ctx context.Context, _ Rest) error {
	now := time.Now().UTC()
	if err := k.store.GroupExports.DeleteExpired(ctx, now); err != nil {
		return err
	}
	exports, err := k.store.GroupExports.Left(ctx, now.Add(-silence), someRows)
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
	imports, err := k.store.GroupImports.Left(ctx, now.Add(-silence), someRows)
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

const gaveUp = "It could not be done within a day; the log of the server says why."

// alive says again and again that somebody works, until the returned function is called.
func (k *Keeper) alive(ctx context.Context, say func(ctx context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if err := say(ctx); err != nil && ctx.Err() == nil {
					k.logger.WarnContext(ctx, "cannot note the progress of an export or import", "error", err)
				}
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// limited fails once more bytes come than are allowed.
type limited struct {
	from io.Reader
	left int64
}

// Read reads on.
func (l *limited) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}
