package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// PagesSettings holds the settings of Pages sites.
type PagesSettings struct{ *base }

// Get returns the settings of the site of a project, or the defaults if it has none, with its primary domain.
func (s PagesSettings) Get(ctx context.Context, projectID int64) (model.PagesSettingRow, error) {
	q := s.db.Read(ctx).Select("pages_settings.*, n.domain AS primary_domain, (n.certificate IS NOT NULL) AS primary_secure").
		Joins("LEFT JOIN pages_domains n ON n.id = pages_settings.primary_domain_id").
		Where("pages_settings.project_id = ?", projectID)
	row, err := query.Take[model.PagesSettingRow](q, "Pages")
	if IsNotFound(err) {
		return model.PagesSettingRow{PagesSetting: model.PagesSetting{ProjectID: projectID, UniqueDomain: true}}, nil
	}
	return row, err
}

// Save creates or changes the settings of the site of a project.
func (s PagesSettings) Save(ctx context.Context, row model.PagesSetting) error {
	row.UpdatedAt = s.now() // GORM keeps the time of a row that was read before
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "project_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"unique_domain", "primary_domain_id", "updated_at"}),
	}).Create(&row).Error)
}
