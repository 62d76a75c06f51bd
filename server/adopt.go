package server

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/blob"
	"svc/store/git"
)

// Adopt marks a storage as belonging to this instance, whatever it contains.
func Adopt(ctx context.Context, cfg config.Config, st *store.Store, name string, logger *slog.Logger) error {
	instance, err := st.Instance.Get(ctx)
	if err != nil {
		return err
	}
	claim, err := storageClaim(cfg, instance.ID, name)
	if err != nil {
		return err
	}
	return claim.Write(ctx, st, instance.ID, logger)
}

// storageClaim returns the claim of this instance to a storage: the one of files, or one of repositories by its name.
func storageClaim(cfg config.Config, instance, name string) (claim lifecycle.Claim, err error) {
	if name == lifecycle.FilesName {
		files, err := blob.Open(cfg.BlobURL, BlobFolder(cfg))
		if err != nil {
			return claim, err
		}
		return lifecycle.ClaimFiles(files), nil
	}
	repositories, err := git.Open(cfg.Roots())
	if err != nil {
		return claim, err
	}
	marks, err := lifecycle.Marks(cfg.Roots(), instance)
	if err != nil {
		return claim, err
	}
	mark := marks[name]
	if mark == nil {
		names := append(slices.Sorted(maps.Keys(marks)), lifecycle.FilesName)
		return claim, fmt.Errorf("there is no storage %q; the configured storages are %s", name, strings.Join(names, ", "))
	}
	return lifecycle.ClaimStorage(repositories, mark), nil
}
