package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"svc/server/domain/backup"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/build"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/blob"
	"svc/store/git"
	"svc/store/lfs"
)

// restoringFile is in the data folder from the beginning of a restore to its end. Its last line is the ID of the instance.
const restoringFile = "restoring"

// ErrRestoring is returned for an instance whose restore was interrupted.
var ErrRestoring = errors.New("svc restore was interrupted before it was complete. Run it again with the same settings: " +
	"it removes what it has written and starts anew")

// CheckRestored returns ErrRestoring if a restore of the instance was interrupted.
func CheckRestored(cfg config.Config) error {
	if _, err := os.Stat(filepath.Join(cfg.Data, restoringFile)); err == nil {
		return ErrRestoring
	}
	return nil
}

// RestoredAll reports whether an interrupted restore had filled the database already. Then all files were in their places,
// too, and FinishRestore does the rest.
func RestoredAll(ctx context.Context, cfg config.Config, st *store.Store) (bool, error) {
	text, err := os.ReadFile(filepath.Join(cfg.Data, restoringFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	lines := strings.Fields(string(text))
	instance, err := st.Instance.Get(ctx)
	return err == nil && len(lines) > 0 && lines[len(lines)-1] == instance.ID, err
}

// OpenForBackup opens everything that a backup saves. The service may be running.
func OpenForBackup(ctx context.Context, cfg config.Config, st *store.Store, logger *slog.Logger) (backup.Instance, error) {
	files, err := openFileStorages(ctx, cfg, st, logger)
	if err != nil {
		return backup.Instance{}, err
	}
	return backup.Instance{
		Store: st, Repositories: files.repositories, LFS: files.lfsFiles, Blobs: files.blobs, HostKeys: cfg.Data,
		SecretKey: cfg.SecretKey, Program: build.Read().Version,
	}, nil
}

// BeginRestore opens the storages of a new instance, which a backup is to fill. They must be empty, unless an earlier
// restore into them was interrupted; then it empties them.
func BeginRestore(ctx context.Context, cfg config.Config, st *store.Store, m backup.Manifest) (backup.Instance, error) {
	to := backup.Instance{Store: st, HostKeys: cfg.Data}
	var errs [3]error
	to.Repositories, errs[0] = git.Open(cfg.Roots())
	to.LFS, errs[1] = lfs.Open(cfg.Roots())
	to.Blobs, errs[2] = blob.Open(cfg.BlobURL, BlobFolder(cfg))
	if err := errors.Join(errs[:]...); err != nil {
		return to, err
	}
	if bucket, ok := to.Blobs.(blob.Bucket); ok {
		to.LFS.WithBucket(bucket, lfsDrafts(cfg))
	}
	if err := checkUnused(ctx, to.Blobs); err != nil {
		return to, err
	}
	again := errors.Is(CheckRestored(cfg), ErrRestoring)
	for _, root := range Folders(cfg) {
		if err := clearFolder(root, again); err != nil {
			return to, err
		}
	}
	text := ErrRestoring.Error() + ".\n" + m.Instance + "\n"
	return to, os.WriteFile(filepath.Join(cfg.Data, restoringFile), []byte(text), 0o600)
}

// checkUnused returns an error if a bucket belongs to an instance. Its objects may be those of an interrupted restore,
// which writes them again.
func checkUnused(ctx context.Context, files blob.Store) error {
	ctx, cancel := context.WithTimeout(ctx, storageTimeout)
	defer cancel()
	id, err := files.Mark(ctx)
	if err != nil || id == "" {
		return err
	}
	return fmt.Errorf("%s belongs to the instance %s: svc restore never writes over an existing instance. "+
		"Choose another folder with --data, or another bucket with --blob-url", files.Place(), id)
}

// clearFolder makes sure that a storage is empty. It only deletes if the files are those of an interrupted restore.
func clearFolder(root string, interrupted bool) error {
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if entry.Name() == "lost+found" { // in the root of a disk
			continue
		}
		if !interrupted {
			return fmt.Errorf("%s is not empty: svc restore never writes over an existing instance. Move the folder away, "+
				"or choose other folders with --data and --storages", root)
		}
		if err := os.RemoveAll(filepath.Join(root, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// AbandonRestore removes the files of a restore that has failed. The database must be empty.
func AbandonRestore(cfg config.Config) error {
	for _, root := range Folders(cfg) {
		if err := clearFolder(root, true); err != nil {
			return err
		}
	}
	return os.Remove(filepath.Join(cfg.Data, restoringFile))
}

// FinishRestore marks the storages as belonging to the restored instance. It can be repeated.
func FinishRestore(ctx context.Context, cfg config.Config, st *store.Store) error {
	instance, err := st.Instance.Get(ctx)
	if err != nil {
		return err
	}
	for _, name := range append(slices.Sorted(maps.Keys(cfg.Roots())), lifecycle.FilesName) {
		claim, err := storageClaim(cfg, instance.ID, name)
		if err != nil {
			return err
		}
		if err := claim.Write(ctx, st, instance.ID, slog.New(slog.DiscardHandler)); err != nil {
			return err
		}
	}
	if err := st.Instance.Set(ctx, map[string]any{"removals_held_until": nil}); err != nil { // it was set for the backup
		return err
	}
	return os.Remove(filepath.Join(cfg.Data, restoringFile))
}
