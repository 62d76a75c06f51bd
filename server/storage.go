package server

import (
	"context"
	"errors"
	"fmt"
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
	repos *git.Repositories
	large *lfs.Files
	blobs blob.Store
	marks map[string]*storage.Mark // of the storages, by name

	folders []string // folders on disks that must have free space
	space   uint64   // bytes of free space
}

// storageTimeout is how long a bucket may take to answer at the start.
const storageTimeout = 30 * time.Second

func blobFolder(cfg config.Config) string { return filepath.Join(cfg.Data, "blobs") }

// Folders returns the folders that belong to an instance besides its database: the storages, and the folder of logs and
// artifacts unless they are in a bucket.
func Folders(cfg config.Config) []string {
	folders := slices.Sorted(maps.Values(cfg.Roots()))
	if cfg.BlobURL == "" {
		folders = append(folders, blobFolder(cfg))
	}
	return folders
}

// openStorages opens all storages and makes sure that they belong to this instance.
func openStorages(ctx context.Context, cfg config.Config, st *store.Store, logger *slog.Logger) (*fileStorages, error) {
	p := &fileStorages{folders: []string{cfg.Data}, space: uint64(cfg.MinFreeSpace) << 20}
	var errs [3]error
	p.repos, errs[0] = git.Open(cfg.Roots())
	p.large, errs[1] = lfs.Open(cfg.Roots())
	p.blobs, errs[2] = blob.Open(cfg.BlobURL, blobFolder(cfg))
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	instance, err := st.Instance.Get(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	if p.marks, err = marks(cfg, instance.ID); err != nil {
		return nil, err
	}
	if err := p.claim(ctx, st, instance.ID, logger); err != nil {
		return nil, err
	}
	for _, mark := range p.marks {
		p.folders = append(p.folders, mark.Folder)
	}
	p.repos.Guard(p.marks)
	p.large.Guard(p.marks)
	p.blobs.Guard(instance.ID)
	return p, nil
}

// marks returns the marks that the storages must have.
func marks(cfg config.Config, instance string) (map[string]*storage.Mark, error) {
	all := map[string]*storage.Mark{}
	for name, root := range cfg.Roots() {
		folder, err := filepath.Abs(root)
		if err != nil {
			return nil, fmt.Errorf("storage %s: %w", name, err)
		}
		all[name] = &storage.Mark{Name: name, Folder: folder, Instance: instance}
	}
	return all, nil
}

// claim marks storages that are new, or whose files were written by a version without marks. It returns an error if a
// storage belongs to another instance; then it marks nothing. If several processes start at the same moment, only one
// of them claims.
func (p *fileStorages) claim(ctx context.Context, st *store.Store, instance string, logger *slog.Logger) error {
	return st.Exclusive(ctx, "storages", func(ctx context.Context) error {
		known, err := st.Instance.Storages(ctx)
		if err != nil {
			return err
		}
		claims := []lifecycle.Claim{lifecycle.ClaimFiles(p.blobs)}
		for _, name := range slices.Sorted(maps.Keys(p.marks)) {
			claims = append(claims, lifecycle.ClaimStorage(p.repos, p.marks[name]))
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
func (p *fileStorages) check(ctx context.Context) error {
	errs := []error{p.blobs.Check(ctx)}
	for _, mark := range p.marks {
		errs = append(errs, mark.Check())
	}
	for _, folder := range p.folders {
		errs = append(errs, storage.CheckSpace(folder, p.space))
	}
	return errors.Join(errs...)
}
