package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"svc/store"
)

// checkDatabase opens the database and checks its schema and its content. The other checks use the database only if its
// schema is that of this program.
func (d *Doctor) checkDatabase(ctx context.Context, r *Result) error {
	st, err := d.Open(ctx)
	if err != nil {
		repair := "Check that PostgreSQL runs and that SVC_DATABASE_URL is right."
		if d.Config.DatabaseURL == "" {
			repair = "Set the folder of the instance with --data or SVC_DATA, or restore the database from a backup."
		}
		r.problem(repair, "%v", err)
		return nil
	}
	usable, err := d.checkSchema(ctx, st, r)
	if err != nil || !usable {
		return errors.Join(err, st.Close())
	}
	d.store = st
	if d.instance, err = st.Instance.Get(ctx); err != nil {
		return err
	}
	return errors.Join(d.checkExtensions(ctx, r), d.checkIntegrity(ctx, r))
}

// checkSchema reports whether the database has the schema of this program.
func (d *Doctor) checkSchema(ctx context.Context, st *store.Store, r *Result) (bool, error) {
	err := st.CheckSchema(ctx)
	var newer *store.NewerSchemaError
	var foreign *store.NotEmptyError
	switch {
	case errors.Is(err, store.ErrNoSchema):
		r.problem("Set the right database. svc serve creates a new instance in an empty one.", "%v", err)
	case errors.As(err, &newer):
		r.problem("Start the newer version, or restore the database from before that version was started.", "%v", err)
	case errors.As(err, &foreign):
		r.problem("Set the database that svc has used before.", "%v", err)
	case err != nil:
		return false, err
	}
	if err != nil {
		return false, nil
	}
	at, newest, err := st.SchemaVersions(ctx)
	if err != nil {
		return false, err
	}
	if at < newest {
		r.problem("svc migrate", "the database has schema %d, this program needs schema %d", at, newest)
		return false, nil
	}
	version, err := st.ServerVersion(ctx)
	r.Note = fmt.Sprintf("%s, schema %d", version, at)
	return err == nil, err
}

// wantedExtensions are the extensions of PostgreSQL that make searches fast.
var wantedExtensions = []string{"pg_trgm"}

func (d *Doctor) checkExtensions(ctx context.Context, r *Result) error {
	if !d.store.Postgres() {
		return nil
	}
	found, err := d.store.Extensions(ctx)
	if err != nil {
		return err
	}
	for _, name := range wantedExtensions {
		if !slices.Contains(found, name) {
			r.warn(fmt.Sprintf("Install the extension before the next new database: CREATE EXTENSION %s; the indexes are created "+
				"with the tables.", name),
				"the database has no extension %s: searches by a part of a name read whole tables", name)
		}
	}
	return nil
}

func (d *Doctor) checkIntegrity(ctx context.Context, r *Result) error {
	if d.store.Postgres() {
		return nil
	}
	d.progress("database: checking the file")
	lines, err := d.store.CheckIntegrity(ctx, d.Deep)
	for _, line := range lines {
		r.problem("Stop the service and restore the database from a backup. "+
			"If there is none, copy what can be read: sqlite3 svc.db .recover | sqlite3 new.db", "SQLite: %s", line)
	}
	return err
}
