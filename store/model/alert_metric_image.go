package model

import "time"

// AlertMetricImage is a picture that a user has attached to an alert.
type AlertMetricImage struct {
	ID        int64
	AlertID   int64
	UploadID  int64
	URL       *string `gorm:"column:url"`
	URLText   *string `gorm:"column:url_text"`
	CreatedAt time.Time
	UpdatedAt time.Time
}

// AlertMetricImageRow is a metric image with the address of its file.
type AlertMetricImageRow struct {
	AlertMetricImage AlertMetricImage `gorm:"embedded"`
	ProjectID        int64
	Secret           string
	Filename         string
}

// TableName returns the table that most columns come from.
func (AlertMetricImageRow) TableName() string { return "alert_metric_images" }
