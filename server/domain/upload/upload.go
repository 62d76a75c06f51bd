// Package upload stores the files that users attach to texts of projects and groups.
//
//	upload.go  store, read and delete a file
//	name.go    names of files: which are safe, which show a picture or play a film
//	text.go    the address and the Markdown of a file
package upload

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/blob"
	"svc/store/clock"
	"svc/store/model"
)

// Service stores and reads uploads.
type Service struct {
	store *store.Store
	blobs blob.Store
}

// New returns a Service. The settings limit the size of files.
func New(st *store.Store, blobs blob.Store) *Service {
	return &Service{store: st, blobs: blobs}
}

// Owner is the project or group that a file belongs to.
type Owner struct {
	store.ResourceOwner
	Entity events.Entity
}

// OfProject returns a project as an owner.
func OfProject(p model.Project) Owner { return Owner{store.OwnedByProject(p), events.Project(p)} }

// OfGroup returns a group as an owner.
func OfGroup(g model.Namespace) Owner { return Owner{store.OwnedByGroup(g), events.Group(g)} }

// uploadTime is the longest time that an upload may take. After that, the bytes of an unfinished upload are removed.
const uploadTime = 24 * time.Hour

// Put stores a file for the caller, under a safe name and a new secret. Nothing is left of an upload that is cut off.
func (s *Service) Put(ctx context.Context, in Owner, name string, from io.Reader) (model.Upload, error) {
	u, err := s.Store(ctx, in, name, from)
	if err != nil {
		return u, err
	}
	return u, apierr.OrNotFound(s.store.Uploads.Create(ctx, &u), "")
}

// Store stores the bytes of a file for the caller. They are removed later unless the caller adds the row to the database.
func (s *Service) Store(ctx context.Context, in Owner, name string, from io.Reader) (model.Upload, error) {
	u := model.Upload{
		ProjectID: in.ProjectID, GroupID: in.GroupID, Secret: newSecret(), Filename: SafeName(name), Key: blob.UploadKey(),
		UploadedByID: &reqctx.Of(ctx).Actor.User.ID,
	}
	if err := s.store.ScheduleBlobRemoval(ctx, u.Key, clock.Now(ctx).UTC().Add(uploadTime)); err != nil {
		return u, err
	}
	sum := sha256.New()
	var err error
	if u.Size, err = s.blobs.Put(ctx, u.Key, io.TeeReader(s.limited(from), sum)); err != nil {
		return u, errors.Join(err, s.store.ScheduleBlobRemoval(context.WithoutCancel(ctx), u.Key, clock.Now(ctx).UTC()))
	}
	u.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return u, nil
}

func newSecret() string {
	var bytes [16]byte
	rand.Read(bytes[:]) // never fails
	return hex.EncodeToString(bytes[:])
}

// limited wraps a reader so that it fails with a 413 after the largest size of the settings.
func (s *Service) limited(from io.Reader) io.Reader {
	limit := s.store.Settings.Current().MaxAttachmentSize << 20
	if limit == 0 {
		return from
	}
	return blob.LimitReader(from, limit, apierr.TooLarge())
}

// Get returns an upload of a project or group by its id, or a 404.
func (s *Service) Get(ctx context.Context, in Owner, id int64) (model.Upload, error) {
	u, err := s.store.Uploads.Get(ctx, in.ResourceOwner, id)
	return u, apierr.OrNotFound(err, "")
}

// GetBySecret returns an upload of a project or group by its secret and name, or a 404.
func (s *Service) GetBySecret(ctx context.Context, in Owner, secret, filename string) (model.Upload, error) {
	u, err := s.store.Uploads.GetBySecret(ctx, in.ResourceOwner, secret, filename)
	return u, apierr.OrNotFound(err, "")
}

// Open reads length bytes of a file, starting at offset.
func (s *Service) Open(ctx context.Context, u model.Upload, offset, length int64) (io.ReadCloser, error) {
	from, err := s.blobs.Read(ctx, u.Key, offset, length)
	if err != nil {
		return nil, fmt.Errorf("read upload %d: %w", u.ID, err)
	}
	return from, nil
}

// Delete deletes a file. Its address is a 404 at once, and its bytes are removed soon after. It fails if the file was
// uploaded after unmodifiedSince.
func (s *Service) Delete(ctx context.Context, in Owner, u model.Upload, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		return events.Change{
			Type: "upload_deleted", Entity: in.Entity, Message: "Deleted an uploaded file",
			Target: events.Target{Type: "Upload", ID: u.ID, Details: u.Filename},
		}, apierr.OrNotFound(s.store.Uploads.Delete(ctx, u.ID, unmodifiedSince), "")
	})
}
