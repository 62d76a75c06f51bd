package cipages

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"svc/store/git"
	"svc/store/model"
)

// badge is a status the way pages show it.
type badge struct{ Status, Text string }

// badgeOf returns the badge of a status.
func badgeOf(s string) badge {
	if s == "success" {
		return badge{s, "passed"}
	}
	return badge{s, strings.ReplaceAll(s, "_", " ")}
}

// jobBadge returns the badge of a job. A job that may fail does not look like one that ended the pipeline.
func jobBadge(j model.Job) badge {
	if j.AllowFailure && j.Status == "failed" {
		return badge{"warned", "failed, allowed to fail"}
	}
	return badgeOf(j.Status)
}

// pipelineBadge returns the badge of a pipeline.
func pipelineBadge(status string, warned bool) badge {
	if warned && status == "success" {
		return badge{"warned", "passed with warnings"}
	}
	return badgeOf(status)
}

// between returns how long something took, or has taken so far; empty if it has not begun.
func between(from, to *time.Time, now time.Time) string {
	if from == nil {
		return ""
	}
	end := now
	if to != nil {
		end = *to
	}
	return max(end.Sub(*from), 0).Round(time.Second).String()
}

// percent returns a coverage for people; empty if there is none.
func percent(coverage *float64) string {
	if coverage == nil {
		return ""
	}
	return strconv.FormatFloat(*coverage, 'f', 1, 64) + " %"
}

// commitOf returns the commit of a pipeline.
func commitOf(p model.Pipeline) git.Commit { return readCommit(p.CommitData) }

// readCommit reads a commit that is stored as JSON.
func readCommit(data string) git.Commit {
	var commit git.Commit
	_ = json.Unmarshal([]byte(data), &commit) // the service wrote it, so it can be read
	return commit
}

// list reads a list of texts that is stored as JSON.
func list(text string) []string {
	var all []string
	_ = json.Unmarshal([]byte(text), &all) // the service wrote it, so it can be read
	return all
}

// text returns the text of an optional column.
func text(given *string) string {
	if given == nil {
		return ""
	}
	return *given
}
