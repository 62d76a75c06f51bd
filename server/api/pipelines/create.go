package pipelines

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/ci/launch"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// CreateProjectPipeline creates and starts a pipeline.
// POST /projects/{id}/pipeline
func (p *Pipelines) CreateProjectPipeline(
	ctx context.Context, req gen.CreateProjectPipelineRequestObject,
) (gen.CreateProjectPipelineResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.CreatePipeline)
	if err != nil {
		return nil, err
	}
	given := variablesFrom(req.Body.Variables)
	if err := launch.CheckVariables(row, given); err != nil {
		return nil, err
	}
	user, err := p.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return nil, err
	}
	request := launch.Request{Project: row, User: user, Source: "api", Variables: given}
	made, err := p.launch.LaunchOnRef(ctx, request, req.Body.Ref)
	if err != nil {
		return nil, err
	}
	shown, err := p.presentOne(ctx, row.Project, made)
	return gen.CreateProjectPipeline201JSONResponse(shown), err
}

func variablesFrom(given *[]gen.PipelineVariableCreate) []model.PipelineVariable {
	if given == nil {
		return nil
	}
	rows := make([]model.PipelineVariable, len(*given))
	for i, v := range *given {
		rows[i] = model.PipelineVariable{
			Key: v.Key, Value: v.Value, VariableType: model.VariableEnv, Raw: wire.Value(v.Raw),
		}
		if v.VariableType != nil {
			rows[i].VariableType = string(*v.VariableType)
		}
	}
	return rows
}
