package push

import (
	"context"
	"errors"
	"slices"

	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/lfs"
	"svc/store/model"
)

const (
	noLarge = `LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".`
	// A pointer is no shorter than its three lines, and the pointers that clients write are no longer than this.
	leastPointer = 100
	mostPointer  = 200
	// knownAtOnce is how many large files one query asks for.
	knownAtOnce = 1000
)

// changes lists the files that the commits of a push change.
type changes interface {
	NewCommitPaths(ctx context.Context, ids []string, give func(path string) bool) error
}

// refUpdates returns the commands that are not refused and that set a ref to a commit.
func refUpdates(asked *git.Push) []*git.Command {
	var some []*git.Command
	for i := range asked.Commands {
		if c := &asked.Commands[i]; c.Refused == "" && c.New != git.Zero {
			some = append(some, c)
		}
	}
	return some
}

// checkLocks refuses the commands whose new commits change a file that another user has locked.
func (p *Pusher) checkLocks(ctx context.Context, row model.ProjectRow, actor *reqctx.Actor, asked *git.Push, in changes) error {
	commands := refUpdates(asked)
	if !row.Project.LfsEnabled || len(commands) == 0 {
		return nil
	}
	locks, err := p.store.LfsLocks.OfOthers(ctx, row.Project.ID, actor.User.ID)
	if err != nil || len(locks) == 0 {
		return err
	}
	locked := func(ids ...string) (why string, err error) {
		err = in.NewCommitPaths(ctx, ids, func(path string) bool {
			if owner, ok := locks[path]; ok {
				why = "The path '" + path + "' is locked in Git LFS by " + owner
			}
			return why == ""
		})
		return why, err
	}
	var ids []string
	for _, c := range commands {
		ids = append(ids, c.New)
	}
	if why, err := locked(ids...); err != nil || why == "" {
		return err
	}
	for _, c := range commands {
		if c.Refused, err = locked(c.New); err != nil {
			return err
		}
	}
	return nil
}

// checkPointers refuses a push with pointers to large files that the project does not have.
func (p *Pusher) checkPointers(ctx context.Context, row model.ProjectRow, asked *git.Push, repo git.Repo, kept *git.Quarantine) error {
	commands := refUpdates(asked)
	if !row.Project.LfsEnabled || len(commands) == 0 {
		return nil
	}
	pointers := map[string]string{} // OIDs with the blobs of their pointers
	err := kept.SmallBlobs(ctx, leastPointer, mostPointer, func(id string, data []byte) {
		if pointer, ok := lfs.ReadPointer(data); ok {
			pointers[pointer.OID] = id
		}
	})
	if err != nil {
		return err
	}
	missing, err := p.missing(ctx, row.Project.ID, pointers)
	if err != nil {
		return err
	}
	for _, id := range missing {
		_, err := repo.Blob(ctx, id)
		if err != nil && !errors.Is(err, git.ErrNotFound) {
			return err
		}
		if err != nil { // otherwise the pointer was there before
			for _, c := range commands {
				c.Refused = noLarge
			}
			return nil
		}
	}
	return nil
}

// ShareLFSObjects gives a project the large files of another project that it needs for the commits up to tip that its branch
// does not have.
func (p *Pusher) ShareLFSObjects(ctx context.Context, from, to model.Project, repo git.Repo, branch, tip string) error {
	if from.ID == to.ID || from.LfsObjectsSize == 0 {
		return nil
	}
	var oids []string
	err := repo.SmallBlobs(ctx, branch, tip, mostPointer, func(_ string, data []byte) {
		if pointer, ok := lfs.ReadPointer(data); ok {
			oids = append(oids, pointer.OID)
		}
	})
	if err != nil {
		return err
	}
	for some := range slices.Chunk(oids, knownAtOnce) {
		if err := p.store.LfsObjects.CopyToProject(ctx, from.ID, to.ID, some); err != nil {
			return err
		}
	}
	return nil
}

// missing returns the blobs of pointers whose large files a project does not have.
func (p *Pusher) missing(ctx context.Context, projectID int64, pointers map[string]string) ([]string, error) {
	var missing, oids []string
	for oid := range pointers {
		oids = append(oids, oid)
	}
	for some := range slices.Chunk(oids, knownAtOnce) {
		known, err := p.store.LfsObjects.ListInProject(ctx, projectID, some)
		if err != nil {
			return nil, err
		}
		for _, oid := range some {
			if _, ok := known[oid]; !ok {
				missing = append(missing, pointers[oid])
			}
		}
	}
	return missing, nil
}
