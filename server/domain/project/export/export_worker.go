package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"svc/server/domain/archive"
	"svc/server/domain/repository/lifecycle"
	"svc/store"
	"svc/store/blob"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// Export is the job that writes the export of a project.
type Export struct {
	ExportID int64 `json:"export_id"`
}

// Kind returns the name of the job in the queue.
func (Export) Kind() string { return "project_export" }

// RunExport writes the export of a project. It can be repeated after an interruption at any point, because the export
// refers to the file only once the file is complete.
func (s *Service) RunExport(ctx context.Context, job Export) error {
	e, err := s.Store.ProjectExports.Get(ctx, job.ExportID)
	if store.IsNotFound(err) || (err == nil && e.State != model.ExportScheduled && e.State != model.ExportStarted) {
		return nil // replaced, or done
	}
	if err != nil {
		return err
	}
	if err := s.Store.ProjectExports.Touch(ctx, e.ID); err != nil {
		return err
	}
	defer archive.ReportProgress(ctx, s.Logger, func(ctx context.Context) error { return s.Store.ProjectExports.Touch(ctx, e.ID) })()
	err = s.export(ctx, e)
	var refused *archive.BadArchiveError
	if errors.As(err, &refused) {
		return s.Store.ProjectExports.Fail(ctx, e.ID, refused.Text)
	}
	return err
}

func (s *Service) export(ctx context.Context, e model.ProjectExport) error {
	key := blob.ExportKey()
	if err := s.Store.ScheduleBlobRemoval(ctx, key, clock.Now(ctx).UTC().Add(uploadTime)); err != nil {
		return err
	}
	read, write := io.Pipe()
	go func() { write.CloseWithError(s.pack(ctx, e, write)) }()
	sum := sha256.New()
	size, err := s.Blobs.Put(ctx, key, io.TeeReader(read, sum))
	read.CloseWithError(err) // stops the goroutine that packs
	if err == nil {
		e.Key, e.Size, e.SHA256 = &key, size, hex.EncodeToString(sum.Sum(nil))
		e.ExpiresAt = clock.Now(ctx).UTC().Add(Lifetime)
		err = s.Store.ProjectExports.Finish(ctx, e)
	}
	if err != nil {
		s.discard(ctx, key)
	}
	if store.IsNotFound(err) {
		return nil // replaced meanwhile, or the project is deleted
	}
	return err
}

// pack writes a project, as it is at one moment. The repository is read after that moment, so it has all commits that the
// records name.
func (s *Service) pack(ctx context.Context, e model.ProjectExport, to io.Writer) error {
	return s.Store.Snapshot(ctx, func(ctx context.Context) error {
		row, err := s.mayExport(ctx, e.ProjectID, e.UserID)
		if err != nil {
			return err
		}
		w := archive.NewWriter(to, s.TempFolder, clock.Now(ctx))
		defer w.Discard()
		x := &exporter{Service: s, Writer: w, p: row.Project}
		p, err := s.settings(ctx, row.Project)
		if err != nil {
			return err
		}
		if e.Description != nil {
			p.Texts["description"] = e.Description
		}
		if err := errors.Join(w.Text(versionFile, version), w.JSON(projectFile, p)); err != nil {
			return err
		}
		for _, step := range []func(context.Context) error{x.repository, x.wiki, x.lfs, x.uploads, x.avatar, x.parts} {
			if err := step(ctx); err != nil {
				return err
			}
		}
		return w.Close()
	})
}

// settings returns the settings of a project, and the last numbers of its issues and merge requests.
func (s *Service) settings(ctx context.Context, row model.Project) (p Project, err error) {
	p = projectOf(row)
	p.Issues, p.MergeRequests, err = s.Store.ProjectContents.LastNumbers(ctx, row.ID)
	return p, err
}

// mayExport returns the project, and checks that the user who requested the export is still an active maintainer.
func (s *Service) mayExport(ctx context.Context, projectID, userID int64) (model.ProjectRow, error) {
	u, err := s.Store.Users.Get(ctx, userID)
	if err != nil {
		return model.ProjectRow{}, err
	}
	row, err := s.Store.Projects.Get(ctx, projectID, "", &store.Reader{UserID: u.ID, Admin: u.Admin, External: u.External})
	if err != nil {
		return row, err
	}
	if u.State != model.UserActive || row.Role() < model.Maintainer {
		return row, bad("the user who requested the export may no longer export the project")
	}
	return row, nil
}

// exporter writes the parts of a project.
type exporter struct {
	*Service
	*archive.Writer

	p model.Project
}

// repository writes the bundle of the repository.
func (x *exporter) repository(ctx context.Context) error {
	repo, err := x.Repos.OpenProject(x.p.RepositoryStorage, x.p.ID, x.p.EmptyRepo)
	if err != nil || x.p.EmptyRepo {
		return err
	}
	refs, err := repo.BundledRefs()
	if err != nil {
		return err
	}
	return x.Bytes(bundleFile, func(to io.Writer) error { return repo.WriteBundle(ctx, refs, to) })
}

// wiki writes the bundle of the wiki.
func (x *exporter) wiki(ctx context.Context) error {
	repo, head, err := x.Wikis.Open(ctx, lifecycle.Owner{Kind: model.ProjectWikiRepository, ID: x.p.ID})
	if err != nil || head == "" {
		return err
	}
	refs := []git.Ref{{Name: wikiRef, ID: head}}
	return x.Bytes(wikiFile, func(to io.Writer) error { return repo.WriteBundle(ctx, refs, to) })
}

const wikiRef = "refs/heads/" + model.SideBranch

// lfs writes the Git LFS objects.
func (x *exporter) lfs(ctx context.Context) error {
	last := ""
	for {
		rows, err := x.Store.ProjectContents.LFSAfter(ctx, x.p.ID, last, batchSize)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := x.lfsObject(ctx, row.Oid); err != nil {
				return err
			}
			last = row.Oid
		}
		if len(rows) < batchSize {
			return nil
		}
	}
}

func (x *exporter) lfsObject(ctx context.Context, oid string) error {
	file, object, err := x.LFS.Open(ctx, x.p.ID, oid)
	if err != nil {
		return err
	}
	defer file.Close()
	return x.File(lfsFolder+oid, object.Size, file)
}

// uploads writes the files that users have attached to texts: first their list, then their bytes.
func (x *exporter) uploads(ctx context.Context) error {
	next := func(last *model.Upload) ([]model.Upload, error) {
		return x.Store.ProjectContents.UploadsAfter(ctx, x.p.ID, last.ID, batchSize)
	}
	err := x.Lines(uploadIndex, pages(next, func(u model.Upload) any {
		return UploadEntry{Secret: u.Secret, Filename: u.Filename, Size: u.Size}
	}))
	if err != nil {
		return err
	}
	return pages(next, func(u model.Upload) any { return u })(func(record any) error {
		u, _ := record.(model.Upload)
		from, err := x.Blobs.Read(ctx, u.Key, 0, u.Size)
		if err != nil {
			return err
		}
		defer from.Close()
		return x.File(uploadFiles+u.Secret, u.Size, from)
	})
}

// avatar writes the picture of the project.
func (x *exporter) avatar(ctx context.Context) error {
	if x.p.Avatar == nil {
		return nil
	}
	picture, err := x.Store.Avatars.Get(ctx, model.AvatarProject, x.p.ID)
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return x.Text(avatarFile, string(picture.Data))
}

// pages puts rows that are read page by page. Each page begins after the last row of the page before.
func pages[T any](after func(last *T) ([]T, error), show func(T) any) archive.Records {
	return func(put func(record any) error) error {
		var last T
		for {
			rows, err := after(&last)
			if err != nil {
				return err
			}
			for _, row := range rows {
				if err := put(show(row)); err != nil {
					return err
				}
			}
			if len(rows) < batchSize {
				return nil
			}
			last = rows[len(rows)-1]
		}
	}
}
