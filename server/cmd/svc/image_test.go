package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"svc/server/domain/fixture/image"
	"svc/store"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite" // reads the prepared data without our own driver
)

// random are columns that clients never see: the check of the secret key, which has a random number; the version of the
// program; and the versions by which caches find out that a row has changed.
var random = map[string]bool{
	"instance.key_check": true, "instance.program": true, "projects.version": true, "project_lists.version": true,
}

// content returns what an image holds: the rows of all tables and the bytes of all files, by name.
func content(t *testing.T, from *image.Image) map[string]string {
	t.Helper()
	folder := t.TempDir()
	if err := from.Write(folder); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == image.Database {
			return err
		}
		data, err := os.ReadFile(path)
		found["file "+strings.TrimPrefix(path, folder)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(folder, image.Database))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, table := range column(t, db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
		if strings.HasPrefix(table, "goose_") || strings.HasPrefix(table, "river_") {
			continue // they say when the schema was made
		}
		found["table "+table] = strings.Join(rows(t, db, table), "\n")
	}
	found["schema"] = strings.Join(column(t, db, "SELECT version_id FROM goose_db_version ORDER BY id"), " ")
	return found
}

func column(t *testing.T, db *sql.DB, statement string) []string {
	t.Helper()
	result, err := db.QueryContext(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	var values []string
	for result.Next() {
		var value string
		if err := result.Scan(&value); err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	if err := result.Err(); err != nil {
		t.Fatal(err)
	}
	return values
}

// rows returns the rows of a table as texts, sorted.
func rows(t *testing.T, db *sql.DB, table string) []string {
	t.Helper()
	result, err := db.QueryContext(t.Context(), "SELECT * FROM "+table)
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	names, err := result.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for result.Next() {
		values, places := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			places[i] = &values[i]
		}
		if err := result.Scan(places...); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for i, name := range names {
			if random[table+"."+name] {
				continue
			}
			fmt.Fprintf(&b, "%s=%v ", name, values[i])
		}
		found = append(found, b.String())
	}
	if err := result.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

func madeImage(t *testing.T, number int) *image.Image {
	t.Helper()
	made, err := buildImage(store.Background(t.Context()), number)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestTwoStartsWithOneSeedAreEqual(t *testing.T) {
	t.Parallel()
	one, two := content(t, madeImage(t, 7)), content(t, madeImage(t, 7))
	if diff := cmp.Diff(one, two); diff != "" {
		t.Errorf("they differ:\n%s", diff)
	}
	if len(one) < 100 || !strings.Contains(one["table issues"], "title=") || one["table hooks"] == "" {
		t.Errorf("there is little to compare: %d", len(one))
	}
}

func TestThePreparedDataIsThatOfTheSeed(t *testing.T) {
	t.Parallel()
	made := madeImage(t, preparedSeed)
	want := content(t, made)
	var got map[string]string
	if prepared, err := image.Unpack(preparedImage); err == nil && len(preparedImage) > 0 {
		got = content(t, prepared)
	}
	diff := cmp.Diff(got, want)
	if diff == "" {
		return
	}
	if os.Getenv("SVC_GOLDEN") != "write" {
		t.Fatalf("seed.image is not what the seed gives; make golden writes it anew:\n%.5000s", diff)
	}
	packed, err := made.Pack()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("seed.image", packed, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAnImageIsUnpackedAsItWasPacked(t *testing.T) {
	t.Parallel()
	if len(preparedImage) == 0 {
		t.Fatal("the program has no prepared image; make golden writes it")
	}
	prepared, err := image.Unpack(preparedImage)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := prepared.Pack()
	if err != nil || !bytes.Equal(packed, preparedImage) {
		t.Errorf("%d bytes became %d: %v", len(preparedImage), len(packed), err)
	}
	if _, err := image.Unpack(preparedImage[:len(preparedImage)/2]); err == nil {
		t.Error("half an image was unpacked")
	}
}
