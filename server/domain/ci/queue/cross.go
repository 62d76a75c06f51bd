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
	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
)

// needLocation is where to look for the job of a need: on a ref of a project, or in a pipeline of the same family.
type needLocation struct {
	row        model.ProjectRow // as the user of the job sees it; empty if pipelineID is set
	ref        string
	pipelineID int64
	name       string
}

// findCrossNeeds finds the needed jobs in other projects and pipelines. The job cannot run without them. It makes no
// difference whether a needed job is missing or the user of the job may not read its artifacts.
func (w *preparation) findCrossNeeds(ctx context.Context, known []variables.Variable) error {
	set := variables.NewSet(variables.NewLayer(known))
	for _, need := range w.spec.CrossNeeds {
		if !need.Artifacts || need.Job == "" {
			continue
		}
		j, err := w.findCrossNeed(ctx, set, need)
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

// findCrossNeed finds the job of one need. It returns a *store.NotFoundError if there is none that the job may read.
func (w *preparation) findCrossNeed(ctx context.Context, set *variables.Set, need syntax.CrossNeed) (model.Job, error) {
	p, err := w.locateNeed(ctx, set, need)
	if err != nil {
		return model.Job{}, err
	}
	var j model.Job
	if p.pipelineID != 0 {
		j, err = w.store.Jobs.GetByName(ctx, p.pipelineID, p.name)
	} else {
		j, err = w.store.Jobs.LatestSuccess(ctx, p.row.Project.ID, p.ref, p.name)
	}
	if err == nil {
		err = w.checkArtifactAccess(ctx, p, j)
	}
	return j, err
}

// locateNeed works out where to look for the job of a need, and checks that the user of the job may look there.
func (w *preparation) locateNeed(ctx context.Context, set *variables.Set, need syntax.CrossNeed) (needLocation, error) {
	var p needLocation
	var err error
	if p.name, err = set.Expand(need.Job); err != nil {
		return p, errNeedNotFound
	}
	if need.Pipeline != "" {
		text, err := set.Expand(need.Pipeline)
		if err != nil {
			return p, errNeedNotFound
		}
		if p.pipelineID, err = strconv.ParseInt(text, 10, 64); err != nil || p.pipelineID <= 0 {
			return p, errNeedNotFound
		}
		return p, w.checkSameFamily(ctx, p.pipelineID)
	}
	path, err := set.Expand(need.Project)
	if err != nil || path == "" {
		return p, errNeedNotFound
	}
	if p.ref, err = set.Expand(need.Ref); err != nil {
		return p, errNeedNotFound
	}
	reader := launch.Reader(*w.user)
	p.row, err = w.store.Projects.Get(ctx, 0, path, reader)
	if err == nil && (!access.SeesProject(p.row, reader) || !p.row.ReadsJobs()) {
		err = errNeedNotFound
	}
	return p, err
}

// errNeedNotFound means that the job of a need cannot be found.
var errNeedNotFound = &store.NotFoundError{Resource: "Job"}

// maxAncestors is the number of ancestors that related follows.
const maxAncestors = 10

// checkSameFamily checks that a pipeline belongs to the same project as the job and has the same root pipeline.
func (w *preparation) checkSameFamily(ctx context.Context, id int64) error {
	mine, _, err := w.store.Pipelines.Family(ctx, w.job.PipelineID, maxAncestors, 1)
	if err != nil {
		return err
	}
	theirs, _, err := w.store.Pipelines.Family(ctx, id, maxAncestors, 1)
	switch {
	case err != nil:
		return err
	case len(mine) == 0, len(theirs) == 0, theirs[0].ProjectID != w.job.ProjectID, mine[len(mine)-1].ID != theirs[len(theirs)-1].ID:
		return errNeedNotFound
	}
	return nil
}

// checkArtifactAccess checks that artifacts:access of a needed job lets the user of this job read its artifacts. Jobs of the same
// pipeline family may always be read.
func (w *preparation) checkArtifactAccess(ctx context.Context, p needLocation, j model.Job) error {
	if p.pipelineID != 0 {
		return nil
	}
	spec, err := w.engine.Spec(ctx, &j)
	if err != nil {
		return err
	}
	if spec.Artifacts != nil && !artifacts.MayRead(spec.Artifacts.Access, p.row.Role()) {
		return errNeedNotFound
	}
	return nil
}

// matches reports whether place may have led to a job. It does not ask for the newest job, because a newer one may have
// finished since.
func (p needLocation) matches(j model.Job) bool {
	switch {
	case j.Name != p.name || j.Bridge:
		return false
	case p.pipelineID != 0:
		return j.PipelineID == p.pipelineID
	}
	return j.ProjectID == p.row.Project.ID && j.Ref == p.ref && j.Status == string(status.Success)
}

// getsCrossArtifactsOf reports whether the needs of this job lead to another job in a different project or pipeline.
func (w *preparation) getsCrossArtifactsOf(ctx context.Context, other int64) (bool, error) {
	j, err := w.store.Jobs.Find(ctx, other)
	if store.IsNotFound(err) {
		return false, nil
	}
	if err == nil {
		err = w.load(ctx, w.job.ID)
	}
	if err == nil {
		err = w.loadRows(ctx)
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
		p, err := w.locateNeed(ctx, set, need)
		if err == nil && p.matches(j) {
			err = w.checkArtifactAccess(ctx, p, j)
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
