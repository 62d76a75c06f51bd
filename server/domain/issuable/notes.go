package issuable

import (
	"strconv"
	"strings"
	"time"

	"svc/server/platform/duration"
	"svc/store/model"
)

// SystemNote is a system note on an issue or merge request.
type SystemNote struct {
	Action string // a word for programs, which never changes
	Text   string // a sentence for users
}

// SimpleNote returns a note with the given action and text.
func SimpleNote(action, text string) SystemNote { return SystemNote{action, text} }

// TitleNote is the note of a new title.
func TitleNote(from, to string) SystemNote {
	return SystemNote{"title", "changed title from **" + from + "** to **" + to + "**"}
}

// LabelNote is the note of added and removed labels.
func LabelNote(added, removed []model.Label) SystemNote {
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
	return SystemNote{"label", strings.Join(parts, " and ")}
}

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// MilestoneNote is the note of a new milestone; nil means that it was removed.
func MilestoneNote(m *model.Milestone) SystemNote {
	if m == nil {
		return SystemNote{"milestone", "removed milestone"}
	}
	return SystemNote{"milestone", "changed milestone to %" + m.Title}
}

// AssigneeNote is the note of added and removed assignees.
func AssigneeNote(added, removed []string) SystemNote {
	var parts []string
	if len(added) > 0 {
		parts = append(parts, "assigned to "+people(added))
	}
	if len(removed) > 0 {
		parts = append(parts, "unassigned "+people(removed))
	}
	return SystemNote{"assignee", strings.Join(parts, " and ")}
}

func people(names []string) string { return "@" + strings.Join(names, " @") }

// ConfidentialNote is the note of an issue that became confidential or visible.
func ConfidentialNote(confidential bool) SystemNote {
	if confidential {
		return SystemNote{"confidential", "made the issue confidential"}
	}
	return SystemNote{"visible", "made the issue visible to everyone"}
}

// LockNote is the note of a discussion that was locked or unlocked.
func LockNote(locked bool, kind string) SystemNote {
	what := "issue"
	if kind == model.OnMergeRequest {
		what = "merge request"
	}
	if locked {
		return SystemNote{"locked", "locked the discussion in this " + what}
	}
	return SystemNote{"unlocked", "unlocked the discussion in this " + what}
}

// DueDateNote is the note of a new due date; nil means that it was removed.
func DueDateNote(day *time.Time) SystemNote {
	if day == nil {
		return SystemNote{"due_date", "removed due date"}
	}
	return SystemNote{"due_date", "changed due date to " + day.Format("January 2, 2006")}
}

// IterationNote is the note of a new iteration; nil means that it was removed.
func IterationNote(i *model.Iteration) SystemNote {
	if i == nil {
		return SystemNote{"iteration", "removed the iteration"}
	}
	return SystemNote{"iteration", "changed iteration to " + i.Name()}
}

// WeightNote is the note of a new weight; nil means that it was removed.
func WeightNote(weight *int64) SystemNote {
	if weight == nil {
		return SystemNote{"weight", "removed the weight"}
	}
	return SystemNote{"weight", "set weight to " + strconv.FormatInt(*weight, 10)}
}

// EstimateNote is the note of a new time estimate; 0 means that it was removed.
func EstimateNote(seconds int64) SystemNote {
	if seconds == 0 {
		return SystemNote{"time_tracking", "removed time estimate"}
	}
	return SystemNote{"time_tracking", "changed time estimate to " + duration.Human(seconds)}
}

// TimeSpentNote is the note of time that was added or subtracted; 0 means that all of it was removed.
func TimeSpentNote(seconds int64) SystemNote {
	switch {
	case seconds == 0:
		return SystemNote{"time_tracking", "removed time spent"}
	case seconds < 0:
		return SystemNote{"time_tracking", "subtracted " + duration.Human(-seconds) + " of time spent"}
	}
	return SystemNote{"time_tracking", "added " + duration.Human(seconds) + " of time spent"}
}
