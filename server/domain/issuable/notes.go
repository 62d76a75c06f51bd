package issuable

import (
	"strconv"
	"strings"
	"time"

	"svc/server/platform/duration"
	"svc/store/model"
)

// Note is what the service notes of an issue or merge request.
type Note struct {
	Action string // a word for programs, which does not change
	Text   string // a sentence for people
}

// Simple is a note that needs no names.
func Simple(action, text string) Note { return Note{action, text} }

// Titled notes a new title.
func Titled(from, to string) Note {
	return Note{"title", "changed title from **" + from + "** to **" + to + "**"}
}

// Labelled notes which labels came and went.
func Labelled(added, removed []model.Label) Note {
	var parts []string
	for _, change := range []struct {
		verb string
		rows []model.Label
	}{{"added", added}, {"removed", removed}} {
		if len(change.rows) == 0 {
			continue
		}
		text := change.verb
		for _, l := range change.rows {
			text += " ~" + strconv.FormatInt(l.ID, 10)
		}
		parts = append(parts, text+plural(" label", len(change.rows)))
	}
	return Note{"label", strings.Join(parts, " and ")}
}

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// Planned notes a milestone; nil for none.
func Planned(m *model.Milestone) Note {
	if m == nil {
		return Note{"milestone", "removed milestone"}
	}
	return Note{"milestone", "changed milestone to %" + m.Title}
}

// Assigned notes who came and who went.
func Assigned(added, removed []string) Note {
	var parts []string
	if len(added) > 0 {
		parts = append(parts, "assigned to "+people(added))
	}
	if len(removed) > 0 {
		parts = append(parts, "unassigned "+people(removed))
	}
	return Note{"assignee", strings.Join(parts, " and ")}
}

func people(names []string) string { return "@" + strings.Join(names, " @") }

// Hidden notes that something became confidential or is so no more.
func Hidden(confidential bool) Note {
	if confidential {
		return Note{"confidential", "made the issue confidential"}
	}
	return Note{"visible", "made the issue visible to everyone"}
}

// Locked notes that only members may talk, or that all may again.
func Locked(locked bool, kind string) Note {
	what := "issue"
	if kind == model.OnMergeRequest {
		what = "merge request"
	}
	if locked {
		return Note{"locked", "locked the discussion in this " + what}
	}
	return Note{"unlocked", "unlocked the discussion in this " + what}
}

// DueOn notes a due date; nil for none.
func DueOn(day *time.Time) Note {
	if day == nil {
		return Note{"due_date", "removed due date"}
	}
	return Note{"due_date", "changed due date to " + day.Format("January 2, 2006")}
}

// Weighed notes a weight; nil for none.
func Weighed(weight *int64) Note {
	if weight == nil {
		return Note{"weight", "removed the weight"}
	}
	return Note{"weight", "set weight to " + strconv.FormatInt(*weight, 10)}
}

// Estimated notes how long something will take; 0 for nobody knows.
func Estimated(seconds int64) Note {
	if seconds == 0 {
		return Note{"time_tracking", "removed time estimate"}
	}
	return Note{"time_tracking", "changed time estimate to " + duration.Human(seconds)}
}

// Spent notes time that was spent, or taken back; 0 for all of it.
func Spent(seconds int64) Note {
	switch {
	case seconds == 0:
		return Note{"time_tracking", "removed time spent"}
	case seconds < 0:
		return Note{"time_tracking", "subtracted " + duration.Human(-seconds) + " of time spent"}
	}
	return Note{"time_tracking", "added " + duration.Human(seconds) + " of time spent"}
}
