package alert

import (
	"bytes"
	"context"
	"net/url"
	"time"

	"svc/server/domain/upload"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Link is the link of a metric image and its text; nil for none.
type Link struct{ URL, Text *string }

// check returns a 400 for a link that is no URL of a web page. An empty text counts as none.
func (l Link) check() (Link, error) {
	if l.URL != nil && *l.URL == "" {
		l.URL = nil
	}
	if l.Text != nil && *l.Text == "" {
		l.Text = nil
	}
	if l.URL != nil {
		at, err := url.Parse(*l.URL)
		if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
			return l, apierr.Invalid("url", "must be a valid URL")
		}
	}
	return l, nil
}

// AttachImage uploads a picture and attaches it to an alert.
func (s *Service) AttachImage(
	ctx context.Context, p model.Project, a model.Alert, name string, content []byte, l Link,
) (model.AlertMetricImageRow, error) {
	l, err := l.check()
	if err != nil {
		return model.AlertMetricImageRow{}, err
	}
	if !upload.IsPicture(name) {
		return model.AlertMetricImageRow{}, apierr.Invalid("file", "does not have a supported extension. Only pictures can be attached")
	}
	file, err := s.uploads.Store(ctx, upload.OfProject(p), name, bytes.NewReader(content))
	if err != nil {
		return model.AlertMetricImageRow{}, err
	}
	row := model.AlertMetricImage{AlertID: a.ID, URL: l.URL, URLText: l.Text}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		if err := s.store.Uploads.Create(ctx, &file); err != nil {
			return events.Change{}, err
		}
		row.UploadID = file.ID
		err := s.store.AlertMetricImages.Create(ctx, &row)
		return imageChange(p, row.ID, file.Filename, "alert_metric_image_created", "Attached a metric image"), err
	})
	if err != nil {
		return model.AlertMetricImageRow{}, apierr.OrNotFound(err)
	}
	return s.Image(ctx, a, row.ID)
}

// Image returns a metric image of an alert, or a 404.
func (s *Service) Image(ctx context.Context, a model.Alert, id int64) (model.AlertMetricImageRow, error) {
	row, err := s.store.AlertMetricImages.Get(ctx, a.ID, id)
	return row, apierr.OrNotFound(err)
}

// ChangeImage changes the link of a metric image.
func (s *Service) ChangeImage(
	ctx context.Context, p model.Project, a model.Alert, row model.AlertMetricImageRow, l Link,
) (model.AlertMetricImageRow, error) {
	l, err := l.check()
	if err != nil {
		return row, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		done := imageChange(p, row.AlertMetricImage.ID, row.Filename, "alert_metric_image_updated", "Changed a metric image")
		return done, s.store.AlertMetricImages.SetLink(ctx, row.AlertMetricImage.ID, l.URL, l.Text)
	})
	if err != nil {
		return row, err
	}
	return s.Image(ctx, a, row.AlertMetricImage.ID)
}

// DeleteImage deletes a metric image with its file, unless it was changed after the given time.
func (s *Service) DeleteImage(
	ctx context.Context, p model.Project, row model.AlertMetricImageRow, unchangedSince *time.Time,
) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.AlertMetricImages.Delete(ctx, row.AlertMetricImage, unchangedSince)
		if store.IsNotFound(err) {
			err = apierr.NotFound("")
		}
		return imageChange(p, row.AlertMetricImage.ID, row.Filename, "alert_metric_image_deleted", "Deleted a metric image"), err
	})
}

func imageChange(p model.Project, id int64, name, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "AlertMetricImage", ID: id, Details: name},
	}
}
