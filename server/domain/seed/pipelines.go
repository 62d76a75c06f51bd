package seed

import (
	"fmt"
	"time"

	"svc/server/domain/fixture"
)

// pipelines declares pipelines that succeeded, failed, were canceled, and wait for a person.
func (p *project) pipelines() {
	passed := p.pipeline("main", commitRelease, maintainer)
	p.job(&passed, "build", "success")
	p.job(&passed, "test", "success")
	p.job(&passed, "deploy", "success")
	tagged := p.pipeline("v1.0.0", "", maintainer)
	p.job(&tagged, "build", "success")
	p.job(&tagged, "test", "success")
	failed := p.pipeline(branchMetrics, commitMetrics, developer)
	p.job(&failed, "build", "success")
	p.job(&failed, "test", "failed")
	p.job(&failed, "deploy", "skipped")
	canceled := p.pipeline(branchCache, "", developer)
	p.job(&canceled, "build", "canceled")
	p.job(&canceled, "test", "skipped")
	ready := p.pipeline(branchTypo, "", developer)
	p.job(&ready, "build", "success")
	p.job(&ready, "test", "success")
	newest := p.pipeline("main", "", p.owner)
	newest.Source = "web"
	p.job(&newest, "build", "success")
	p.job(&newest, "test", "success")
	p.job(&newest, "deploy", "manual")
	p.Pipelines = []fixture.Pipeline{passed, tagged, failed, canceled, ready, newest}
}

func (p *project) pipeline(ref, commit, user string) fixture.Pipeline {
	return fixture.Pipeline{Ref: ref, Commit: commit, User: user, CreatedAt: p.later(40 * time.Minute)}
}

func (p *project) job(in *fixture.Pipeline, name, status string) {
	job := fixture.Job{Name: name, Stage: name, Status: status}
	switch status {
	case "success", "failed":
		job.Runner = "shared runner"
		job.Log = p.log(name, status)
	case "manual":
		job.AllowFailure = true
	}
	if status == "failed" {
		code := int64(1)
		job.ExitCode = &code
	}
	if name == "build" && status == "success" {
		job.Artifacts = fixture.Files{"bin/service": fixture.TextFile("#!/bin/sh\necho " + p.Name + "\n")}
	}
	if name == "test" && status == "success" {
		coverage := 70 + float64(p.random.IntN(25))
		job.Coverage = &coverage
	}
	in.Jobs = append(in.Jobs, job)
}

// log returns the log of a job, as a runner writes it.
func (p *project) log(name, status string) string {
	text := "Running with shared runner\n$ "
	switch name {
	case "build":
		text += "go build -o bin/service .\n"
	case "test":
		text += "go test ./...\n"
	default:
		text += fmt.Sprintf("echo \"deploy to $DEPLOY_TARGET\"\ndeploy to %s.example.invalid\n", p.slug)
	}
	if status == "failed" {
		return text + "--- FAIL: TestTheCounterBeginsWithZero (0.00s)\nFAIL\nERROR: Job failed: exit code 1\n"
	}
	return text + "Job succeeded\n"
}
