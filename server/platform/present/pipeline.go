package present

import (
	"encoding/json"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/git"
	"svc/store/model"
)

// PipelineListed presents a pipeline in a list; path is the full path of its project.
func (p Presenter) PipelineListed(path string, row model.Pipeline) gen.PipelineListed {
	b := p.Pipeline(path, row)
	return gen.PipelineListed{
		ID: b.ID, Iid: b.Iid, ProjectID: b.ProjectID, Sha: b.Sha, Ref: b.Ref, Status: b.Status, Source: b.Source,
		CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt, WebURL: b.WebURL, Name: row.Name,
	}
}

// PipelineSingle presents a single pipeline, with its user, coverage and warnings.
func (p Presenter) PipelineSingle(path string, row model.Pipeline, beside model.PipelineDetails) gen.Pipeline {
	b := p.Pipeline(path, row)
	shown := gen.Pipeline{
		ID: b.ID, Iid: b.Iid, ProjectID: b.ProjectID, Sha: b.Sha, Ref: b.Ref, Status: b.Status, Source: b.Source,
		CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt, WebURL: b.WebURL, BeforeSha: row.BeforeSHA, Tag: row.Tag,
		YamlErrors: row.YamlErrors,
		StartedAt:  wire.TimePtr(row.StartedAt), FinishedAt: wire.TimePtr(row.FinishedAt), Duration: row.Duration,
		DetailedStatus: detailedStatus(row.Status, beside.Warned, "/"+path+"/-/pipelines/"+strconv.FormatInt(row.ID, 10)), Name: row.Name,
	}
	if beside.User != nil {
		basic := p.UserBasic(*beside.User)
		shown.User = &basic
	}
	var commit git.Commit
	if json.Unmarshal([]byte(row.CommitData), &commit) == nil && commit.ID != "" {
		shown.CommittedAt = wire.TimePtr(&commit.Committer.When)
	}
	if row.StartedAt != nil {
		seconds := max(int64(row.StartedAt.Sub(row.CreatedAt).Seconds()), 0)
		shown.QueuedDuration = &seconds
	}
	if beside.Coverage != nil {
		text := strconv.FormatFloat(*beside.Coverage, 'f', 2, 64)
		shown.Coverage = &text
	}
	return shown
}

// statusWords holds the texts for states: icon, text, label, group, and the last part of the name of the favicon.
var statusWords = map[string][5]string{
	"created":              {"status_created", "Created", "created", "created", "created"},
	"waiting_for_resource": {"status_pending", "Waiting", "waiting for resource", "waiting-for-resource", "pending"},
	"preparing":            {"status_preparing", "Preparing", "preparing", "preparing", "preparing"},
	"pending":              {"status_pending", "Pending", "pending", "pending", "pending"},
	"running":              {"status_running", "Running", "running", "running", "running"},
	"canceling":            {"status_canceled", "Canceling", "canceling", "canceling", "canceled"},
	"success":              {"status_success", "Passed", "passed", "success", "success"},
	"warning":              {"status_warning", "Warning", "passed with warnings", "success-with-warnings", "success"},
	"failed":               {"status_failed", "Failed", "failed", "failed", "failed"},
	"canceled":             {"status_canceled", "Canceled", "canceled", "canceled", "canceled"},
	"skipped":              {"status_skipped", "Skipped", "skipped", "skipped", "skipped"},
	"manual":               {"status_manual", "Blocked", "waiting for manual action", "manual", "manual"},
	"scheduled":            {"status_scheduled", "Delayed", "waiting for delayed job", "scheduled", "scheduled"},
}

// detailedStatus presents a state the way pages show it. A successful pipeline in which jobs with allow_failure failed
// has warnings.
func detailedStatus(status string, warned bool, path string) gen.PipelineDetailedStatus {
	if status == "success" && warned {
		status = "warning"
	}
	w := statusWords[status]
	return gen.PipelineDetailedStatus{
		Icon: w[0], Text: w[1], Label: w[2], Group: w[3], Tooltip: w[2], HasDetails: true, DetailsPath: path,
		Favicon: FaviconPath + w[4] + ".svg",
	}
}

// FaviconPath is the path of the favicons of states, without the state and the suffix. Package web serves them.
const FaviconPath = "/-/assets/ci/favicon_status_"

// PipelineVariable presents a variable of a pipeline.
func PipelineVariable(v model.PipelineVariable) gen.PipelineVariable {
	return gen.PipelineVariable{VariableType: gen.VariableType(v.VariableType), Key: v.Key, Value: v.Value, Raw: v.Raw}
}

// ScheduleVariable presents a variable that a schedule passes to its pipelines.
func ScheduleVariable(v model.PipelineScheduleVariable) gen.PipelineVariable {
	return gen.PipelineVariable{VariableType: gen.VariableType(v.VariableType), Key: v.Key, Value: v.Value, Raw: v.Raw}
}

// Schedule presents a schedule in a list, with its owner.
func (p Presenter) Schedule(s model.PipelineSchedule, owner *model.User) gen.PipelineSchedule {
	shown := gen.PipelineSchedule{
		ID: s.ID, Description: s.Description, Ref: s.Ref, Cron: s.Cron, CronTimezone: s.CronTimezone, NextRunAt: wire.TimePtr(s.NextRunAt),
		Active: s.Active, CreatedAt: wire.NewTime(s.CreatedAt), UpdatedAt: wire.NewTime(s.UpdatedAt),
	}
	if owner != nil {
		basic := p.UserBasic(*owner)
		shown.Owner = &basic
	}
	return shown
}

// ScheduleDetail presents a single schedule, with its last pipeline if it has one, and with its variables unless given
// is nil.
func (p Presenter) ScheduleDetail(
	s model.PipelineSchedule, owner *model.User, last *model.Pipeline, given []model.PipelineScheduleVariable,
) gen.PipelineScheduleDetail {
	b := p.Schedule(s, owner)
	shown := gen.PipelineScheduleDetail{
		ID: b.ID, Description: b.Description, Ref: b.Ref, Cron: b.Cron, CronTimezone: b.CronTimezone,
		NextRunAt: b.NextRunAt, Active: b.Active,
		CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt, Owner: b.Owner,
	}
	if last != nil {
		shown.LastPipeline = &gen.PipelineScheduleLast{ID: last.ID, Sha: last.SHA, Ref: last.Ref, Status: gen.CIStatus(last.Status)}
	}
	if given != nil {
		all := All(given, ScheduleVariable)
		shown.Variables = &all
	}
	return shown
}

// Trigger presents a trigger token; token is the whole token, or its first characters.
func (p Presenter) Trigger(t model.PipelineTrigger, owner model.User, token string) gen.Trigger {
	return gen.Trigger{
		ID: t.ID, Token: token, Description: t.Description, CreatedAt: wire.NewTime(t.CreatedAt), LastUsed: wire.TimePtr(t.LastUsedAt),
		UpdatedAt: wire.NewTime(t.UpdatedAt), Owner: p.UserBasic(owner),
	}
}
