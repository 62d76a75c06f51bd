package graphql

import (
	"context"
	"strconv"
	"strings"

	"svc/server/platform/access"
	"svc/server/transport/graphql/engine"
	"svc/store"
	"svc/store/model"
)

// pipelineNode is a pipeline with its project as the caller sees it. complete says whether its details were read.
type pipelineNode struct {
	row      model.PipelineRow
	in       model.ProjectRow
	complete bool
}

// jobNode is a job with its project.
type jobNode struct {
	row model.JobRow
	in  model.ProjectRow
}

func (h *Handler) pipelineTypes() map[string]engine.Resolvers {
	return map[string]engine.Resolvers{
		"Project":  {"pipelines": engine.One(h.pipelines), "pipeline": engine.One(h.pipeline)},
		"Pipeline": h.pipelineFields(),
		"CiJob":    h.jobFields(),
		"CiStage":  {"name": engine.Value(func(name string) any { return name })},
	}
}

func ofPipeline(read func(model.Pipeline) any) engine.Resolver {
	return engine.Value(func(n pipelineNode) any { return read(n.row.Pipeline) })
}

func (h *Handler) pipelineFields() engine.Resolvers {
	return engine.Resolvers{
		"id":         ofPipeline(func(p model.Pipeline) any { return gid("Ci::Pipeline", p.ID) }),
		"iid":        ofPipeline(func(p model.Pipeline) any { return strconv.FormatInt(p.IID, 10) }),
		"status":     ofPipeline(func(p model.Pipeline) any { return strings.ToUpper(p.Status) }),
		"ref":        ofPipeline(func(p model.Pipeline) any { return p.Ref }),
		"sha":        ofPipeline(func(p model.Pipeline) any { return p.SHA }),
		"source":     ofPipeline(func(p model.Pipeline) any { return p.Source }),
		"duration":   ofPipeline(func(p model.Pipeline) any { return p.Duration }),
		"createdAt":  ofPipeline(func(p model.Pipeline) any { return p.CreatedAt }),
		"updatedAt":  ofPipeline(func(p model.Pipeline) any { return p.UpdatedAt }),
		"startedAt":  ofPipeline(func(p model.Pipeline) any { return p.StartedAt }),
		"finishedAt": ofPipeline(func(p model.Pipeline) any { return p.FinishedAt }),
		"path": engine.Value(func(n pipelineNode) any {
			return h.path("/" + n.in.Project.FullPath + "/-/pipelines/" + strconv.FormatInt(n.row.ID, 10))
		}),
		"coverage": h.pipelineDetails(func(n pipelineNode) any { return n.row.Coverage }),
		"user":     h.pipelineDetails(func(n pipelineNode) any { return person(n.row.User) }),
		"jobs":     engine.One(h.jobsOfPipeline),
	}
}

// pipelineDetails reads a value from the details of pipelines. Those of one pipeline are read if they were not before.
func (h *Handler) pipelineDetails(read func(pipelineNode) any) engine.Resolver {
	return engine.Batch(func(ctx context.Context, call engine.Call, all []pipelineNode) ([]any, error) {
		values := make([]any, len(all))
		reads := 0
		for i, n := range all {
			if !n.complete {
				if reads++; reads > 1 {
					return nil, call.TooMany(1)
				}
				var err error
				if n.row.PipelineDetails, err = h.Store.Pipelines.Details(ctx, n.row.Pipeline); err != nil {
					return nil, err
				}
			}
			values[i] = read(n)
		}
		return values, nil
	})
}

func (h *Handler) pipelines(ctx context.Context, call engine.Call, row model.ProjectRow) (any, error) {
	if err := access.InProject(ctx, row, access.ReadPipeline); err != nil {
		return nil, err
	}
	args := call.Args
	f := store.PipelineFilter{
		Ref: args.Text("ref"), SHA: args.Text("sha"), Status: strings.ToLower(args.Text("status")), Source: args.Text("source"),
		Username: args.Text("username"),
	}
	var err error
	if f.UpdatedAfter, err = args.Time("updatedAfter"); err == nil {
		f.UpdatedBefore, err = args.Time("updatedBefore")
	}
	if err != nil {
		return nil, &engine.Error{Message: err.Error()}
	}
	return page(args, func(p store.Page) ([]pipelineNode, store.Total, error) {
		rows, more, err := h.Store.Pipelines.ListRows(ctx, row.Project.ID, f, p)
		out := make([]pipelineNode, len(rows))
		for i, r := range rows {
			out[i] = pipelineNode{r, row, true}
		}
		total := store.Total{Count: int64(p.Offset + len(rows)), Known: !more && (len(rows) > 0 || p.Offset == 0), More: more}
		return out, total, err
	})
}

// pipeline finds one pipeline by its number in the project or by its ID.
func (h *Handler) pipeline(ctx context.Context, call engine.Call, row model.ProjectRow) (any, error) {
	if err := access.InProject(ctx, row, access.ReadPipeline); err != nil {
		return nil, err
	}
	if given := call.Args.Text("id"); given != "" {
		id, err := readGID(given, "Ci::Pipeline")
		if err != nil {
			return nil, err
		}
		found, err := h.Store.Pipelines.Get(ctx, row.Project.ID, id)
		return pipelineNode{model.PipelineRow{Pipeline: found}, row, false}, err
	}
	iid, err := readIID(call.Args.Text("iid"))
	if err != nil {
		return nil, &engine.Error{Message: "Provide either 'id' or 'iid'"}
	}
	found, err := h.Store.Pipelines.GetByIID(ctx, row.Project.ID, iid)
	return pipelineNode{model.PipelineRow{Pipeline: found}, row, false}, err
}

func (h *Handler) jobsOfPipeline(ctx context.Context, call engine.Call, n pipelineNode) (any, error) {
	if err := access.InProject(ctx, n.in, access.ReadJob); err != nil {
		return nil, err
	}
	f := store.JobFilter{ProjectID: n.row.ProjectID, PipelineID: n.row.ID}
	return page(call.Args, func(p store.Page) ([]jobNode, store.Total, error) {
		rows, total, err := h.Store.Jobs.List(ctx, f, p)
		out := make([]jobNode, len(rows))
		for i, r := range rows {
			out[i] = jobNode{r, n.in}
		}
		return out, total, err
	})
}

func ofJob(read func(model.Job) any) engine.Resolver {
	return engine.Value(func(n jobNode) any { return read(n.row.Job) })
}

func (h *Handler) jobFields() engine.Resolvers {
	return engine.Resolvers{
		"id":           ofJob(func(j model.Job) any { return gid("Ci::Build", j.ID) }),
		"name":         ofJob(func(j model.Job) any { return j.Name }),
		"status":       ofJob(func(j model.Job) any { return strings.ToUpper(j.Status) }),
		"stage":        ofJob(func(j model.Job) any { return j.Stage }),
		"allowFailure": ofJob(func(j model.Job) any { return j.AllowFailure }),
		"coverage":     ofJob(func(j model.Job) any { return j.Coverage }),
		"createdAt":    ofJob(func(j model.Job) any { return j.CreatedAt }),
		"queuedAt":     ofJob(func(j model.Job) any { return j.QueuedAt }),
		"startedAt":    ofJob(func(j model.Job) any { return j.StartedAt }),
		"finishedAt":   ofJob(func(j model.Job) any { return j.FinishedAt }),
		"webPath": engine.Value(func(n jobNode) any {
			return h.path("/" + n.in.Project.FullPath + "/-/jobs/" + strconv.FormatInt(n.row.Job.ID, 10))
		}),
	}
}
