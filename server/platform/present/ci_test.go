package present

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"svc/store/git"
	"svc/store/model"
)

// ciProject returns the project of the rows below.
func ciProject() model.Project {
	return model.Project{
		ID: 5, NamespaceID: 3, Name: "Web", Path: "web", FullName: "Acme / Web", FullPath: "acme/web",
		Description: ptr("The site"), DefaultBranch: "main",
		CiJobTokenScopeEnabled: true, CreatedAt: noon, UpdatedAt: noon,
	}
}

func ciPipeline() model.Pipeline {
	person := git.Person{Name: "Jane Doe", Email: "jane@example.com", When: noon}
	// plain values always marshal
	commit, _ := json.Marshal(git.Commit{ID: "a1b2", Author: person, Committer: person, Message: "Mend the roof\n"})
	return model.Pipeline{
		ID: 47, IID: 12, ProjectID: 5, Ref: "main", SHA: "a1b2", BeforeSHA: "0000", Status: "success", Source: "push", Name: ptr("Nightly"),
		CommitData: string(commit), CreatedAt: noon, UpdatedAt: noon, StartedAt: ptr(noon.Add(time.Second)),
		FinishedAt: ptr(noon.Add(time.Minute)), Duration: ptr[int64](59),
	}
}

// ciJob returns a job with every field set.
func ciJob() model.JobRow {
	user := full()
	return model.JobRow{
		Job: model.Job{
			ID: 7, ProjectID: 5, PipelineID: 47, UserID: &user.ID, Name: "build", Stage: "test", Status: "failed",
			AllowFailure: true, Ref: "main", Tag: true,
			Tags: `["linux"]`, FailureReason: ptr("script_failure"), Coverage: ptr(87.5), LogSize: 15,
			ArtifactsExpireAt: &noon, CreatedAt: noon, UpdatedAt: noon,
			QueuedAt: &noon, StartedAt: ptr(noon.Add(2 * time.Second)), FinishedAt: ptr(noon.Add(3 * time.Second)), ErasedAt: &noon,
		},
		Pipeline: ciPipeline(), User: &user,
		Runner: &model.Runner{
			ID: 6, Description: ptr("metal"), IPAddress: ptr("10.0.0.1"), RunnerType: model.InstanceRunner,
			Name: ptr("runner"), ContactedAt: &noon, CreatedAt: noon, Tags: "[]",
		},
		Manager: &model.RunnerManager{ID: 9, SystemID: "s_1", Version: ptr("17.0"), CreatedAt: noon, ContactedAt: &noon},
		Artifacts: []model.JobArtifact{
			{FileType: "archive", FileFormat: "zip", Filename: "artifacts.zip", Size: 10},
			{FileType: "junit", FileFormat: "gzip", Filename: "junit.xml.gz", Size: 2},
		},
	}
}

func TestEachJobOfAListHasItsCommit(t *testing.T) {
	t.Parallel()
	show, row := free.OfJobs(ciProject(), noon), ciJob()
	for _, pipeline := range []model.Pipeline{
		{SHA: "a0"}, {ID: 1, SHA: "a1"}, {ID: 1, SHA: "a1"}, {ID: 2, CommitData: `{"ID":"a2"}`}, {ID: 1, SHA: "a1"},
	} {
		row.Pipeline = pipeline
		if got, want := show.Job(row).Commit.ID, fmt.Sprint("a", pipeline.ID); got != want {
			t.Errorf("the commit of pipeline %d is %s, want %s", pipeline.ID, got, want)
		}
	}
}

func TestJobsAreShown(t *testing.T) {
	t.Parallel()
	show := JobPresenter{Presenter: free, Project: ciProject(), Now: noon.Add(time.Minute)}
	golden(t, "job_full", show.Job(ciJob()))
	bareJob := model.JobRow{
		Job:      model.Job{ID: 8, Name: "b", Stage: "test", Status: "created", Ref: "main", Tags: "[]", CreatedAt: noon},
		Pipeline: model.Pipeline{ID: 1, Status: "created", Source: "api", CreatedAt: noon, UpdatedAt: noon},
	}
	golden(t, "job_bare", show.Job(bareJob))
	bridge := ciJob()
	bridge.Job.Status, bridge.Job.Bridge, bridge.DownstreamPath = "success", true, "acme/other"
	golden(t, "bridge_bare", show.Bridge(bridge))
	down := ciPipeline()
	down.ID, down.ProjectID, bridge.Downstream = 48, 6, &down
	golden(t, "bridge_full", show.Bridge(bridge))
	by := ciJob()
	golden(t, "deployment", show.Deployment(model.DeploymentRow{
		Deployment:  model.Deployment{ID: 4, IID: 2, Status: "success", CreatedAt: noon, UpdatedAt: noon, FinishedAt: &noon},
		Environment: model.Environment{ID: 3, Name: "review/fix", Slug: "review-fix", CreatedAt: noon, UpdatedAt: noon},
		Job:         &by, User: by.User,
	}))
	golden(t, "deployment_by_api", show.Deployment(model.DeploymentRow{
		Deployment: model.Deployment{
			ID: 5, IID: 3, Status: "running", CreatedAt: noon, UpdatedAt: noon, Ref: "main", SHA: by.Pipeline.SHA,
		},
		Environment: model.Environment{ID: 3, Name: "review/fix", Slug: "review-fix", CreatedAt: noon, UpdatedAt: noon}, User: by.User,
	}))
}

func TestPipelinesAreShown(t *testing.T) {
	t.Parallel()
	user := full()
	golden(t, "pipeline_listed", free.PipelineListed("acme/web", ciPipeline()))
	golden(t, "pipeline_full", free.PipelineSingle("acme/web", ciPipeline(), model.PipelineDetails{User: &user, Coverage: ptr(30.0)}))
	golden(t, "pipeline_warned", free.PipelineSingle("acme/web", ciPipeline(), model.PipelineDetails{Warned: true}))
	golden(
		t, "pipeline_bare",
		free.PipelineSingle(
			"acme/web", model.Pipeline{ID: 1, Status: "created", Source: "api", CreatedAt: noon, UpdatedAt: noon},
			model.PipelineDetails{},
		),
	)
	golden(
		t, "pipeline_variable",
		PipelineVariable(model.PipelineVariable{Key: "REGION", Value: "eu", VariableType: model.VariableEnv, Raw: true}),
	)
}

// A state without words would be shown as nothing at all.
func TestEveryStateHasWords(t *testing.T) {
	t.Parallel()
	for _, status := range []string{
		"created", "waiting_for_resource", "preparing", "pending", "running", "canceling", "success", "failed",
		"canceled", "skipped", "manual", "scheduled",
	} {
		for _, warned := range []bool{false, true} {
			d := detailedStatus(status, warned, "/x")
			if d.Icon == "" || d.Text == "" || d.Label == "" || d.Group == "" || d.Favicon == FaviconPath+".svg" ||
				(d.Icon == "status_warning") != (warned && status == "success") {
				t.Errorf("%s, warned %t: %+v", status, warned, d)
			}
		}
	}
}

func TestWhatBelongsToPipelinesIsShown(t *testing.T) {
	t.Parallel()
	owner, last := full(), ciPipeline()
	schedule := model.PipelineSchedule{
		ID: 2, Description: "Nightly", Ref: "main", Cron: "0 1 * * *", CronTimezone: "UTC", NextRunAt: &noon,
		Active: true, CreatedAt: noon, UpdatedAt: noon,
	}
	golden(t, "schedule", free.Schedule(schedule, nil))
	golden(t, "schedule_bare", free.ScheduleDetail(schedule, nil, nil, nil))
	golden(
		t, "schedule_full",
		free.ScheduleDetail(
			schedule, &owner, &last,
			[]model.PipelineScheduleVariable{{Key: "A", Value: "1", VariableType: model.VariableEnv}},
		),
	)
	golden(
		t, "trigger",
		free.Trigger(model.PipelineTrigger{ID: 1, Description: "Deployments", CreatedAt: noon, UpdatedAt: noon}, owner, "svcptt-abcd"),
	)
	golden(
		t, "environment_bare",
		Environment(
			model.Environment{ID: 3, Name: "prod", Slug: "prod", Tier: "production", State: "available", CreatedAt: noon, UpdatedAt: noon},
		),
	)
	golden(t, "environment_full", Environment(model.Environment{
		ID: 3, Name: "review/fix", Slug: "review-fix", Tier: "development", State: "stopped",
		ExternalURL: ptr("https://fix.example.com"), Description: ptr("d"), AutoStopAt: &noon, CreatedAt: noon,
		UpdatedAt: noon,
	}))
	owned := model.OwnedVariable{
		Key: "KEY", Value: "value", VariableType: model.VariableFile, EnvironmentScope: "*", Protected: true,
		Masked: true,
	}
	golden(t, "owned_variable", Variable(owned))
	owned.Hidden = true
	golden(t, "owned_variable_hidden", Variable(owned))
	golden(
		t, "resource_group",
		ResourceGroup(model.ResourceGroup{ID: 1, Key: "production", ProcessMode: "unordered", CreatedAt: noon, UpdatedAt: noon}),
	)
	agents := []model.ClusterAgent{{ID: 1, Name: "production", UserID: ptr[int64](7), CreatedAt: noon}}
	golden(t, "agent", ClusterAgent(ciProject(), agents[0]))
	golden(
		t, "allowed_agents_full",
		free.AllowedAgents(
			ciProject(), ciJob(),
			JobAgents{Agents: agents, Groups: []int64{3, 2}, Environment: &model.Environment{Slug: "prod", Tier: "production"}},
		),
	)
	golden(t, "allowed_agents_bare", free.AllowedAgents(ciProject(), ciJob(), JobAgents{}))
}

func TestRunnersAreShown(t *testing.T) {
	t.Parallel()
	runner := *ciJob().Runner
	runner.AccessLevel, runner.Tags, runner.RunUntagged, runner.Locked, runner.MaximumTimeout =
		"not_protected", `["linux"]`, true, true, ptr[int64](600)
	group := model.Namespace{ID: 3, Name: "Acme", FullPath: "acme"}
	golden(t, "runner_basic", RunnerBasic(runner, noon))
	golden(t, "runner_detail", free.RunnerDetail(runner, []model.Project{ciProject()}, &group, noon))
	golden(
		t, "runner_detail_bare",
		free.RunnerDetail(
			model.Runner{
				ID: 1, RunnerType: model.ProjectRunner, Tags: "[]", AccessLevel: "not_protected",
				CreatedAt: noon.AddDate(-1, 0, 0),
			},
			nil, nil, noon,
		),
	)
	golden(t, "runner_manager", RunnerManager(*ciJob().Manager, noon))
	golden(t, "job_token_project", free.JobTokenProject(ciProject()))
	golden(t, "job_token_group", free.JobTokenGroup(group))
}
