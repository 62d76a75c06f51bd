package packages

import (
	"context"
	"time"

	"svc/server/platform/events"
	"svc/store/model"
)

// Delete deletes a package with its files, on behalf of a user with the given role. The name is free at once; a
// background job removes the bytes. The list of versions of a Maven artifact no longer names a version that is deleted.
// With unmodifiedSince, it fails if the package has changed since then.
func (s *Service) Delete(ctx context.Context, in model.ProjectRow, p model.Package, unmodifiedSince *time.Time) error {
	if err := s.checkDelete(ctx, in, p); err != nil {
		return err
	}
	list, err := s.mavenListWithout(ctx, p)
	if err != nil {
		return err
	}
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Packages.Delete(ctx, p, unmodifiedSince)
		if err == nil {
			err = list.apply(ctx, s.store)
		}
		return change(in.Project, p, "package_deleted", "Deleted package"), err
	})
}

// DeleteFile deletes a file of a package. With unmodifiedSince, it fails if the file has changed since then.
func (s *Service) DeleteFile(
	ctx context.Context, in model.ProjectRow, p model.Package, fileID int64, unmodifiedSince *time.Time,
) error {
	if err := s.checkDelete(ctx, in, p); err != nil {
		return err
	}
	file, err := s.store.PackageFiles.Get(ctx, p.ID, fileID)
	if err != nil {
		return err
	}
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.PackageFiles.Delete(ctx, file, unmodifiedSince)
		c := change(in.Project, p, "package_file_deleted", "Deleted file of package")
		c.Remove = file.FileName
		return c, err
	})
}

// change describes a change of a package for the audit log.
func change(in model.Project, p model.Package, kind, message string) events.Change {
	name := p.Name
	if p.Version != nil {
		name += "/" + *p.Version
	}
	return events.Change{
		Type: kind, Entity: events.Project(in), Message: message,
		Target: events.Target{Type: "Packages::Package", ID: p.ID, Details: name},
	}
}
