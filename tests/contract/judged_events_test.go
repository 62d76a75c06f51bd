package contract

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"svc/server/domain/iteration"
)

// makeResourceEvent changes the issue or merge request in the path as the author, so that it has an event of the kind in
// the path, and returns the id of the event.
func (w roleFixture) makeResourceEvent(path string) string {
	w.t.Helper()
	all := w.place(path, "/{event_id}")
	item, kind, _ := strings.Cut(all, "/resource_")
	body := map[string]string{
		"label_events": `{"add_labels":"a"}`, "state_events": `{"state_event":"close"}`, "weight_events": `{"weight":1}`,
	}[kind]
	if kind == "milestone_events" {
		goal := w.post(w.place(path, "/{id}")+fmt.Sprintf("/%d/milestones", w.project.ID), `{"title":"a"}`)
		body = `{"milestone_id":` + goal + `}`
	}
	if kind == "iteration_events" {
		body = fmt.Sprintf(`{"iteration_id":%d}`, w.newIteration())
	}
	if a := w.author.JSON("PUT", item, body); a.Status != 200 {
		w.t.Fatalf("PUT %s: %d %s", item, a.Status, a.Body)
	}
	var rows []struct{ ID int64 }
	a := w.author.Send("GET", all, "")
	if err := json.Unmarshal([]byte(a.Body), &rows); err != nil || len(rows) != 1 {
		w.t.Fatalf("GET %s: %d %s", all, a.Status, a.Body)
	}
	return fmt.Sprint(rows[0].ID)
}

// newIteration makes an iteration of the group of the project.
func (w roleFixture) newIteration() int64 {
	w.t.Helper()
	day := time.Now().UTC()
	made, err := iteration.New(w.h.Store).Create(w.t.Context(), w.group, iteration.Input{StartDate: &day, DueDate: &day})
	if err != nil {
		w.t.Fatal(err)
	}
	return made.ID
}
