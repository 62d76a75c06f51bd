package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// WikiPages holds the wiki pages that events refer to.
type WikiPages struct{ *base }

// Put stores the title and format of a page and sets its id. before is the previous slug of the page, if it had one. A
// renamed page keeps its id, unless there already was a page with the new slug.
func (s WikiPages) Put(ctx context.Context, before string, p *model.WikiPage) error {
	if before != "" && before != p.Slug {
		q := s.db.Write(ctx).Model(&model.WikiPage{}).Where("project_id = ? AND slug = ?", p.ProjectID, before)
		taken := s.db.Write(ctx).Model(&model.WikiPage{}).Select("1").Where("project_id = ? AND slug = ?", p.ProjectID, p.Slug)
		if err := q.Where("NOT EXISTS (?)", taken).UpdateColumn("slug", p.Slug).Error; err != nil {
			return query.Translate(err)
		}
	}
	return query.Translate(s.db.Write(ctx).Clauses(
		clause.OnConflict{
			Columns:   []clause.Column{{Name: "project_id"}, {Name: "slug"}},
			DoUpdates: clause.AssignmentColumns([]string{"title", "format"}),
		},
		clause.Returning{Columns: []clause.Column{{Name: "id"}}},
	).Create(p).Error)
}

// Get returns a page by its ID.
func (s WikiPages) Get(ctx context.Context, id int64) (model.WikiPage, error) {
	return query.Take[model.WikiPage](s.db.Read(ctx).Where("id = ?", id), "Wiki Page")
}
