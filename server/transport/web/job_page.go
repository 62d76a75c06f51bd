package web

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"svc/server/domain/ci/logview"
	"svc/server/domain/ci/status"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// jobView is the content of the page of a job.
type jobView struct {
	Project  model.Project
	Job      model.Job
	Row      model.JobRow
	Badge    badge
	Commit   git.Commit
	Tags     []string
	Log      []logNode
	Cut      bool  // the log is longer than the part that is shown
	Size     int64 // where the shown part of the log ends
	Live     bool  // more may come
	Actions  []jobButton
	Raw      string
	Pipeline string
	Took     string
	Waited   string
	Waiting  string // why the job does not run yet
}

// badge is a state the way pages show it.
type badge struct{ Status, Text string }

func badgeOf(s string) badge {
	switch s {
	case "waiting_for_resource":
		return badge{s, "waiting for resource"}
	case "success":
		return badge{s, "passed"}
	}
	return badge{s, s}
}

// jobButton is a form of the page. With Confirm, the user must first tick a box with that text.
type jobButton struct{ Action, Label, Class, Confirm string }

// logNode is a line of a log, or a section with lines in it.
type logNode struct {
	Line    int
	HTML    template.HTML
	Section string
	Open    bool // expanded
	Going   bool // the section has not ended
	Took    string
	Inside  []logNode
}

// jobPage shows a job and its log.
func (w *Web) jobPage(at place) Handler {
	return func(v *Visit) error {
		ctx := v.Request().Context()
		row, err := w.open(v, at.project, access.ReadPipeline)
		if row == nil {
			return err
		}
		job, err := w.store.Jobs.GetRow(ctx, at.id)
		if err != nil {
			return apierr.OrNotFound(err, "")
		}
		if job.Job.ProjectID != row.Project.ID || job.Job.Bridge {
			return apierr.NotFound("")
		}
		view := jobView{
			Project: row.Project, Job: job.Job, Row: job, Badge: badgeOf(job.Job.Status), Tags: list(job.Job.Tags),
			Live: !status.Status(job.Job.Status).IsComplete(), Pipeline: pipelinePath(row.Project, job.Pipeline.ID),
			Raw:    fmt.Sprintf("/api/v4/projects/%d/jobs/%d/trace", row.Project.ID, job.Job.ID),
			Took:   between(job.Job.StartedAt, job.Job.FinishedAt, v.now()),
			Waited: between(job.Job.QueuedAt, job.Job.StartedAt, v.now()),
		}
		_ = json.Unmarshal([]byte(job.Pipeline.CommitData), &view.Commit) // the service wrote it, so it can be read
		if view.Actions, err = w.jobButtons(ctx, *row, job.Job); err != nil {
			return err
		}
		if view.Waiting, err = w.engine.WhyWaiting(ctx, job.Job, row.Role() >= model.Developer); err != nil {
			return err
		}
		if seesLog(*row, job.Job) {
			if err := w.readLog(ctx, job.Job, &view); err != nil {
				return err
			}
		}
		v.policy += fetching
		return v.Show(http.StatusOK, "job", job.Job.Name+" (#"+fmt.Sprint(job.Job.ID)+")", view)
	}
}

// seesLog reports whether a visitor can read the log of a job: a log that may contain secrets is for developers.
func seesLog(row model.ProjectRow, job model.Job) bool {
	return !job.Debug || row.Role() >= model.Developer
}

func list(text string) []string {
	var all []string
	_ = json.Unmarshal([]byte(text), &all) // the service wrote it, so it can be read
	return all
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

// tree turns events into nodes. Sections of the runner that have ended are closed; the job's script and the sections inside it
// stay open, unless the script asked for a closed one.
func tree(events []logview.Event) []logNode {
	root := &logNode{}
	way := []*logNode{root}
	for _, e := range events {
		last := way[len(way)-1]
		switch {
		case e.Open != "":
			last.Inside = append(last.Inside, logNode{Section: e.Open, HTML: e.HTML, Open: !e.Fold, Going: true})
			way = append(way, &last.Inside[len(last.Inside)-1])
		case e.Close != "" && len(way) > 1:
			last.Took, last.Going = e.Duration, false
			last.Open = last.Open && (len(way) > 2 || isScript(last.Section))
			way = way[:len(way)-1]
		case e.Close == "":
			last.Inside = append(last.Inside, logNode{Line: e.Line, HTML: e.HTML})
		}
	}
	return root.Inside
}

// isScript reports whether a section of a log holds the output of the job's own script; runners before 13.1 call it
// build_script.
func isScript(section string) bool { return section == "step_script" || section == "build_script" }
