package main

import (
	"slices"
	"testing"
	"time"
)

func TestFloorReadsColumnsThatAnAnswerShows(t *testing.T) {
	shown, err := newShownText([]byte(`[{"id":1,"title":"A title","created_at":"2026-01-02T03:04:05.678Z","due_on":"2026-02-03",` +
		`"author":{"locked":false,"avatar_url":null,"state":"active"},"web_url":"http://bench.example/root/bench/-/issues/1"}]`))
	if err != nil {
		t.Fatal(err)
	}
	created := time.Date(2026, 1, 2, 3, 4, 5, 678_901_000, time.UTC)
	for _, one := range []struct {
		column column
		values []any
		want   bool
	}{
		{column{"id", false}, []any{int64(1)}, true},
		{column{"author_id", false}, []any{int64(1)}, true},
		{column{"theme_id", false}, []any{int64(1)}, false},
		{column{"full_path", false}, []any{nil, "root/bench"}, true},
		{column{"path", false}, []any{"oot/benc"}, false},
		{column{"avatar", false}, []any{""}, true},
		{column{"digest", false}, []any{[]byte("A title")}, false},
		{column{"locked_at", true}, []any{nil}, true},
		{column{"created_at", true}, []any{created}, true},
		{column{"created_at", true}, []any{created.Add(time.Second)}, false},
		{column{"due", true}, []any{time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)}, true},
	} {
		if got := shown.shows(one.column, one.values); got != one.want {
			t.Errorf("%s %v: %v", one.column.name, one.values, got)
		}
	}
}

func TestTablesOfJoinedRowsAreFound(t *testing.T) {
	for from, want := range map[string][]string{
		"labels": {"labels"},
		"members JOIN users ON users.id = members.user_id JOIN users makers ON makers.id = members.created_by_id": {
			"members", "users", "makers",
		},
		"users JOIN (SELECT DISTINCT author_id FROM notes) AS writers ON writers.author_id = users.id": {"users", "writers"},
	} {
		var got []string
		for _, names := range fromNames.FindAllStringSubmatch(from, -1) {
			got = append(got, names[1]+names[2])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v", from, got)
		}
	}
}
