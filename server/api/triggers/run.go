package triggers

import (
	"cmp"
	"context"
	"slices"

	"svc/gen"
	"svc/server/domain/ci/launch"
	"svc/store/model"
)

// TriggerProjectPipeline starts a pipeline with a trigger token or a job token.
// POST /projects/{id}/trigger/pipeline
func (t *Triggers) TriggerProjectPipeline(
	ctx context.Context, req gen.TriggerProjectPipelineRequestObject,
) (gen.TriggerProjectPipelineResponseObject, error) {
	shown, err := t.run(ctx, req.ID, req.Body.Ref, req.Body.Token, req.Body.Variables)
	return gen.TriggerProjectPipeline201JSONResponse(shown), err
}

// TriggerProjectPipelineForRef starts a pipeline with a trigger token or a job token, on the ref in the path.
// POST /projects/{id}/ref/{ref}/trigger/pipeline
func (t *Triggers) TriggerProjectPipelineForRef(
	ctx context.Context, req gen.TriggerProjectPipelineForRefRequestObject,
) (gen.TriggerProjectPipelineForRefResponseObject, error) {
	shown, err := t.run(ctx, req.ID, req.Ref, req.Body.Token, req.Body.Variables)
	return gen.TriggerProjectPipelineForRef201JSONResponse(shown), err
}

// run starts a pipeline on a ref as the owner of a token.
func (t *Triggers) run(
	ctx context.Context, project, ref, token string, given *map[string]string,
) (gen.Pipeline, error) {
	request, err := t.authorize(ctx, project, token)
	if err != nil {
		return gen.Pipeline{}, err
	}
	if given != nil {
		request.Variables = variablesFrom(*given)
	}
	if err := launch.CheckVariables(request.Project, request.Variables); err != nil {
		return gen.Pipeline{}, err
	}
	made, err := t.launch.LaunchOnRef(ctx, request, ref)
	if err != nil {
		return gen.Pipeline{}, err
	}
	beside, err := t.store.Pipelines.Details(ctx, made)
	return t.show.PipelineSingle(request.Project.Project.FullPath, made, beside), err
}

// variablesFrom returns the given variables, sorted by key.
func variablesFrom(given map[string]string) []model.PipelineVariable {
	var rows []model.PipelineVariable
	for key, value := range given {
		rows = append(rows, model.PipelineVariable{Key: key, Value: value, VariableType: model.VariableEnv})
	}
	slices.SortFunc(rows, func(a, b model.PipelineVariable) int { return cmp.Compare(a.Key, b.Key) })
	return rows
}
