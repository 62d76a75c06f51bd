package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// addParts adds the tags and the newest pipelines to packages.
func (s Packages) addParts(ctx context.Context, rows []model.PackageRow) error {
	if len(rows) == 0 {
		return nil
	}
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row.Package.ID
	}
	tags, err := query.Find[model.PackageTag](s.db.Read(ctx).Where("package_id IN ?", ids).Order("name"), 0)
	if err != nil {
		return query.Translate(err)
	}
	newest, err := s.newestPipelines(ctx, ids)
	if err != nil {
		return err
	}
	byPackage := map[int64][]model.PackageTag{}
	for _, tag := range tags {
		byPackage[tag.PackageID] = append(byPackage[tag.PackageID], tag)
	}
	for i, row := range rows {
		rows[i].Tags, rows[i].Pipeline = byPackage[row.Package.ID], newest[row.Package.ID]
	}
	return nil
}

// newestPipelines returns the newest pipeline of each package.
func (s Packages) newestPipelines(ctx context.Context, packageIDs []int64) (map[int64]*model.PackagePipelineRow, error) {
	links, err := query.Find[model.PackagePipeline](
		s.db.Read(ctx).Table("package_pipelines").Select("package_id, max(pipeline_id) AS pipeline_id").
			Where("package_id IN ?", packageIDs).Group("package_id"), 0,
	)
	if err != nil || len(links) == 0 {
		return nil, query.Translate(err)
	}
	ids := make([]int64, len(links))
	for i, link := range links {
		ids[i] = link.PipelineID
	}
	byID, err := s.pipelinesByID(ctx, ids)
	byPackage := make(map[int64]*model.PackagePipelineRow, len(links))
	for _, link := range links {
		byPackage[link.PackageID] = byID[link.PipelineID]
	}
	return byPackage, err
}

// pipelinesByID returns pipelines with the users who started them.
func (b *base) pipelinesByID(ctx context.Context, ids []int64) (map[int64]*model.PackagePipelineRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := query.Find[model.Pipeline](b.db.Read(ctx).Select(pipelineListed+", user_id").Where("id IN ?", ids), len(ids))
	if err != nil {
		return nil, query.Translate(err)
	}
	shown, err := b.withStarters(ctx, rows)
	byID := make(map[int64]*model.PackagePipelineRow, len(shown))
	for i := range shown {
		byID[shown[i].Pipeline.ID] = &shown[i]
	}
	return byID, err
}

// withStarters adds to pipelines the users who started them.
func (b *base) withStarters(ctx context.Context, rows []model.Pipeline) ([]model.PackagePipelineRow, error) {
	var ids []int64
	for _, row := range rows {
		if row.UserID != nil {
			ids = append(ids, *row.UserID)
		}
	}
	shown := make([]model.PackagePipelineRow, len(rows))
	users := map[int64]model.User{}
	if len(ids) > 0 {
		var err error
		if users, err = (Users{b}).ByID(ctx, ids); err != nil {
			return nil, err
		}
	}
	for i, row := range rows {
		shown[i].Pipeline = row
		if row.UserID == nil {
			continue
		}
		if user, ok := users[*row.UserID]; ok {
			shown[i].User = &user
		}
	}
	return shown, nil
}

// Pipelines returns at most the given number of pipelines that published a package, the newest first, and whether there
// are more. With before, it returns those with a smaller id.
func (s Packages) Pipelines(ctx context.Context, packageID, before int64, most int) ([]model.PackagePipelineRow, bool, error) {
	q := s.db.Read(ctx).Table("package_pipelines").Where("package_id = ?", packageID)
	if before > 0 {
		q = q.Where("pipeline_id < ?", before)
	}
	var ids []int64
	if err := q.Order("pipeline_id DESC").Limit(most+1).Pluck("pipeline_id", &ids).Error; err != nil {
		return nil, false, query.Translate(err)
	}
	more := len(ids) > most
	ids = ids[:min(len(ids), most)]
	byID, err := s.pipelinesByID(ctx, ids)
	rows := make([]model.PackagePipelineRow, 0, len(ids))
	for _, id := range ids {
		if row := byID[id]; row != nil { // a pipeline that was deleted in the meantime is left out
			rows = append(rows, *row)
		}
	}
	return rows, more, err
}
