package issuable

import (
	"strconv"
	"strings"
	"time"

	"svc/server/platform/duration"
	"svc/store/model"
)

// Note is a system note on an issue or merge request.
type Note struct {
	Action string // a word for programs, which never changes
	Text   string // a sentence for users
}

// Simple returns a note with the given action and text.
func Simple(action, text string) Note { return Note{action, text} }

// Titled is the note of a new title.
func Titled(from, to string) Note {
	return Note{"title", "changed title from **" + from + "** to **" + to + "**"}
}

// Labelled is the note of added and removed labels.
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

// Planned is the note of a new milestone; nil means that it was removed.
func Planned(m *model.Milestone) Note {
	if m == nil {
		return Note{"milestone", "removed milestone"}
	}
	return Note{"milestone", "changed milestone to %" + m.Title}
}

// Assigned is the note of added and removed assignees.
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

// Hidden is the note of an issue that became confidential or visible.
func Hidden(confidential bool) Note {
	if confidential {
		return Note{"confidential", "made the issue confidential"}
	}
	return Note{"visible", "made the issue visible to everyone"}
}

// Locked is the note of a discussion that was locked or unlocked.
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

// DueOn is the note of a new due date; nil means that it was removed.
func DueOn(day *time.Time) Note {
	if day == nil {
		return Note{"due_date", "removed due date"}
	}
	return Note{"due_date", "changed due date to " + day.Format("January 2, 2006")}
}

// Weighed is the note of a new weight; nil means that it was removed.
func Weighed(weight *int64) Note {
	if weight == nil {
		return Note{"weight", "removed the weight"}
	}
	return Note{"weight", "set weight to " + strconv.FormatInt(*weight, 10)}
}

// Estimated is the note of a new time estimate; 0 means that it was removed.
func Estimated(seconds int64) Note {
	if seconds == 0 {
		return Note{"time_tracking", "removed time estimate"}
	}
	return Note{"time_tracking", "changed time estimate to " + duration.Human(seconds)}
}

// Spent is the note of time that was added or subtracted; 0 means that all of it was removed.
func Spent(seconds int64) Note {
	switch {
	case seconds == 0:
		return Note{"time_tracking", "removed time spent"}
	case seconds < 0:
		return Note{"time_tracking", "subtracted " + duration.Human(-seconds) + " of time spent"}
	}
	return Note{"time_tracking", "added " + duration.Human(seconds) + " of time spent"}
}
