package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// ListRows returns one page of the pipelines of a project, the newest first, with the data that is shown with them, and
// reports whether there are more. It takes three statements, however many pipelines there are.
func (s Pipelines) ListRows(ctx context.Context, projectID int64, f PipelineFilter, p Page) ([]model.PipelineRow, bool, error) {
	where := f.where(projectID)
	rest := condition{withLimit("pipelines AS p WHERE "+where.text+" ORDER BY id DESC", p.Limit+1), append(where.args, p.Offset)}
	found, err := readRows(ctx, s.base, wholePipelineColumns, rest, p.Limit+1, wholePipelineFields)
	if err != nil {
		return nil, false, err
	}
	more := len(found) > p.Limit
	if more {
		found = found[:p.Limit]
	}
	rows, err := s.complete(ctx, found)
	return rows, more, err
}

// complete adds users, coverage and warnings to pipelines.
func (s Pipelines) complete(ctx context.Context, found []model.Pipeline) ([]model.PipelineRow, error) {
	if len(found) == 0 {
		return nil, nil
	}
	wanted, ids := map[int64]bool{}, make([]int64, len(found))
	for i := range found {
		ids[i] = found[i].ID
		if found[i].UserID != nil {
			wanted[*found[i].UserID] = true
		}
	}
	users, err := Users(s).shown(ctx, wanted)
	if err != nil {
		return nil, err
	}
	rows, place := make([]model.PipelineRow, len(found)), make(map[int64]*model.PipelineRow, len(found))
	for i := range found {
		rows[i] = model.PipelineRow{Pipeline: found[i], PipelineDetails: model.PipelineDetails{User: of(users, found[i].UserID)}}
		place[found[i].ID] = &rows[i]
	}
	in := s.inIDs(ids)
	err = s.db.Rows(ctx, "SELECT pipeline_id, avg(coverage), "+countWarnings+" FROM jobs WHERE pipeline_id "+in.text+
		" AND NOT retried GROUP BY pipeline_id", in.args, func(row query.Scanner) error {
		var id, warned int64
		var coverage *float64
		if err := row.Scan(&id, &coverage, &warned); err != nil {
			return err
		}
		place[id].Coverage, place[id].Warned = coverage, warned > 0
		return nil
	})
	return rows, query.Translate(err)
}
