package export

import (
	"context"
	"io"

	"svc/server/domain/archive"
	"svc/store/blob"
	"svc/store/clock"
)

// Upload is an uploaded archive that was checked.
type Upload struct {
	Key     string
	Size    int64
	Records int64
}

// ReceiveUpload stores an uploaded archive and checks it while it arrives. If the file is not an export or too large,
// it returns a *BadArchiveError or ErrTooLarge and deletes the file. The file is also deleted if it is not imported
// within a day.
func (s *Service) ReceiveUpload(ctx context.Context, from io.Reader) (Upload, error) {
	u := Upload{Key: blob.ExportKey()}
	if err := s.store.ScheduleBlobRemoval(ctx, u.Key, clock.Now(ctx).UTC().Add(uploadTime)); err != nil {
		return u, err
	}
	if limit := s.store.Settings.Current().MaxImportSize << 20; limit > 0 {
		from = &archive.Limited{From: from, Left: limit}
	}
	check, stored := io.Pipe()
	type result struct {
		records int64
		err     error
	}
	done := make(chan result, 1)
	go func() {
		n, err := Read(ctx, check, discardSink{})
		check.CloseWithError(err) // a refused upload need not be read to its end
		done <- result{n, err}
	}()
	var err error
	u.Size, err = s.blobs.Put(ctx, u.Key, io.TeeReader(from, stored))
	stored.CloseWithError(err) // nil is the end of the file
	checked := <-done
	u.Records = checked.records
	if err == nil {
		err = checked.err
	}
	if err != nil {
		s.discard(ctx, u.Key)
	}
	return u, err
}

// DiscardUpload removes an archive that will not be imported.
func (s *Service) DiscardUpload(ctx context.Context, u Upload) { s.discard(ctx, u.Key) }

// discard schedules the removal of a file. If that fails, the file is removed later.
func (s *Service) discard(ctx context.Context, key string) {
	if err := s.store.ScheduleBlobRemoval(context.WithoutCancel(ctx), key, clock.Now(ctx).UTC()); err != nil {
		s.logger.WarnContext(ctx, "cannot schedule the removal of a file; it is removed a day later", "error", err)
	}
}
