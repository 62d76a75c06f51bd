package queue

import (
	"context"
	"errors"
	"strings"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/model"
)

// EnvironmentURL returns the URL of the environment of a finished job: the URL from the CI file, expanded with the
// variables of the job and of its own dotenv report. It returns nil if the job has no such URL, or if the result is not
// the address of a web page.
func (q *Queue) EnvironmentURL(ctx context.Context, job model.Job) (*string, error) {
	if job.Environment == nil {
		return nil, nil
	}
	w := &preparation{Queue: q}
	err := w.load(ctx, job.ID)
	if err == nil {
		err = w.loadRows(ctx)
	}
	if err == nil && (w.spec.Environment == nil || !strings.Contains(w.spec.Environment.URL, "$")) {
		return nil, nil // the URL needs no variables, so it was stored when the job was created
	}
	if err == nil {
		err = w.findNeeded(ctx)
	}
	if err == nil && job.RunnerID != nil {
		if w.runner, err = q.store.Runners.Get(ctx, *job.RunnerID); store.IsNotFound(err) {
			err = nil
		}
	}
	var known []variables.Variable
	if err == nil {
		w.needed = append(w.needed, job) // to include the job's own dotenv report
		known, err = w.variables(ctx)
	}
	var unfit *brokenError
	if errors.As(err, &unfit) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text, err := variables.NewSet(variables.NewLayer(known)).Expand(w.spec.Environment.URL)
	if err != nil || !engine.IsWebURL(text) {
		return nil, nil
	}
	return &text, nil
}
