package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"svc/server/domain/repository/lifecycle"
	"svc/store"
	"svc/store/model"
)

const (
	// orphanAge is how old a repository must be before it counts as orphaned: it is created before the row of its owner is
	// committed.
	orphanAge = time.Hour
	// orphanFileAge is the same for files, which are uploaded before their rows are written.
	orphanFileAge = 24 * time.Hour

	ownerBatch = 5000
	mostMoves  = 10000
)

// checkOrphans looks for repositories on disk that belong to nothing.
func (d *Doctor) checkOrphans(ctx context.Context, r *Result) error {
	known, err := d.knownPaths(ctx)
	if err != nil {
		return err
	}
	moving, err := d.moving(ctx)
	if err != nil {
		return err
	}
	before, seen := d.Now().Add(-orphanAge), 0
	for _, name := range d.repos.Storages() {
		if !d.usable[name] {
			continue
		}
		err := d.repos.EachOnDisk(ctx, name, func(path string, changed time.Time) error {
			if seen++; seen%1000 == 0 {
				d.progress("orphans: %d repositories seen", seen)
			}
			owner, ok := known[path]
			if changed.After(before) || ok && (moving[owner.Owner] || d.belongs(owner, name)) {
				return nil
			}
			d.reportOrphan(r, name, path, ok)
			return nil
		})
		if err != nil {
			return err
		}
	}
	r.Note = fmt.Sprintf("%d repositories on disk", seen)
	return nil
}

// placed is the owner of a repository, and the storage that it is on; empty if it may be on any.
type placed struct {
	lifecycle.Owner
	storage string
}

// belongs reports whether a repository that was found on a storage is there rightly. A copy on another storage than the
// database says is left alone as long as the repository itself is not where it should be.
func (d *Doctor) belongs(owner placed, storage string) bool {
	return owner.storage == "" || owner.storage == storage || !owner.On(d.repos, owner.storage).Exists()
}

// knownPaths returns the paths of all repositories that may exist, below any storage. Repositories of deleted owners,
// which a job removes from all storages, may be anywhere, and so may those that have no storage yet, or one that cannot be
// used.
func (d *Doctor) knownPaths(ctx context.Context) (map[string]placed, error) {
	known := map[string]placed{}
	for _, kind := range store.RepositoryKinds {
		if err := d.eachOwner(ctx, kind, func(id int64) {
			owner := lifecycle.Owner{Kind: kind, ID: id}
			known[d.pathOf(owner)] = placed{Owner: owner}
		}); err != nil {
			return nil, err
		}
	}
	err := d.store.Instance.EachRepository(ctx, func(row model.StoredRepository) error {
		if d.usable[row.Storage] {
			owner := lifecycle.Owner{Kind: row.Kind, ID: row.ID}
			known[d.pathOf(owner)] = placed{Owner: owner, storage: row.Storage}
		}
		return nil
	})
	return known, err
}

// eachOwner calls see with everything that may have a repository of a kind.
func (d *Doctor) eachOwner(ctx context.Context, kind model.RepositoryKind, see func(id int64)) error {
	for last := int64(0); ; {
		ids, err := d.store.Instance.RepositoryOwnersAfter(ctx, kind, last, ownerBatch)
		if err != nil {
			return err
		}
		for _, id := range ids {
			last = id
			see(id)
		}
		if len(ids) < ownerBatch {
			return nil
		}
	}
}

// pathOf returns the path of a repository below its storage, which is the same on all storages.
func (d *Doctor) pathOf(owner lifecycle.Owner) string {
	storage := d.repos.Storages()[0]
	return owner.On(d.repos, storage).PathIn(storage)
}

// moving returns the owners of repositories that are being moved, and so exist on two storages.
func (d *Doctor) moving(ctx context.Context) (map[lifecycle.Owner]bool, error) {
	owners := map[lifecycle.Owner]bool{}
	for _, kind := range []model.RepositoryKind{model.ProjectRepository, model.SnippetRepository, model.GroupWikiRepository} {
		moves, err := d.store.StorageMoves.Open(ctx, kind, mostMoves)
		if err != nil {
			return nil, err
		}
		for _, m := range moves {
			owners[lifecycle.Owner{Kind: kind, ID: m.OwnerID}] = true
			if kind == model.ProjectRepository {
				owners[lifecycle.Owner{Kind: model.ProjectWikiRepository, ID: m.OwnerID}] = true
			}
		}
	}
	return owners, nil
}

// reportOrphan reports a repository that belongs to nothing, or that is a copy on the wrong storage.
func (d *Doctor) reportOrphan(r *Result, storage, path string, copied bool) {
	text := fmt.Sprintf("the repository %s on the storage %s belongs to no project, wiki or snippet", path, storage)
	if copied {
		text = fmt.Sprintf("the repository %s on the storage %s is an old copy: its owner is on another storage", path, storage)
	}
	r.addFixable(Warning, text, "svc doctor --fix --only orphans moves it to the folder @orphans of the storage; delete it there "+
		"once you are sure that nobody needs it",
		func(context.Context) (string, error) {
			to, err := d.repos.SetAside(storage, path)
			if errors.Is(err, fs.ErrNotExist) {
				return "it is gone already", nil
			}
			return "moved it to " + to, err
		})
}
