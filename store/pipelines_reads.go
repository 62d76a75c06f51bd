package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// Variables returns the variables of a pipeline, ordered by key.
func (s Pipelines) Variables(ctx context.Context, id int64) ([]model.PipelineVariable, error) {
	var rows []model.PipelineVariable
	err := s.db.Rows(ctx, "SELECT key, value, variable_type, raw FROM pipeline_variables WHERE pipeline_id = ? ORDER BY key", []any{id},
		func(row query.Scanner) error {
			v := model.PipelineVariable{PipelineID: id}
			err := row.Scan(&v.Key, &v.Value, &v.VariableType, &v.Raw)
			rows = append(rows, v)
			return err
		})
	return rows, query.Translate(err)
}

// Latest returns the newest pipeline of a ref, and of a commit if sha is not empty. Child pipelines do not count.
func (s Pipelines) Latest(ctx context.Context, projectID int64, ref, sha string) (model.Pipeline, error) {
	q := s.db.Read(ctx).Where("project_id = ? AND ref = ? AND NOT child", projectID, ref).Order("id DESC")
	if sha != "" {
		q = q.Where("sha = ?", sha)
	}
	return query.Take[model.Pipeline](q, pipeline)
}

// Family returns a pipeline and the upstream pipelines that led to it, the nearest first, at most deepest levels up. It
// also returns how many pipelines the topmost of them has started directly or indirectly, itself included. It counts no
// further than most.
func (s Pipelines) Family(ctx context.Context, id int64, deepest, most int) ([]model.Pipeline, int, error) {
	above, err := query.Find[model.Pipeline](s.db.Read(ctx).Raw(`WITH RECURSIVE above(pipeline_id, step) AS (
		SELECT CAST(? AS bigint), 0
		UNION ALL
		SELECT j.pipeline_id, above.step + 1 FROM above JOIN pipelines p ON p.id = above.pipeline_id JOIN jobs j ON j.id = p.upstream_job_id WHERE above.step < ?
	) SELECT p.* FROM above JOIN pipelines p ON p.id = above.pipeline_id ORDER BY above.step`, id, deepest), deepest)
	if err != nil || len(above) == 0 {
		return above, 0, query.Translate(err)
	}
	var count int
	err = query.ScanFirst(s.db.Read(ctx).Raw(`WITH RECURSIVE below(id) AS (
		SELECT CAST(? AS bigint)
		UNION ALL
		SELECT p.id FROM below JOIN jobs j ON j.pipeline_id = below.id AND j.bridge JOIN pipelines p ON p.upstream_job_id = j.id
	) SELECT count(*) FROM (SELECT 1 FROM below LIMIT ?) AS chosen`, above[len(above)-1].ID, most), &count)
	return above, count, query.Translate(err)
}
