package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"svc/store/model"
)

// Ahead names the project or group that a request is about, so that the statement that finds the caller reads it, too: one
// statement takes much less time than two. Projects.GetAhead and Namespaces.GetGroupAhead return what it found.
type Ahead struct {
	group    bool
	id       int64
	fullPath string
	found    atomic.Pointer[foundAhead]
}

// maxAheadAge is how long what was found ahead may be used. The body of a request can take long to arrive, and what the
// caller may do can change until then.
const maxAheadAge = 100 * time.Millisecond

// foundAhead is a group, or the version of a project with the roles of one reader.
type foundAhead struct {
	at                time.Time
	group             model.Namespace
	id, version       int64
	userID            int64
	admin             bool
	direct, inherited model.Access
}

// AheadOfProject returns an Ahead for a project, by its id or, if that is 0, by its full path.
func AheadOfProject(id int64, fullPath string) *Ahead { return &Ahead{id: id, fullPath: fullPath} }

// AheadOfGroup is like AheadOfProject, for a group.
func AheadOfGroup(id int64, fullPath string) *Ahead {
	return &Ahead{group: true, id: id, fullPath: fullPath}
}

// take returns what was found, or nil if that was too long ago. It returns it only once: whoever asks again wants to know what
// has changed.
func (a *Ahead) take(group bool, id int64, fullPath string) *foundAhead {
	if a == nil || a.group != group || a.id != id || a.id == 0 && a.fullPath != fullPath {
		return nil
	}
	found := a.found.Swap(nil)
	if found == nil || time.Since(found.at) > maxAheadAge {
		return nil
	}
	return found
}

// callerLookup holds the statements that find the caller of a token. Their texts are built once.
type callerLookup struct {
	alone   string
	project [2][2]string // by: whether the project is given by its path, whether the roles of the caller are read
	group   [2]string    // by: whether the group is given by its path
}

// newCallerLookup returns the statements for one kind of token. The tables must join users as u.
func newCallerLookup(columns, tables, where string) callerLookup {
	caller := "SELECT " + columns + ", " + callerColumns
	l := callerLookup{alone: caller + tables + where}
	roles := strings.ReplaceAll(directRole+", "+inheritedRole, opaqueNumber, "u.id")
	group := ", namespaces." + strings.ReplaceAll(namespaceColumns, ", ", ", namespaces.")
	for i, condition := range []string{"T.id = ?", "lower(T.full_path) = lower(?)"} {
		about := tables + " JOIN projects ON " + strings.ReplaceAll(condition, "T.", "projects.") + where
		l.project[i][0] = caller + ", projects.id, projects.version, 0, 0" + about
		l.project[i][1] = caller + ", projects.id, projects.version, " + roles + about
		l.group[i] = caller + group + tables + " JOIN namespaces ON namespaces.kind = ? AND " +
			strings.ReplaceAll(condition, "T.", "namespaces.") + where
	}
	return l
}

// find reads a token and its caller into the fields, and what the request is about into ahead, unless that is nil.
func (l *callerLookup) find(ctx context.Context, b *base, digest []byte, ahead *Ahead, c *model.Caller, fields ...any) error {
	fields = append(fields, callerFields(c)...)
	err := sql.ErrNoRows
	switch {
	case ahead == nil:
	case ahead.group:
		err = l.withGroup(ctx, b, digest, ahead, fields)
	default:
		err = l.withProject(ctx, b, digest, ahead, c, fields)
	}
	if errors.Is(err, sql.ErrNoRows) { // the token or the project is unknown
		return b.db.Row(ctx, l.alone, []any{digest}, fields...)
	}
	return err
}

func (l *callerLookup) withGroup(ctx context.Context, b *base, digest []byte, ahead *Ahead, fields []any) error {
	byPath, ref := ahead.ref()
	f := &foundAhead{at: time.Now()}
	args := []any{model.NamespaceGroup, ref, digest}
	err := b.db.Row(ctx, l.group[byPath], args, append(fields, namespaceFields(&f.group)...)...)
	if err == nil {
		ahead.found.Store(f)
	}
	return err
}

// withProject also reads the roles of the caller in the project. Administrators need no roles, and finding them takes longer
// than everything else, so it remembers the tokens of administrators.
func (l *callerLookup) withProject(
	ctx context.Context, b *base, digest []byte, ahead *Ahead, c *model.Caller, fields []any,
) error {
	byPath, ref := ahead.ref()
	roles, args := 0, make([]any, 0, 8)
	if _, admin := b.administrators.Get(string(digest)); !admin {
		roles = 1
		for range strings.Count(directRole+inheritedRole, "expires_at > ?") {
			args = append(args, b.today())
		}
	}
	f := &foundAhead{at: time.Now()}
	fields = append(fields, &f.id, &f.version, &f.direct, &f.inherited)
	if err := b.db.Row(ctx, l.project[byPath][roles], append(args, ref, digest), fields...); err != nil {
		return err
	}
	f.userID, f.admin = c.ID, c.Admin
	if f.admin {
		b.administrators.Set(string(digest), struct{}{})
		f.direct, f.inherited = 0, 0
	}
	if f.admin || roles == 1 {
		ahead.found.Store(f)
	}
	return nil
}

func (a *Ahead) ref() (byPath int, ref any) {
	if a.id != 0 {
		return 0, a.id
	}
	return 1, a.fullPath
}
