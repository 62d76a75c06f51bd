package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"svc/store"
)

// RestoreOptions are what the caller of Restore chooses.
type RestoreOptions struct {
	Passphrase string
	SaveKey    func(key string) error // stores the secret key of the backup; called if there is a passphrase
	Bases      []io.Reader            // earlier backups that have files which this one leaves out
	Progress   Progress
}

// Restored says what Restore has done.
type Restored struct {
	Totals
	Manifest    Manifest
	KeyRestored bool // the secret key is stored
	KeyLeft     bool // the backup has the secret key, but the passphrase was not given
}

// restoration is a backup that is being restored.
type restoration struct {
	to      Instance
	options RestoreOptions
	loader  *store.Loader
	tables  map[string]store.DumpTable
	damaged []string // files that were damaged when they were saved
	saved   Totals   // what the backup says it has
	Totals
	result Restored
	rows   chan rowsEntry // to insert
}

// NewerError is returned for a backup that a newer program made.
type NewerError struct{ Manifest Manifest }

func (e *NewerError) Error() string {
	return fmt.Sprintf("svc %s made this backup (format %d, schema %d), which is newer than this program; restore it with that version",
		e.Manifest.Program, e.Manifest.Format, e.Manifest.Schema)
}

// Archive is a backup of which only the manifest was read.
type Archive struct {
	Manifest Manifest
	reader   *archiveReader
}

// Open reads the manifest of a backup.
func Open(from io.Reader) (*Archive, error) {
	reader := newArchiveReader(from)
	m, err := reader.manifest()
	return &Archive{Manifest: m, reader: reader}, err
}

// Fits returns an error unless a program with the given newest schema and storages can restore the backup. bases is the
// number of earlier backups at hand.
func (a *Archive) Fits(newest int64, storages []string, bases int) error {
	m := a.Manifest
	if m.Format > Format || m.Schema > newest {
		return &NewerError{m}
	}
	for _, name := range m.Storages {
		if !slices.Contains(storages, name) {
			return fmt.Errorf("the backup has the storage %s, which the settings do not have: name its folder with --storages", name)
		}
	}
	if m.Base != "" && bases == 0 {
		return fmt.Errorf("some files are only in the earlier backup %s: name its file, and the ones before it, with --base", m.Base)
	}
	return nil
}

// Restore reads a backup into an empty instance. The database is filled in one transaction, which ends after all files
// are in their places and on disk, and the whole backup was read and found complete: if anything fails, the database
// stays empty. The database makes its tables and inserts rows while files are being written.
func Restore(ctx context.Context, to Instance, from *Archive, o RestoreOptions) (Restored, error) {
	m := from.Manifest
	r := &restoration{to: to, options: o, tables: map[string]store.DumpTable{}, rows: make(chan rowsEntry, rowsWaiting)}
	if r.options.Progress == nil {
		r.options.Progress = func(string, int, int, int64) {}
	}
	r.result.Manifest = m
	for _, t := range m.Tables {
		r.tables[t.Name] = t
	}
	ctx, cancel := context.WithCancel(ctx)
	read := make(chan error, 1)
	go func() {
		defer close(r.rows)
		defer from.reader.sum.stop()
		read <- r.read(ctx, from.reader, m, o.Bases)
	}()
	err := r.fill(ctx, m, read)
	cancel()
	for range r.rows { // until the reading has ended, also after an error
		continue
	}
	r.Missing = append(r.Missing, r.damaged...)
	r.result.Totals = r.Totals
	return r.result, err
}

// fill makes the tables and inserts the rows. It ends the transaction after everything was read.
func (r *restoration) fill(ctx context.Context, m Manifest, read <-chan error) error {
	if err := r.to.Store.MigrateTo(ctx, m.Schema); err != nil {
		return err
	}
	return r.to.Store.Load(ctx, m.Tables, func(ctx context.Context, l *store.Loader) error {
		r.loader = l
		for entry := range r.rows {
			if err := r.insertRows(ctx, entry); err != nil {
				return fmt.Errorf("restore %s: %w", entry.name, err)
			}
		}
		if err := <-read; err != nil {
			return err
		}
		if r.Rows != r.saved.Rows {
			return fmt.Errorf("the backup is damaged: it has %d rows instead of %d", r.Rows, r.saved.Rows)
		}
		if err := r.placeLFS(ctx); err != nil {
			return err
		}
		syscall.Sync() // one for all files is much quicker than one for each
		return nil
	})
}

// read restores all files, and passes rows on. It restores also the files that only earlier backups have.
func (r *restoration) read(ctx context.Context, archive *archiveReader, m Manifest, bases []io.Reader) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		name, size, err := archive.next()
		if err != nil {
			return err
		}
		if name == indexName {
			break
		}
		if err := r.entry(ctx, name, size, archive.until(ctx)); err != nil {
			return fmt.Errorf("restore %s: %w", name, err)
		}
	}
	lines, last, err := archive.readIndex()
	if err != nil {
		return err
	}
	if err := archive.verify(lines); err != nil {
		return err
	}
	if err := r.fromBases(ctx, lines, m, bases); err != nil {
		return err
	}
	for _, line := range lines {
		if line.Link != "" {
			if err := r.linkObjects(line); err != nil {
				return fmt.Errorf("restore %s: %w", line.Name, err)
			}
		}
	}
	r.Missing, r.saved = last.Missing, last.Totals
	return nil
}

// entry restores one entry.
func (r *restoration) entry(ctx context.Context, name string, size int64, from io.Reader) error {
	r.Files++
	r.Bytes += size
	r.options.Progress("entries", r.Files, 0, r.Bytes)
	switch {
	case strings.HasPrefix(name, databasePrefix):
		return r.readRows(ctx, name, size, from)
	case strings.HasPrefix(name, repositoryPrefix):
		return r.readRepository(name, from)
	case strings.HasPrefix(name, blobPrefix):
		return r.readBlob(ctx, name, size, from)
	case strings.HasPrefix(name, lfsPrefix):
		return r.readLFS(ctx, name, size, from)
	case strings.HasPrefix(name, "keys/"):
		return r.readKey(name, from)
	}
	return errors.New("this version of the program does not know this kind of entry")
}

// fromBases restores the files that the backup left out, from the earlier backups that have them.
func (r *restoration) fromBases(ctx context.Context, lines []indexed, m Manifest, bases []io.Reader) error {
	wanted := map[string]indexed{}
	for _, line := range lines {
		if line.Base {
			wanted[line.Name] = line
		}
	}
	for _, base := range bases {
		if err := r.fromBase(ctx, base, wanted); err != nil {
			return fmt.Errorf("earlier backup: %w", err)
		}
	}
	if len(wanted) > 0 {
		return fmt.Errorf("%d files are in an earlier backup (%s): name it, and the ones before it, with --base", len(wanted), m.Base)
	}
	return nil
}

func (r *restoration) fromBase(ctx context.Context, base io.Reader, wanted map[string]indexed) error {
	archive := newArchiveReader(base)
	defer archive.sum.stop()
	if _, err := archive.manifest(); err != nil {
		return err
	}
	for len(wanted) > 0 {
		name, size, err := archive.next()
		if err != nil {
			return err
		}
		if name == indexName {
			return nil
		}
		line, ok := wanted[name]
		if !ok {
			continue
		}
		if err := r.entry(ctx, name, size, archive.until(ctx)); err != nil {
			return fmt.Errorf("restore %s: %w", name, err)
		}
		archive.finishEntry()
		archive.sum.wait()
		line.Base = false
		if *archive.read[name] != line {
			return fmt.Errorf("the content of %s has changed", name)
		}
		delete(wanted, name)
	}
	return nil
}

// Check reads a whole backup and compares it with its index, without restoring anything.
func Check(from io.Reader) (Manifest, Totals, error) {
	archive := newArchiveReader(from)
	defer archive.sum.stop()
	m, err := archive.manifest()
	if err == nil && m.Format > Format {
		err = &NewerError{m}
	}
	if err != nil {
		return m, Totals{}, err
	}
	for {
		name, _, err := archive.next()
		if err != nil {
			return m, Totals{}, err
		}
		if name == indexName {
			break
		}
		if _, err := io.Copy(io.Discard, archive); err != nil {
			return m, Totals{}, err
		}
	}
	lines, last, err := archive.readIndex()
	if err != nil {
		return m, Totals{}, err
	}
	return m, last.Totals, archive.verify(lines)
}
