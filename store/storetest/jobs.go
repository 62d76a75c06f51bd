package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
)

// Project creates a project of a user.
func Project(t testing.TB, st *store.Store, owner model.User, edit ...func(*model.Project)) model.Project {
	t.Helper()
	p := model.DefaultProject()
	p.NamespaceID, p.Path = *owner.NamespaceID, fmt.Sprintf("project%d", serial.Add(1))
	p.Name = p.Path
	for _, f := range edit {
		f(&p)
	}
	if err := st.Projects.Create(t.Context(), &p, nil); err != nil {
		t.Fatal(err)
	}
	return p
}

// Job creates a pipeline with one running job; change them with edit. A job in another state has not started.
func Job(t testing.TB, st *store.Store, p model.Project, edit ...func(*model.Pipeline, *model.Job)) model.Job {
	t.Helper()
	at := time.Now().UTC().Truncate(time.Microsecond)
	pipeline := model.Pipeline{
		ProjectID: p.ID, Ref: "main", SHA: strings.Repeat("a", 40), BeforeSHA: strings.Repeat("0", 40), Source: "push", CommitData: "{}",
		Stages: `["test"]`, Status: "running",
	}
	job := model.Job{
		ProjectID: p.ID, Name: "test", Stage: "test", Status: "running", RunWhen: "on_success", Ref: "main", Tags: "[]",
		Timeout: 3600, QueuedAt: &at,
		StartedAt: &at, ContactedAt: &at,
	}
	for _, f := range edit {
		f(&pipeline, &job)
	}
	n := &store.NewPipeline{Pipeline: pipeline, Jobs: []model.Job{job}, Specs: []model.JobSpec{{Name: job.Name, Spec: "{}"}}}
	if err := st.Pipelines.Create(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	return n.Jobs[0]
}
