package lifecycle

import (
	"context"
	"maps"
	"math"
	"slices"

	"svc/store"
	"svc/store/model"
	"svc/store/storage"
)

// StorageState is a storage as administrators see it.
type StorageState struct {
	Name     string
	Folder   string
	Problem  string // why it cannot be used; empty if it belongs to this instance
	Free     uint64 // bytes; 0 for a folder that does not exist
	Size     uint64 // bytes of the disk
	Projects int64
	Snippets int64
	Wikis    int64 // of groups
}

// StorageStates returns the storages with their folders, space and numbers of repositories, by name.
func StorageStates(ctx context.Context, st *store.Store, roots map[string]string) ([]StorageState, error) {
	instance, err := st.Instance.Get(ctx)
	if err != nil {
		return nil, err
	}
	marks, err := Marks(roots, instance.ID)
	if err != nil {
		return nil, err
	}
	counts, err := st.Instance.RepositoryCounts(ctx)
	if err != nil {
		return nil, err
	}
	var all []StorageState
	for _, name := range slices.Sorted(maps.Keys(marks)) {
		s := StorageState{
			Name: name, Folder: marks[name].Folder, Projects: counts[name][model.ProjectRepository],
			Snippets: counts[name][model.SnippetRepository], Wikis: counts[name][model.GroupWikiRepository],
		}
		if err := marks[name].Check(); err != nil {
			s.Problem = err.Error()
		}
		s.Free, s.Size, _ = storage.Space(s.Folder)
		all = append(all, s)
	}
	return all, nil
}

// FreeBytes returns the free space for people who read it.
func (s StorageState) FreeBytes() int64 { return int64(min(s.Free, math.MaxInt64)) }

// DiskBytes returns the size of the disk for people who read it.
func (s StorageState) DiskBytes() int64 { return int64(min(s.Size, math.MaxInt64)) }
