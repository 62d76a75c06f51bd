package relationexport

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"

	"svc/server/domain/archive"
	"svc/store/blob"
	"svc/store/clock"
	"svc/store/model"
)

// write writes the files of a relation and stores them. A relation without records has one empty file.
func (s *Service) write(ctx context.Context, e model.RelationExport, relation string, records archive.Records) error {
	w := &writer{Service: s, export: e, relation: relation}
	err := records(func(record any) error { return w.put(ctx, record) })
	if err == nil && w.open == nil {
		err = w.begin(ctx)
	}
	if w.open != nil {
		err = errors.Join(err, w.end(err))
	}
	if err == nil {
		err = s.Store.RelationExports.AddFiles(ctx, e.ID, relation, w.files)
	}
	if err != nil {
		w.discard(ctx)
	}
	return err
}

// writer writes the records of a relation to files.
type writer struct {
	*Service

	export   model.RelationExport
	relation string
	files    []model.RelationExportFile // the last one is written to, if open is not nil
	open     *openFile
}

// openFile is a file that is being written.
type openFile struct {
	pipe *io.PipeWriter
	zip  *gzip.Writer
	out  *json.Encoder
	done chan stored
}

// stored is the outcome of writing a file.
type stored struct {
	size   int64
	sha256 string
	err    error
}

// put writes a record, to a new file if the one before is full.
func (w *writer) put(ctx context.Context, record any) error {
	if w.open != nil && w.export.Batched && w.files[len(w.files)-1].Records == batchSize {
		if err := w.end(nil); err != nil {
			return err
		}
	}
	if w.open == nil {
		if err := w.begin(ctx); err != nil {
			return err
		}
	}
	w.files[len(w.files)-1].Records++
	return w.open.out.Encode(record)
}

// begin begins a new file, which is removed after a while if it is not stored.
func (w *writer) begin(ctx context.Context) error {
	key := blob.ExportKey()
	if err := w.Store.ScheduleBlobRemoval(ctx, key, clock.Now(ctx).UTC().Add(writeTime)); err != nil {
		return err
	}
	read, write := io.Pipe()
	f := &openFile{pipe: write, zip: gzip.NewWriter(write), done: make(chan stored, 1)}
	f.out = json.NewEncoder(f.zip)
	f.out.SetEscapeHTML(false)
	go func() {
		sum := sha256.New()
		size, err := w.Blobs.Put(ctx, key, io.TeeReader(read, sum))
		read.CloseWithError(err) // stops the one who writes
		f.done <- stored{size, hex.EncodeToString(sum.Sum(nil)), err}
	}()
	w.open = f
	w.files = append(w.files, model.RelationExportFile{
		ExportID: w.export.ID, Relation: w.relation, BatchNumber: int64(len(w.files) + 1), Key: key,
	})
	return nil
}

// end ends the file that is being written; failed is why no more records follow, if that is an error.
func (w *writer) end(failed error) error {
	f, file := w.open, &w.files[len(w.files)-1]
	w.open = nil
	if failed == nil {
		failed = f.zip.Close()
	}
	f.pipe.CloseWithError(failed) // nil is the end of the file
	result := <-f.done
	file.Size, file.SHA256 = result.size, result.sha256
	return result.err
}

// discard schedules the removal of all files. If that fails, they are removed later.
func (w *writer) discard(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	for _, file := range w.files {
		if err := w.Store.ScheduleBlobRemoval(ctx, file.Key, clock.Now(ctx).UTC()); err != nil {
			w.Logger.WarnContext(ctx, "cannot schedule the removal of a file; it is removed a day later", "error", err)
		}
	}
}
