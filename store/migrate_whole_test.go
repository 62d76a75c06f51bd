package store_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"svc/store"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// A new database begins with the whole schema, which must equal the result of all migrations. SVC_GOLDEN=write rewrites
// the file.
func TestTheWholeSchemaIsWhatMigrationsMake(t *testing.T) {
	t.Parallel()
	if storetest.Postgres() {
		comparePostgresSchemas(t)
		return
	}
	const file = "migrate/sqlite.sql"
	st := open(t, store.Options{SQLitePath: t.TempDir() + "/svc.db"})
	if err := store.MigrateOneByOne(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	want := dump(t, st)
	if os.Getenv("SVC_GOLDEN") == "write" {
		if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("migrations (-) make something else than %s (+) says; after a look at them, make golden writes it:\n%s", file, diff)
	}
	st = open(t, empty(t))
	if _, err := st.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, dump(t, st)); diff != "" {
		t.Errorf("migrations (-) make something else than the whole schema (+):\n%s", diff)
	}
}

// comparePostgresSchemas compares an empty PostgreSQL database that was migrated at once with one that was migrated step by step.
func comparePostgresSchemas(t *testing.T) {
	t.Helper()
	whole, steps := open(t, empty(t)), open(t, empty(t))
	if _, err := whole.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := store.MigrateOneByOne(t.Context(), steps); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		"SELECT concat_ws(' ', id, version_id, is_applied) FROM goose_db_version ORDER BY id",
		"SELECT concat_ws(' ', table_name, column_name, ordinal_position, data_type, column_default, is_nullable)" +
			" FROM information_schema.columns WHERE table_schema = current_schema() AND table_name NOT LIKE 'river%' ORDER BY 1",
		"SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() AND tablename NOT LIKE 'river%' ORDER BY 1",
		"SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint" +
			" WHERE conrelid <> 0 AND conrelid::regclass::text NOT LIKE 'river%'" +
			" AND connamespace = current_schema()::regnamespace ORDER BY 1",
		"SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1",
	} {
		want := texts(t, steps, query)
		if len(want) == 0 {
			t.Errorf("%s finds nothing", query)
		}
		if diff := cmp.Diff(want, texts(t, whole, query)); diff != "" {
			t.Errorf("migrations one by one (-) make something else than at once (+):\n%s", diff)
		}
	}
}

// dump returns the schema of SQLite and its rows, without the tables of the job queue and tables that SQLite creates
// itself.
func dump(t testing.TB, st *store.Store) string {
	t.Helper()
	const own = "name NOT LIKE 'sqlite_%' AND name NOT LIKE 'river%' AND name NOT IN (SELECT name FROM " +
		"pragma_table_list WHERE type = 'shadow')"
	var out strings.Builder
	out.WriteString("-- What the migrations of SQLite make together: a new database begins with it. Generated (make golden).\n\n")
	for _, kind := range []string{"table", "index", "trigger"} {
		for _, text := range texts(t, st, "SELECT sql FROM sqlite_master WHERE type = '"+kind+"' AND sql IS NOT NULL AND "+own) {
			out.WriteString(text + ";\n")
		}
	}
	for _, table := range texts(t, st, "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND "+own) {
		var names []string
		for _, name := range columns(t, st, table) {
			if table != "goose_db_version" || (name != "tstamp" && name != "id") {
				names = append(names, name)
			}
		}
		quoted := "quote(" + strings.Join(names, ") || ', ' || quote(") + ")"
		for _, row := range texts(t, st, "SELECT "+quoted+" FROM "+table) {
			fmt.Fprintf(&out, "INSERT INTO %s (%s) VALUES (%s);\n", table, strings.Join(names, ", "), row)
		}
	}
	return out.String()
}
