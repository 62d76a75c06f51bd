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

// EnvironmentURL is where the environment of a job that has run is found: what the CI file says, with the variables of the job in it and
// those that its own dotenv report brings. It is nil for a job that says nothing, and for what is no address of a page.
func (q *Queue) EnvironmentURL(ctx context.Context, job model.Job) (*string, error) {
	if job.Environment == nil {
		return nil, nil
	}
	w := &work{Queue: q}
	err := w.load(ctx, job.ID)
	if err == nil {
		err = w.read(ctx)
	}
	if err == nil && (w.spec.Environment == nil || !strings.Contains(w.spec.Environment.URL, "$")) {
		return nil, nil // the job has it already
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
		w.needed = append(w.needed, job) // its report counts, too
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
	if err != nil || !engine.IsPage(text) {
		return nil, nil
	}
	return &text, nil
}
