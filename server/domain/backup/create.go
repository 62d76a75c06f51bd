package backup

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"svc/store"
	"svc/store/blob"
	"svc/store/clock"
	"svc/store/model"
)

// Options are what the caller of Create chooses.
type Options struct {
	Passphrase string    // encrypts the secret key; empty leaves the key out
	Base       io.Reader // an earlier backup: files that it has are left out; nil for none
	Progress   Progress
	Temporary  string // folder for temporary files
}

// creation is a backup that is being written.
type creation struct {
	from       Instance
	out        *archiveWriter
	passphrase string
	base       map[string]indexed // files of the earlier backup
	progress   Progress
	refs       *os.File          // the refs of all repositories at the moment of the backup
	repos      []savedRefs       // where they are in the file
	shared     map[uint64]string // entries whose files have several names, by inode
}

// Create writes a backup. It pauses pushes for a moment, in which it reads all refs and begins to read the database: so
// both are of the same moment. After that it copies files, which never change once they are written. Jobs that remove
// files wait until the backup is complete.
func Create(ctx context.Context, from Instance, to io.Writer, o Options) (Totals, error) {
	ctx = store.Background(ctx) // a table may take longer than a request may
	stop, err := holdRemovals(ctx, from.Store)
	if err != nil {
		return Totals{}, err
	}
	defer stop()
	now := clock.Now(ctx).UTC()
	c := &creation{
		from: from, out: newArchiveWriter(ctx, to, now), passphrase: o.Passphrase, progress: o.Progress, shared: map[uint64]string{},
	}
	defer c.out.sum.stop()
	if c.progress == nil {
		c.progress = func(string, int, int, int64) {}
	}
	manifest := Manifest{Format: Format, ID: rand.Text(), Program: from.Program, Database: "sqlite", CreatedAt: now}
	if from.Store.Postgres() {
		manifest.Database = "postgres"
	}
	if o.Base != nil {
		if manifest.Base, c.base, err = readBase(o.Base); err != nil {
			return Totals{}, fmt.Errorf("read the earlier backup: %w", err)
		}
	}
	if c.refs, err = os.CreateTemp(o.Temporary, "backup-refs-"); err != nil {
		return Totals{}, err
	}
	defer func() {
		c.refs.Close()
		os.Remove(c.refs.Name())
	}()
	files, err := c.database(ctx, manifest)
	if err != nil {
		return Totals{}, err
	}
	if err := c.repositories(ctx); err != nil {
		return Totals{}, err
	}
	if err := c.files(ctx, files); err != nil {
		return Totals{}, err
	}
	err = c.out.finish()
	return c.out.Totals, err
}

// fileList is what the database knows of files outside of it.
type fileList struct {
	blobs []savedFile
	lfs   []model.LfsObject
}

// savedFile is a file of the blob store.
type savedFile struct {
	key      string
	size     int64
	appended bool // it is a log, which grows
}

// lockTries is how often the database is looked at again because a repository was created before all were locked.
const lockTries = 10

// database reads all refs and the database at one moment, and writes the manifest, the keys and the rows.
func (c *creation) database(ctx context.Context, m Manifest) (files fileList, err error) {
	locks := repositoryLocks{}
	defer locks.release()
	for range lockTries {
		if err := c.lockRepositories(ctx, locks); err != nil {
			return files, err
		}
		err = c.from.Store.Snapshot(ctx, func(ctx context.Context) error {
			instance, err := c.from.Store.Instance.Get(ctx) // the first statement is the moment of the backup
			if err != nil {
				return err
			}
			if err := c.saveRefs(ctx, locks); err != nil {
				return err
			}
			locks.release()
			m.Instance = instance.ID
			files, err = c.rows(ctx, m)
			return err
		})
		if !errors.Is(err, errNotLocked) {
			break
		}
	}
	return files, err
}

// rows writes the manifest, the keys and the rows of the database, and returns the files that the database knows.
func (c *creation) rows(ctx context.Context, m Manifest) (files fileList, err error) {
	if m.Schema, err = c.from.Store.SchemaVersion(ctx); err != nil {
		return files, err
	}
	m.Storages = c.from.Repositories.Storages()
	if m.Tables, err = c.from.Store.DumpTables(ctx); err != nil {
		return files, err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return files, err
	}
	if err := c.out.addBytes(manifestName, text); err != nil {
		return files, err
	}
	c.out.Files, c.out.Bytes = 0, 0  // the totals count what is saved
	if err := c.keys(); err != nil { // first, so that a restore with a wrong passphrase ends at once
		return files, err
	}
	if err := c.writeDatabase(ctx, m.Tables); err != nil {
		return files, err
	}
	return c.listFiles(ctx)
}

// listFiles returns the files that the database knows.
func (c *creation) listFiles(ctx context.Context) (all fileList, err error) {
	known := map[string]bool{} // two rows may have the same file
	for _, kind := range blob.Kinds {
		err := c.from.Store.Instance.EachFile(ctx, kind, func(f model.StoredFile) error {
			logged := kind == blob.Logs
			if !known[f.Key] && (!logged || f.Size > 0) {
				known[f.Key] = true
				all.blobs = append(all.blobs, savedFile{f.Key, f.Size, logged})
			}
			return nil
		})
		if err != nil {
			return all, err
		}
	}
	err = c.from.Store.Instance.EachLFSObject(ctx, func(o model.LfsObject) error {
		all.lfs = append(all.lfs, o)
		return nil
	})
	return all, err
}

const (
	// heldFor is how long removals wait after the last sign of life of a backup.
	heldFor   = 10 * time.Minute
	heldAgain = time.Minute
)

// holdRemovals makes jobs that remove files wait until the returned function is called, or until this process has ended.
func holdRemovals(ctx context.Context, st *store.Store) (stop func(), err error) {
	if err := st.Instance.HoldRemovals(ctx, clock.Now(ctx).Add(heldFor)); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(heldAgain)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				_ = st.Instance.HoldRemovals(ctx, clock.Now(ctx).Add(heldFor)) // the next attempt comes soon enough
			}
		}
	}()
	return func() {
		cancel()
		<-done
		// Another backup may be running, which has set the same time: it has a minute to set it again. If this fails, the
		// time passes by itself.
		_ = st.Instance.HoldRemovals(context.WithoutCancel(ctx), clock.Now(ctx).Add(heldAgain+heldAgain/2))
	}, nil
}

// readBase returns the ID and the files of an earlier backup.
func readBase(from io.Reader) (id string, files map[string]indexed, err error) {
	r := newArchiveReader(from)
	defer r.sum.stop()
	m, err := r.manifest()
	if err != nil {
		return "", nil, err
	}
	for {
		name, _, err := r.next()
		if err != nil {
			return "", nil, err
		}
		if name == indexName {
			break
		}
	}
	lines, _, err := r.readIndex()
	files = map[string]indexed{}
	for _, line := range lines {
		if line.Link == "" {
			files[line.Name] = line
		}
	}
	return m.ID, files, err
}
