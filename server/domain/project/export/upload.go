package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"time"

	"svc/server/domain/archive"
	"svc/server/platform/outbound"
	"svc/store/blob"
	"svc/store/clock"
	"svc/store/model"
)

// Upload is an archive in the blob store that was checked.
type Upload struct {
	Key     string
	Size    int64
	Project Project
}

// Receive stores an archive and checks it while it arrives. If the file is not an export or too large, it returns a
// *archive.BadArchiveError or archive.ErrTooLarge and deletes the file. The file is also deleted if it is not imported
// within a day.
func (s *Service) Receive(ctx context.Context, from io.Reader) (Upload, error) {
	u := Upload{Key: blob.ExportKey()}
	if err := s.Store.ScheduleBlobRemoval(ctx, u.Key, clock.Now(ctx).UTC().Add(uploadTime)); err != nil {
		return u, err
	}
	if limit := s.maxBytes(); limit > 0 {
		from = &archive.Limited{From: from, Left: limit}
	}
	check, stored := io.Pipe()
	done := make(chan error, 1)
	go func() {
		var err error
		u.Project, _, err = Read(ctx, check, discard{})
		check.CloseWithError(err) // a refused upload need not be read to its end
		done <- err
	}()
	size, err := s.Blobs.Put(ctx, u.Key, io.TeeReader(from, stored))
	stored.CloseWithError(err) // nil is the end of the file
	checked := <-done
	u.Size = size
	if err == nil {
		err = checked
	}
	if err != nil {
		s.discard(ctx, u.Key)
	}
	return u, err
}

// maxBytes returns the largest size of an archive; 0 if there is no limit.
func (s *Service) maxBytes() int64 { return s.Store.Settings.Current().MaxImportSize << 20 }

// Discard removes an archive that will not be imported.
func (s *Service) Discard(ctx context.Context, u Upload) { s.discard(ctx, u.Key) }

// discard schedules the removal of a file. If that fails, the file is removed later.
func (s *Service) discard(ctx context.Context, key string) {
	if err := s.Store.ScheduleBlobRemoval(context.WithoutCancel(ctx), key, clock.Now(ctx).UTC()); err != nil {
		s.Logger.WarnContext(ctx, "cannot schedule the removal of a file; it is removed a day later", "error", err)
	}
}

const (
	idleTime     = time.Minute // in which the server must send something
	downloadTime = 50 * time.Minute
	maxRedirects = 5
)

// archiveTypes are the types of content that an archive at a URL can have.
var archiveTypes = []string{
	"application/gzip", "application/x-gzip", "application/x-tar", "application/x-compressed", "application/octet-stream",
	"binary/octet-stream",
}

// download fetches the archive of an import from its URL, checks it and stores it.
func (s *Service) download(ctx context.Context, i *model.ProjectFileImport) error {
	sealed, err := s.Store.ProjectImports.Get(ctx, i.ProjectID)
	if err != nil {
		return err
	}
	text, err := s.vault.Open(sealed.Sealed, owner(i.ProjectID))
	if err != nil {
		return bad("The URL cannot be read any more, because the secret key of the service was replaced.")
	}
	at, err := outbound.Parse(string(text))
	if err != nil {
		return bad("The URL is invalid.")
	}
	limited, cancel := context.WithTimeout(ctx, downloadTime)
	defer cancel()
	res, _, err := s.Client.Follow(limited, outbound.StreamRequest{
		URL: at, Idle: idleTime, Header: http.Header{"User-Agent": {s.Agent}, "Accept": {"*/*"}, "Accept-Encoding": {"identity"}},
	}, maxRedirects)
	if err != nil {
		return explainDownload(ctx, err)
	}
	defer res.Body.Close()
	if err := s.checkResponse(res); err != nil {
		return err
	}
	u, err := s.Receive(limited, res.Body)
	if err != nil {
		return explainDownload(ctx, err)
	}
	i.Key, i.Size = &u.Key, u.Size
	return s.Store.ProjectFileImports.SetFile(ctx, *i)
}

// checkResponse refuses a response that has no archive, or too large a one.
func (s *Service) checkResponse(res *outbound.StreamResponse) error {
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch limit := s.maxBytes(); {
	case res.Status != http.StatusOK:
		return bad("The server responded with the status %d.", res.Status)
	case res.Length < 0:
		return bad("The server does not send the header Content-Length.")
	case !slices.Contains(archiveTypes, kind):
		return bad("The server sends the content type %.100q, which is not that of an archive.", kind)
	case limit > 0 && res.Length > limit:
		return bad("The archive is larger than %d MiB, the limit for imports.", limit>>20)
	}
	return nil
}

// explainDownload returns an error that the user may read, unless the service itself has ended the download.
func explainDownload(ctx context.Context, err error) error {
	var blocked *outbound.BlockedError
	var refused *archive.BadArchiveError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &refused):
		return err
	case errors.As(err, &blocked):
		return bad("The URL is blocked: %s.", blocked.Reason)
	case errors.Is(err, archive.ErrTooLarge):
		return bad("The archive is larger than the limit for imports.")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, outbound.ErrTimeout), errors.Is(err, outbound.ErrIdle):
		return bad("The server does not send the archive, or sends it too slowly.")
	}
	return fmt.Errorf("download an archive: %w", err)
}
