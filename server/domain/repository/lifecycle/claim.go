package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"

	"svc/store"
	"svc/store/blob"
	"svc/store/git"
	"svc/store/storage"
)

// Claim is a place for files that is to be marked as belonging to this instance.
type Claim struct {
	Name  string
	place string // its description in messages
	// address is the path or URL of the blob store, without access keys; empty for other places.
	address string
	read    func(ctx context.Context) (string, error)
	write   func(ctx context.Context, id string) error
	// sample looks for some of the files that the database names. It returns how many there should be and how many it
	// found.
	sample func(ctx context.Context, st *store.Store) (known, found int, err error)
	// foreign reports whether the place holds files that cannot belong to this database.
	foreign func() (bool, error)
}

// someFiles is how many repositories or files are sampled before a place without a mark is accepted as this instance's.
const someFiles = 10

// FilesName is the name, among those of the storages, of the place for logs, artifacts, exports and sites.
const FilesName = "blobs"

// Marks returns the marks that storages must have, by storage name. roots holds their folders.
func Marks(roots map[string]string, instance string) (map[string]*storage.Mark, error) {
	all := map[string]*storage.Mark{}
	for name, root := range roots {
		folder, err := filepath.Abs(root)
		if err != nil {
			return nil, fmt.Errorf("storage %s: %w", name, err)
		}
		all[name] = &storage.Mark{Name: name, Folder: folder, Instance: instance}
	}
	return all, nil
}

// ClaimStorage returns the claim for a storage.
func ClaimStorage(all *git.Repositories, mark *storage.Mark) Claim {
	return Claim{
		Name: mark.Name, place: "the storage " + mark.Name + " in " + mark.Folder,
		read:  func(context.Context) (string, error) { return storage.Read(mark.Folder) },
		write: func(context.Context, string) error { return mark.Write() },
		sample: func(ctx context.Context, st *store.Store) (int, int, error) {
			known, err := st.Instance.SampleRepositories(ctx, mark.Name, someFiles)
			found := 0
			for _, one := range known {
				if (Owner{Kind: one.Kind, ID: one.ID}).On(all, mark.Name).Exists() {
					found++
				}
			}
			return len(known), found, err
		},
		foreign: func() (bool, error) { return storage.Holds(mark.Folder, git.Folders...) },
	}
}

// ClaimFiles returns the claim for the place of logs, artifacts, exports and sites.
func ClaimFiles(files blob.Store) Claim {
	return Claim{
		Name: FilesName, place: "the blob store (" + files.Place() + ")", address: files.Place(),
		read: files.Mark, write: files.SetMark,
		sample: func(ctx context.Context, st *store.Store) (int, int, error) {
			known, err := st.Instance.SampleArtifactKeys(ctx, someFiles)
			found := 0
			for _, key := range known {
				if from, err := files.Read(ctx, key, 0, 1); err == nil {
					found++
					from.Close()
				}
			}
			return len(known), found, err
		},
		foreign: func() (bool, error) { return false, nil },
	}
}

// NeedsMark reports whether a place is to be marked. before says whether it was marked earlier. If the place does not belong
// to this instance, Look returns an error that says what to do.
func (c Claim) NeedsMark(ctx context.Context, st *store.Store, instance string, before bool) (bool, error) {
	id, err := c.read(ctx)
	switch {
	case err != nil:
		return false, c.unusable(err)
	case id == instance:
		return !before, nil
	case id != "":
		return false, fmt.Errorf("%s belongs to another instance: its file %s names the instance %s, but the database belongs to %s. %s",
			c.place, storage.File, id, instance, c.advice())
	case before:
		return false, fmt.Errorf(
			"%s has no file %s: it is not mounted, or a different folder is in its place. %s", c.place, storage.File,
			c.advice(),
		)
	}
	known, found, err := c.sample(ctx, st)
	if err != nil {
		return false, err
	}
	if found*2 < known {
		return false, fmt.Errorf("%s has only %d of %d files and repositories that were checked. %s", c.place, found, known, c.advice())
	}
	foreign, err := c.foreign()
	if err == nil && known == 0 && foreign {
		err = fmt.Errorf("%s contains repositories that are not in the database. %s", c.place, c.advice())
	}
	return err == nil, err
}

// unusable explains why a place cannot be read or marked. A bucket is named by its address without the access keys. Its
// errors are not wrapped: in a transaction, an error of the network would count as an error of the database.
func (c Claim) unusable(err error) error {
	var answer *blob.StatusError
	var failed *blob.UnreachableError
	switch {
	case errors.As(err, &answer):
		return fmt.Errorf("the object storage at %s cannot be used: it answered %d %s. "+
			"Check the name of the bucket, the region and the access key in SVC_BLOB_URL",
			c.address, answer.Status, answer.Code)
	case errors.As(err, &failed):
		return fmt.Errorf("the object storage at %s cannot be reached: %v. "+
			"Check that it runs, that this machine can connect to it, and that the endpoint in SVC_BLOB_URL is right",
			c.address, failed.Reason)
	}
	return fmt.Errorf("%s cannot be used: %w", c.place, err)
}

func (c Claim) advice() string {
	return fmt.Sprintf("Mount or set the right one, or use the database that belongs to it. "+
		"All processes on one database need the same storages. "+
		"If it is the right one, run svc admin adopt-storage %s to use it as it is.", c.Name)
}

// Write marks a place as this instance's.
func (c Claim) Write(ctx context.Context, st *store.Store, instance string, logger *slog.Logger) error {
	if err := c.write(ctx, instance); err != nil {
		return fmt.Errorf("mark: %w", c.unusable(err))
	}
	logger.Debug("marked a storage", "storage", c.Name, "instance", instance)
	return st.Instance.AddStorage(ctx, c.Name)
}
