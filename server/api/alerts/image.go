package alerts

import (
	"context"
	"mime/multipart"
	"unicode/utf8"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/monitoring/alert"
	"svc/server/domain/upload"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/formdata"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListProjectAlertManagementAlertMetricImages lists the metric images of an alert.
// GET /projects/{id}/alert_management_alerts/{alert_iid}/metric_images
func (s *Alerts) ListProjectAlertManagementAlertMetricImages(
	ctx context.Context, req gen.ListProjectAlertManagementAlertMetricImagesRequestObject,
) (gen.ListProjectAlertManagementAlertMetricImagesResponseObject, error) {
	_, a, err := s.find(ctx, req.ID, req.AlertIid, access.ReadAlert)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, s.pages, "MetricImage", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.AlertMetricImages.List(ctx, a.Alert.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectAlertManagementAlertMetricImages200JSONResponse{
		Body:    present.All(rows, presentImage),
		Headers: gen.ListProjectAlertManagementAlertMetricImages200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectAlertManagementAlertMetricImage attaches a metric image to an alert.
// POST /projects/{id}/alert_management_alerts/{alert_iid}/metric_images
func (s *Alerts) CreateProjectAlertManagementAlertMetricImage(
	ctx context.Context, req gen.CreateProjectAlertManagementAlertMetricImageRequestObject,
) (gen.CreateProjectAlertManagementAlertMetricImageResponseObject, error) {
	project, a, err := s.find(ctx, req.ID, req.AlertIid, access.UpdateAlert)
	if err != nil {
		return nil, err
	}
	form, err := readImage(req.Body)
	if err != nil {
		return nil, err
	}
	row, err := s.alerts.AttachImage(ctx, project, a.Alert, form.name, form.content, form.link)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectAlertManagementAlertMetricImage201JSONResponse(presentImage(row)), nil
}

// UpdateProjectAlertManagementAlertMetricImage changes the link of a metric image.
// PUT /projects/{id}/alert_management_alerts/{alert_iid}/metric_images/{image_id}
func (s *Alerts) UpdateProjectAlertManagementAlertMetricImage(
	ctx context.Context, req gen.UpdateProjectAlertManagementAlertMetricImageRequestObject,
) (gen.UpdateProjectAlertManagementAlertMetricImageResponseObject, error) {
	project, a, err := s.find(ctx, req.ID, req.AlertIid, access.UpdateAlert)
	if err != nil {
		return nil, err
	}
	row, err := s.alerts.Image(ctx, a.Alert, req.ImageID)
	if err != nil {
		return nil, err
	}
	link := alert.Link{URL: row.AlertMetricImage.URL, Text: row.AlertMetricImage.URLText}
	if req.Body.URL.IsSet() {
		link.URL = req.Body.URL.Ptr()
	}
	if req.Body.URLText.IsSet() {
		link.Text = req.Body.URLText.Ptr()
	}
	if row, err = s.alerts.ChangeImage(ctx, project, a.Alert, row, link); err != nil {
		return nil, err
	}
	return gen.UpdateProjectAlertManagementAlertMetricImage200JSONResponse(presentImage(row)), nil
}

// DeleteProjectAlertManagementAlertMetricImage deletes a metric image.
// DELETE /projects/{id}/alert_management_alerts/{alert_iid}/metric_images/{image_id}
func (s *Alerts) DeleteProjectAlertManagementAlertMetricImage(
	ctx context.Context, req gen.DeleteProjectAlertManagementAlertMetricImageRequestObject,
) (gen.DeleteProjectAlertManagementAlertMetricImageResponseObject, error) {
	project, a, err := s.find(ctx, req.ID, req.AlertIid, access.UpdateAlert)
	if err != nil {
		return nil, err
	}
	row, err := s.alerts.Image(ctx, a.Alert, req.ImageID)
	if err == nil {
		err = s.alerts.DeleteImage(ctx, project, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	}
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectAlertManagementAlertMetricImage204Response{}, nil
}

// presentImage presents a metric image.
func presentImage(row model.AlertMetricImageRow) gen.AlertMetricImage {
	i := row.AlertMetricImage
	file := model.Upload{ProjectID: &row.ProjectID, Secret: row.Secret, Filename: row.Filename}
	return gen.AlertMetricImage{
		ID: i.ID, CreatedAt: wire.NewTime(i.CreatedAt), Filename: row.Filename, FilePath: upload.FullPath(file),
		URL: i.URL, URLText: i.URLText,
	}
}

// imageForm is the form with a picture.
type imageForm struct {
	name    string
	content []byte
	link    alert.Link
}

// The longest texts of a form, in characters.
const (
	maxImageURL  = 255
	maxImageText = 128
)

// readImage reads the form with a picture, whose parts can have any order. The middleware limits its size.
func readImage(body *multipart.Reader) (imageForm, error) {
	var form imageForm
	err := formdata.Each(body, func(part *multipart.Part, content []byte) error {
		switch text := string(content); part.FormName() {
		case "file":
			if part.FileName() == "" {
				return apierr.BadParameter("file is invalid")
			}
			form.name, form.content = part.FileName(), content
		case "url":
			if utf8.RuneCountInString(text) > maxImageURL || !utf8.Valid(content) {
				return apierr.BadParameter("url is invalid")
			}
			form.link.URL = &text
		case "url_text":
			if utf8.RuneCountInString(text) > maxImageText || !utf8.Valid(content) {
				return apierr.BadParameter("url_text is invalid")
			}
			form.link.Text = &text
		}
		return nil
	})
	if err == nil && form.name == "" {
		err = apierr.BadParameter("file is missing")
	}
	return form, err
}
