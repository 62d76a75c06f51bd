package githttp

import (
	"errors"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

const (
	maxLFSLocks = 100  // of one page
	maxLFSPath  = 1024 // bytes of the path of a lock
)

type lfsLockShown struct {
	ID       string    `json:"id"`
	Path     string    `json:"path"`
	LockedAt time.Time `json:"locked_at"`
	Owner    struct {
		Name string `json:"name"`
	} `json:"owner"`
}

type lfsLockAnswer struct {
	Lock    lfsLockShown `json:"lock"`
	Message string       `json:"message,omitempty"`
}

type lfsLockList struct {
	Locks      []lfsLockShown `json:"locks"`
	NextCursor string         `json:"next_cursor,omitempty"`
}

type lfsLockSides struct {
	Ours       []lfsLockShown `json:"ours"`
	Theirs     []lfsLockShown `json:"theirs"`
	NextCursor string         `json:"next_cursor,omitempty"`
}

func lfsShown(row model.LfsLockRow) lfsLockShown {
	shown := lfsLockShown{
		ID: strconv.FormatInt(row.Lock.ID, 10), Path: row.Lock.Path,
		LockedAt: row.Lock.CreatedAt.UTC().Truncate(time.Second),
	}
	shown.Owner.Name = row.Name
	return shown
}

// lfsLock locks a file.
// POST /{path}.git/info/lfs/locks
func (h *Handler) lfsLock(c lfsCall) (any, error) {
	row, actor, err := h.largeProject(c, git.ReceivePack, "lfs_lock")
	if err != nil {
		return nil, err
	}
	var b struct {
		Path string `json:"path"`
	}
	if err := lfsRead(c, &b); err != nil {
		return nil, err
	}
	if b.Path == "" {
		return nil, apierr.Unprocessable(badLFSPath)
	}
	if err := lfsPath(b.Path); err != nil {
		return nil, err
	}
	ctx, locks := c.Request().Context(), h.large.Store.LfsLocks
	made := model.LfsLock{ProjectID: row.Project.ID, UserID: actor.User.ID, Path: b.Path}
	err = locks.Create(ctx, &made)
	var taken *store.ConflictError
	if err != nil && !errors.As(err, &taken) {
		return nil, err
	}
	held, err := locks.GetByPath(ctx, row.Project.ID, b.Path)
	if err != nil {
		return nil, err // the lock may have been removed in between
	}
	if taken != nil {
		return nil, lfsJSON(c, http.StatusConflict, lfsLockAnswer{Lock: lfsShown(held), Message: "The file is already locked"})
	}
	return nil, lfsJSON(c, http.StatusCreated, lfsLockAnswer{Lock: lfsShown(held)})
}

const badLFSPath = "The path must be the path of a file in the repository"

// lfsPath refuses a path that cannot be a file's.
func lfsPath(path string) error {
	if clean, ok := git.CleanPath(path); !ok || clean != path || len(path) > maxLFSPath || !utf8.ValidString(path) {
		return apierr.Unprocessable(badLFSPath)
	}
	return nil
}

// lfsLocks lists locks.
// GET /{path}.git/info/lfs/locks
func (h *Handler) lfsLocks(c lfsCall) (any, error) {
	row, _, err := h.largeProject(c, git.UploadPack, "lfs_locks")
	if err != nil {
		return nil, err
	}
	f := store.LfsLockFilter{Path: c.QueryParam("path")}
	if err := lfsPath(f.Path); err != nil {
		return nil, err
	}
	limit := 0
	for name, into := range map[string]*int64{"id": &f.ID, "cursor": &f.After} {
		if *into, err = lfsNumber(name, c.QueryParam(name)); err != nil {
			return nil, err
		}
	}
	if text := c.QueryParam("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil {
			return nil, apierr.Unprocessable("limit must be a number")
		}
	}
	rows, next, err := h.lockPage(c, row.Project.ID, f, limit)
	if err != nil {
		return nil, err
	}
	shown := lfsLockList{Locks: make([]lfsLockShown, len(rows)), NextCursor: next}
	for i, lock := range rows {
		shown.Locks[i] = lfsShown(lock)
	}
	return shown, nil
}

func lfsNumber(name, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return 0, apierr.Unprocessable(name + " must be a value that the server returned")
	}
	return n, nil
}

// lockPage returns one page of locks, and the cursor of the next page.
func (h *Handler) lockPage(c lfsCall, projectID int64, f store.LfsLockFilter, limit int) ([]model.LfsLockRow, string, error) {
	if limit <= 0 || limit > maxLFSLocks {
		limit = maxLFSLocks
	}
	rows, err := h.large.Store.LfsLocks.List(c.Request().Context(), projectID, f, limit+1)
	if err != nil || len(rows) <= limit {
		return rows, "", err
	}
	rows = rows[:limit]
	return rows, strconv.FormatInt(rows[limit-1].Lock.ID, 10), nil
}

// lfsVerifyLocks lists the caller's own locks and those of others.
// POST /{path}.git/info/lfs/locks/verify
func (h *Handler) lfsVerifyLocks(c lfsCall) (any, error) {
	row, actor, err := h.largeProject(c, git.ReceivePack, "lfs_verify_locks")
	if err != nil {
		return nil, err
	}
	var b struct {
		Cursor string `json:"cursor"`
		Limit  int    `json:"limit"`
	}
	if err := lfsRead(c, &b); err != nil {
		return nil, err
	}
	after, err := lfsNumber("cursor", b.Cursor)
	if err != nil {
		return nil, err
	}
	rows, next, err := h.lockPage(c, row.Project.ID, store.LfsLockFilter{After: after}, b.Limit)
	if err != nil {
		return nil, err
	}
	shown := lfsLockSides{Ours: []lfsLockShown{}, Theirs: []lfsLockShown{}, NextCursor: next}
	for _, lock := range rows {
		if lock.Lock.UserID == actor.User.ID {
			shown.Ours = append(shown.Ours, lfsShown(lock))
		} else {
			shown.Theirs = append(shown.Theirs, lfsShown(lock))
		}
	}
	return shown, nil
}

// lfsUnlock removes a lock. Only maintainers can remove locks of others, and only with force.
// POST /{path}.git/info/lfs/locks/{id}/unlock
func (h *Handler) lfsUnlock(c lfsCall) (any, error) {
	row, actor, err := h.largeProject(c, git.ReceivePack, "lfs_unlock")
	if err != nil {
		return nil, err
	}
	var b struct {
		Force bool `json:"force"`
	}
	if err := lfsRead(c, &b); err != nil {
		return nil, err
	}
	id, err := strconv.ParseInt(c.args[0], 10, 64)
	if err != nil {
		return nil, &store.NotFoundError{Resource: "Lock"}
	}
	ctx, locks := c.Request().Context(), h.large.Store.LfsLocks
	lock, err := locks.Get(ctx, row.Project.ID, id)
	switch {
	case err != nil:
		return nil, err
	case lock.Lock.UserID != actor.User.ID && !b.Force:
		return nil, apierr.Forbidden("The file is locked by " + lock.Name)
	case lock.Lock.UserID != actor.User.ID && row.Role() < model.Maintainer:
		return nil, apierr.Forbidden("Only maintainers can remove locks of other users")
	}
	if err := locks.Delete(ctx, row.Project.ID, id); err != nil {
		return nil, err
	}
	return lfsLockAnswer{Lock: lfsShown(lock)}, nil
}
