package backup_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"svc/server/domain/backup"
	"svc/store"
	"svc/store/blob"
	"svc/store/git"
	"svc/store/lfs"
	"svc/store/storetest"
)

// empty returns an instance whose database has no tables.
func empty(t *testing.T) backup.Instance {
	t.Helper()
	folder := t.TempDir()
	o := store.Options{SQLitePath: filepath.Join(folder, "svc.db"), Pool: 4}
	if storetest.Postgres() {
		o.URL = storetest.EmptyPostgres(t)
	}
	st, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	roots := map[string]string{"default": filepath.Join(folder, "repositories")}
	i := backup.Instance{Store: st, HostKeys: folder, Program: "test"}
	if i.Repositories, err = git.Open(roots); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Repositories.Close)
	if i.LFS, err = lfs.Open(roots); err != nil {
		t.Fatal(err)
	}
	if i.Blobs, err = blob.Open("", filepath.Join(folder, "blobs")); err != nil {
		t.Fatal(err)
	}
	return i
}

// A backup of an earlier version is restored with its schema, and migrated afterwards.
func TestABackupOfAnOlderSchemaIsRestored(t *testing.T) {
	t.Parallel()
	from, to := empty(t), empty(t)
	newest, err := from.Store.NewestSchema()
	if err == nil {
		err = from.Store.MigrateTo(t.Context(), newest-1)
	}
	if err != nil {
		t.Fatal(err)
	}
	// The program of that version has written the row of the instance.
	_, err = from.Store.SQL().ExecContext(t.Context(),
		"INSERT INTO instance (one, id, program, created_at) VALUES (1, 'old', '', '2026-11-01')")
	if err != nil {
		t.Fatal(err)
	}
	want := storetest.User(t, from.Store)
	var file bytes.Buffer
	if _, err := backup.Create(t.Context(), from, &file, backup.Options{Temporary: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	archive, err := backup.Open(&file)
	if err != nil || archive.Manifest.Schema >= newest {
		t.Fatal(archive.Manifest.Schema, err)
	}
	if err := archive.Fits(newest, []string{"default"}, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Restore(t.Context(), to, archive, backup.RestoreOptions{}); err != nil {
		t.Fatal(err)
	}
	if applied, err := to.Store.Migrate(t.Context()); err != nil || len(applied) != 1 {
		t.Error(applied, err)
	}
	if got, err := to.Store.Users.GetByUsername(t.Context(), want.Username); err != nil || got.ID != want.ID {
		t.Error(got, err)
	}
	if err := archive.Fits(archive.Manifest.Schema-1, []string{"default"}, 0); err == nil {
		t.Error("an older program accepts the backup")
	}
}
