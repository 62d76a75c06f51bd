package packages

import (
	"context"
	"fmt"
	"io"
	"time"

	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// downloadPrecision is how exactly the time of the last download is known. A package that many clients download is not
// written at every download.
const downloadPrecision = time.Minute

// Find returns the newest file with a name in a version of a package. A package without a version has the version "".
func (s *Service) Find(ctx context.Context, projectID int64, kind, name, version, file string) (Published, error) {
	row, err := s.store.Packages.GetVersion(ctx, projectID, kind, name, version)
	if err != nil {
		return Published{}, err
	}
	found, err := s.store.PackageFiles.Newest(ctx, row.ID, file)
	return Published{Package: row, File: found}, err
}

// Open reads length bytes of a file, starting at offset.
func (s *Service) Open(ctx context.Context, file model.PackageFile, offset, length int64) (io.ReadCloser, error) {
	from, err := s.blobs.Read(ctx, file.Key, offset, length)
	if err != nil {
		return nil, fmt.Errorf("read package file %d: %w", file.ID, err)
	}
	return from, nil
}

// RecordDownload stores that a package was downloaded now.
func (s *Service) RecordDownload(ctx context.Context, p model.Package) error {
	now := clock.Now(ctx).UTC()
	if p.LastDownloadedAt != nil && now.Sub(*p.LastDownloadedAt) < downloadPrecision {
		return nil
	}
	return s.store.Packages.SetDownloaded(ctx, p.ID, now)
}

// maxOtherVersions is the largest number of other versions that are shown with a package.
const maxOtherVersions = 300

// OtherVersions returns the newest other versions of a package.
func (s *Service) OtherVersions(ctx context.Context, p model.Package) ([]model.PackageRow, error) {
	return s.store.Packages.OtherVersions(ctx, p, maxOtherVersions)
}

// Listed are the statuses of packages that lists show unless they ask for others.
var Listed = []string{model.PackageDefault, model.PackageDeprecated, "error"}

// Get returns a package of a project that clients can see.
func (s *Service) Get(ctx context.Context, projectID, id int64) (model.PackageRow, error) {
	row, err := s.store.Packages.Get(ctx, projectID, id)
	if err == nil && row.Package.Status != model.PackageDefault && row.Package.Status != model.PackageDeprecated {
		err = &store.NotFoundError{Resource: "Package"}
	}
	return row, err
}
