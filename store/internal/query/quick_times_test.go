package query

import (
	"testing"
	"time"
)

func TestTimesOfFixedListsAreReadFromTheirText(t *testing.T) {
	t.Parallel()
	db := openSQLite(t, false)
	table := "CREATE TABLE quick (id integer PRIMARY KEY, made_at datetime, used_at datetime)"
	if err := db.Write(t.Context()).Exec(table).Error; err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)
	if err := db.WriteRow(t.Context(), "INSERT INTO quick (made_at, used_at) VALUES (?, ?), (?, NULL) RETURNING id",
		[]any{at, at, at.Add(time.Second)}, new(int64)); err != nil {
		t.Fatal(err)
	}
	var id int64
	var made, last time.Time
	var used *time.Time
	read := func(columns string, fields ...any) {
		t.Helper()
		columns, fields = db.QuickTimes(columns, fields)
		if want := "+made_at, id, (SELECT max(made_at) FROM quick), +q.used_at"; columns != want {
			t.Errorf("%s is not %s", columns, want)
		}
		if err := db.Row(t.Context(), "SELECT "+columns+" FROM quick AS q WHERE id = ?", []any{id}, fields...); err != nil {
			t.Fatal(err)
		}
	}
	const columns = "made_at, id, (SELECT max(made_at) FROM quick), q.used_at"
	id = 1
	read(columns, &made, &id, &last, &used)
	if !made.Equal(at) || !last.Equal(at.Add(time.Second)) || used == nil || !used.Equal(at) {
		t.Error(made, last, used)
	}
	id = 2
	read(columns, &made, &id, &last, &used)
	if !made.Equal(at.Add(time.Second)) || used != nil {
		t.Error(made, used)
	}
	if err := (textTime{&made}).Scan("yesterday"); err == nil {
		t.Error("a text that is no time was read")
	}
	if err := (textTime{&made}).Scan(int64(1)); err == nil {
		t.Error("a number was read as a time")
	}
}
