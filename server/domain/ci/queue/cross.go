package queue

import (
	"context"
	"errors"
	"strconv"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/launch"
	"svc/server/domain/ci/status"
	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/model"
)

// place is where to look for the job of a need: on a ref of a project, or in a pipeline of the same family.
type place struct {
	row        model.ProjectRow // as the user of the job sees it; empty if pipelineID is set
	ref        string
	pipelineID int64
	name       string
}

// findElsewhere finds the needed jobs in other projects and pipelines. The job cannot run without them. It makes no
// difference whether a needed job is missing or the user of the job may not read its artifacts.
func (w *work) findElsewhere(ctx context.Context, known []variables.Variable) error {
	set := variables.NewSet(variables.NewLayer(known))
	for _, need := range w.spec.CrossNeeds {
		if !need.Artifacts || need.Job == "" {
			continue
		}
		j, err := w.elsewhere(ctx, set, need)
		if store.IsNotFound(err) {
			return broken(status.MissingDependencyFailure)
		}
		if err != nil {
			return err
		}
		w.needed = append(w.needed, j)
	}
	return nil
}

// elsewhere finds the job of one need. It returns a *store.NotFoundError if there is none that the job may read.
func (w *work) elsewhere(ctx context.Context, set *variables.Set, need syntax.CrossNeed) (model.Job, error) {
	p, err := w.place(ctx, set, need)
	if err != nil {
		return model.Job{}, err
	}
	var j model.Job
	if p.pipelineID != 0 {
		j, err = w.store.Jobs.Named(ctx, p.pipelineID, p.name)
	} else {
		j, err = w.store.Jobs.LatestSuccess(ctx, p.row.Project.ID, p.ref, p.name)
	}
	if err == nil {
		err = w.opens(ctx, p, j)
	}
	return j, err
}

// place works out where to look for the job of a need, and checks that the user of the job may look there.
func (w *work) place(ctx context.Context, set *variables.Set, need syntax.CrossNeed) (place, error) {
	var p place
	var err error
	if p.name, err = set.Expand(need.Job); err != nil {
		return p, errNowhere
	}
	if need.Pipeline != "" {
		text, err := set.Expand(need.Pipeline)
		if err != nil {
			return p, errNowhere
		}
		if p.pipelineID, err = strconv.ParseInt(text, 10, 64); err != nil || p.pipelineID <= 0 {
			return p, errNowhere
		}
		return p, w.related(ctx, p.pipelineID)
	}
	path, err := set.Expand(need.Project)
	if err != nil || path == "" {
		return p, errNowhere
	}
	if p.ref, err = set.Expand(need.Ref); err != nil {
		return p, errNowhere
	}
	reader := launch.Reader(*w.user)
	p.row, err = w.store.Projects.Get(ctx, 0, path, reader)
	if err == nil && (!w.sees(p.row, reader) || !p.row.ReadsJobs()) {
		err = errNowhere
	}
	return p, err
}

// errNowhere means that the job of a need cannot be found.
var errNowhere = &store.NotFoundError{Resource: "Job"}

// deepest is the number of ancestors that related follows.
const deepest = 10

// related checks that a pipeline belongs to the same project as the job and has the same root pipeline.
func (w *work) related(ctx context.Context, id int64) error {
	mine, _, err := w.store.Pipelines.Family(ctx, w.job.PipelineID, deepest, 1)
	if err != nil {
		return err
	}
	theirs, _, err := w.store.Pipelines.Family(ctx, id, deepest, 1)
	switch {
	case err != nil:
		return err
	case len(mine) == 0, len(theirs) == 0, theirs[0].ProjectID != w.job.ProjectID, mine[len(mine)-1].ID != theirs[len(theirs)-1].ID:
		return errNowhere
	}
	return nil
}

// opens checks that artifacts:access of a needed job lets the user of this job read its artifacts. Jobs of the same
// pipeline family may always be read.
func (w *work) opens(ctx context.Context, p place, j model.Job) error {
	if p.pipelineID != 0 {
		return nil
	}
	spec, err := w.engine.Spec(ctx, &j)
	if err != nil {
		return err
	}
	if spec.Artifacts != nil && !artifacts.Opens(spec.Artifacts.Access, p.row.Role()) {
		return errNowhere
	}
	return nil
}

// holds reports whether place may have led to a job. It does not ask for the newest job, because a newer one may have
// finished since.
func (p place) holds(j model.Job) bool {
	switch {
	case j.Name != p.name || j.Bridge:
		return false
	case p.pipelineID != 0:
		return j.PipelineID == p.pipelineID
	}
	return j.ProjectID == p.row.Project.ID && j.Ref == p.ref && j.Status == string(status.Success)
}

// reachesElsewhere reports whether the needs of this job lead to another job in a different project or pipeline.
func (w *work) reachesElsewhere(ctx context.Context, other int64) (bool, error) {
	j, err := w.store.Jobs.Find(ctx, other)
	if store.IsNotFound(err) {
		return false, nil
	}
	if err == nil {
		err = w.load(ctx, w.job.ID)
	}
	if err == nil {
		err = w.read(ctx)
	}
	var unfit *brokenError
	if errors.As(err, &unfit) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	sources, err := w.sources(ctx)
	if err != nil {
		return false, err
	}
	set := variables.NewSet(variables.NewLayer(sources.Merge()))
	for _, need := range w.spec.CrossNeeds {
		if !need.Artifacts || need.Job == "" {
			continue
		}
		p, err := w.place(ctx, set, need)
		if err == nil && p.holds(j) {
			err = w.opens(ctx, p, j)
			if err == nil {
				return true, nil
			}
		}
		if err != nil && !store.IsNotFound(err) {
			return false, err
		}
	}
	return false, nil
}
