package server

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/blob"
	"svc/store/git"
	"svc/store/lfs"
	"svc/store/storage"
)

// fileStorages are the storages of files outside the database.
type fileStorages struct {
	repositories *git.Repositories
	lfsFiles     *lfs.Files
	blobs        blob.Store
	marks        map[string]*storage.Mark // of the storages of repositories, by name

	folders   []string // folders on disks that must have free space
	freeSpace uint64   // minimum free space in bytes
}

// storageTimeout is how long a bucket may take to answer at the start.
const storageTimeout = 30 * time.Second

// BlobFolder returns the folder of logs and artifacts, and of drafts on their way to a bucket.
func BlobFolder(cfg config.Config) string { return filepath.Join(cfg.Data, "blobs") }

// lfsDrafts returns the folder of Git LFS files on their way to a bucket.
func lfsDrafts(cfg config.Config) string { return filepath.Join(BlobFolder(cfg), "drafts") }

// Folders returns the folders that belong to an instance besides its database: the storages, and the folder of logs and
// artifacts unless they are in a bucket.
func Folders(cfg config.Config) []string {
	folders := slices.Sorted(maps.Values(cfg.Roots()))
	if cfg.BlobURL == "" {
		folders = append(folders, BlobFolder(cfg))
	}
	return folders
}

// openFileStorages opens all storages and makes sure that they belong to this instance.
func openFileStorages(ctx context.Context, cfg config.Config, st *store.Store, logger *slog.Logger) (*fileStorages, error) {
	s := &fileStorages{folders: []string{cfg.Data}, freeSpace: uint64(cfg.MinFreeSpace) << 20}
	var errs [3]error
	s.repositories, errs[0] = git.Open(cfg.Roots())
	s.lfsFiles, errs[1] = lfs.Open(cfg.Roots())
	s.blobs, errs[2] = blob.Open(cfg.BlobURL, BlobFolder(cfg))
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	instance, err := st.Instance.Get(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	if s.marks, err = lifecycle.Marks(cfg.Roots(), instance.ID); err != nil {
		return nil, err
	}
	if err := s.claim(ctx, st, instance.ID, logger); err != nil {
		return nil, err
	}
	for _, mark := range s.marks {
		s.folders = append(s.folders, mark.Folder)
	}
	s.repositories.Guard(s.marks)
	s.lfsFiles.Guard(s.marks)
	if bucket, ok := s.blobs.(blob.Bucket); ok {
		s.lfsFiles.WithBucket(bucket, lfsDrafts(cfg))
	}
	s.blobs.Guard(instance.ID)
	return s, nil
}

// claim marks storages that are new, or whose files were written by a version without marks. It returns an error if a
// storage belongs to another instance; then it marks nothing. If several processes start at the same moment, only one
// of them claims.
func (s *fileStorages) claim(ctx context.Context, st *store.Store, instance string, logger *slog.Logger) error {
	return st.Exclusive(ctx, "storages", func(ctx context.Context) error {
		known, err := st.Instance.Storages(ctx)
		if err != nil {
			return err
		}
		claims := []lifecycle.Claim{lifecycle.ClaimFiles(s.blobs)}
		for _, name := range slices.Sorted(maps.Keys(s.marks)) {
			claims = append(claims, lifecycle.ClaimStorage(s.repositories, s.marks[name]))
		}
		var wanted []lifecycle.Claim
		var refused []error
		for _, claim := range claims {
			missing, err := claim.NeedsMark(ctx, st, instance, known[claim.Name])
			if err != nil {
				refused = append(refused, err)
			} else if missing {
				wanted = append(wanted, claim)
			}
		}
		if err := errors.Join(refused...); err != nil {
			return err
		}
		for _, claim := range wanted {
			if err := claim.Write(ctx, st, instance, logger); err != nil {
				return err
			}
		}
		return nil
	})
}

// check returns an error if a storage cannot be written to now.
func (s *fileStorages) check(ctx context.Context) error {
	errs := []error{s.blobs.Check(ctx)}
	for _, mark := range s.marks {
		errs = append(errs, mark.Check())
	}
	for _, folder := range s.folders {
		errs = append(errs, storage.CheckSpace(folder, s.freeSpace), storage.CheckAccess(folder))
	}
	return errors.Join(errs...)
}
