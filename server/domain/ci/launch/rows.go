package launch

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
)

// newPipeline returns the pipeline without jobs.
func (w *launching) newPipeline() *store.NewPipeline {
	commit, _ := json.Marshal(w.commit) // plain values always marshal
	n := &store.NewPipeline{Pipeline: model.Pipeline{
		ProjectID: w.Project.Project.ID, IID: w.iid, UserID: &w.User.ID, Ref: w.Ref, Tag: w.Tag, Protected: w.protected,
		SHA: w.SHA, BeforeSHA: w.Before, CommitData: string(commit), Source: w.Source, Stages: "[]",
		OnNewCommit: "conservative", OnJobFailure: "none", Child: w.Child, Depth: w.Depth, DeployFreeze: w.frozen,
	}}
	if w.Origin != "" {
		n.Pipeline.Origin = &w.Origin
	}
	if w.Schedule != nil {
		n.Pipeline.ScheduleID = &w.Schedule.ID
	}
	if w.Upstream != nil {
		n.Pipeline.UpstreamJobID = &w.Upstream.ID
	}
	if w.MergeRequest != nil {
		n.Pipeline.MergeRequestID = &w.MergeRequest.ID
	}
	n.Variables = append(n.Variables, w.Variables...)
	return n
}

// addJobs adds the jobs and settings from the compiled CI file.
func (w *launching) addJobs(n *store.NewPipeline, p *syntax.Pipeline) error {
	stages, err := json.Marshal(p.Stages)
	if err != nil {
		return err
	}
	n.Pipeline.Stages = string(stages)
	if p.Name != "" {
		n.Pipeline.Name = &p.Name
	}
	if p.AutoCancel.OnNewCommit != "" {
		n.Pipeline.OnNewCommit = p.AutoCancel.OnNewCommit
	}
	if p.AutoCancel.OnJobFailure != "" {
		n.Pipeline.OnJobFailure = p.AutoCancel.OnJobFailure
	}
	n.Jobs, n.Specs = make([]model.Job, len(p.Jobs)), make([]model.JobSpec, len(p.Jobs))
	for i := range p.Jobs {
		j := &p.Jobs[i]
		spec, err := json.Marshal(j)
		if err != nil {
			return err
		}
		if n.Jobs[i], err = w.job(j); err != nil {
			return err
		}
		n.Specs[i] = model.JobSpec{Name: j.Name, Spec: string(spec)}
	}
	return nil
}

func (w *launching) job(j *syntax.Job) (model.Job, error) {
	row := model.Job{
		ProjectID: w.Project.Project.ID, UserID: &w.User.ID, Bridge: j.IsBridge(), Name: j.Name, Stage: j.Stage,
		StageIndex: int64(j.StageIndex), Status: "created", RunWhen: j.When, AllowFailure: j.AllowFailure, Ref: w.Ref, Tag: w.Tag,
		Protected: w.protected, Interruptible: j.Interruptible, StartIn: int64(j.StartIn / time.Second),
		Timeout: w.Project.Project.BuildTimeout,
	}
	if j.Timeout > 0 {
		row.Timeout = int64(j.Timeout / time.Second)
	}
	if j.ResourceGroup != "" {
		row.ResourceGroup = &j.ResourceGroup
	}
	if j.Environment != nil && j.Environment.Name != "" {
		row.Environment, row.EnvironmentAction = &j.Environment.Name, &j.Environment.Action
		if !strings.Contains(j.Environment.URL, "$") && engine.IsWebURL(j.Environment.URL) {
			row.EnvironmentURL = &j.Environment.URL // other URLs are set when the variables of the job are available
		}
	}
	tags := append([]string{}, j.Tags...)
	slices.Sort(tags)
	text, err := json.Marshal(slices.Compact(tags))
	if err != nil {
		return row, err
	}
	row.Tags = string(text)
	if !j.HasNeeds {
		return row, nil
	}
	names := make([]string, len(j.Needs))
	for i, need := range j.Needs {
		names[i] = need.Job
	}
	text, err = json.Marshal(names)
	list := string(text)
	row.Needs = &list
	return row, err
}
