package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// AlertMetricImages holds the pictures that users attach to alerts.
type AlertMetricImages struct{ *base }

const metricImage = "Metric Image"

// of selects the images of an alert with their files.
func (s AlertMetricImages) of(db *gorm.DB, alertID int64) *gorm.DB {
	return db.Select("alert_metric_images.*, u.secret, u.filename, u.project_id").
		Joins("JOIN uploads u ON u.id = alert_metric_images.upload_id").
		Where("alert_metric_images.alert_id = ?", alertID)
}

// List returns one page of the images of an alert, the oldest first.
func (s AlertMetricImages) List(ctx context.Context, alertID int64, p Page) ([]model.AlertMetricImageRow, Total, error) {
	return query.List[model.AlertMetricImageRow](s.of(s.db.Read(ctx), alertID).Order("alert_metric_images.id"), p)
}

// Get returns an image of an alert.
func (s AlertMetricImages) Get(ctx context.Context, alertID, id int64) (model.AlertMetricImageRow, error) {
	return query.Take[model.AlertMetricImageRow](
		s.of(s.db.Read(ctx), alertID).Where("alert_metric_images.id = ?", id), metricImage,
	)
}

// Create adds an image whose file was uploaded before. It returns a *NotFoundError if the alert is gone.
func (s AlertMetricImages) Create(ctx context.Context, row *model.AlertMetricImage) error {
	err := s.db.Write(ctx).Create(row).Error
	if query.IsGone(err) {
		return &NotFoundError{Resource: alert}
	}
	return query.Translate(err)
}

// SetLink changes the link of an image and its text.
func (s AlertMetricImages) SetLink(ctx context.Context, id int64, url, text *string) error {
	return query.Translate(s.db.Write(ctx).Model(&model.AlertMetricImage{}).Where("id = ?", id).
		UpdateColumns(map[string]any{"url": url, "url_text": text, "updated_at": s.now()}).Error)
}

// Delete removes an image with its file, unless it was changed after the given time.
func (s AlertMetricImages) Delete(ctx context.Context, row model.AlertMetricImage, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := query.DeleteOne(ctx, s.db, row, metricImage, unchangedSince); err != nil {
			return err
		}
		return query.Translate(s.db.Write(ctx).Where("id = ?", row.UploadID).Delete(&model.Upload{}).Error)
	})
}
