package projects

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"strings"

	"svc/server/domain/archive"
	"svc/server/domain/project/export"
	"svc/server/platform/apierr"
	"svc/server/platform/formdata"
	"svc/store/model"
)

// importForm holds the fields of an import request.
type importForm struct {
	name, path, namespace *string
	overwrite             bool
	overrides             map[string]string
	file                  *export.Upload
}

const maxImportParts = 40

// readImport reads the parts of a form in any order. If the path comes before the file, it validates what came so far
// before it accepts the file.
func (p *Projects) readImport(ctx context.Context, user model.User, body *multipart.Reader, form *importForm) error {
	for range maxImportParts {
		part, err := body.NextPart()
		if errors.Is(err, io.EOF) {
			return form.complete()
		}
		if err != nil {
			return formdata.ExplainIncomplete(err)
		}
		if part.FormName() != "file" {
			if err := form.field(part); err != nil {
				return err
			}
			continue
		}
		if form.file != nil {
			return apierr.BadParameter("file is invalid")
		}
		if form.path != nil {
			if _, err := p.importRequest(ctx, user, form); err != nil {
				return err
			}
		}
		u, err := p.exports.Receive(ctx, part)
		if err != nil {
			return formdata.ExplainIncomplete(archive.Explain(err))
		}
		form.file = &u
	}
	return apierr.BadParameter("The form has too many parts")
}

// field reads a field that is not the file. Unknown fields are ignored.
func (f *importForm) field(part *multipart.Part) error {
	name := part.FormName()
	value, err := formdata.Text(part)
	if err != nil {
		return err
	}
	setting, isSetting := strings.CutPrefix(name, "override_params[")
	switch {
	case name == "name":
		f.name = &value
	case name == "path":
		f.path = &value
	case name == "namespace":
		f.namespace = &value
	case name == "overwrite":
		if value != "true" && value != "false" && value != "1" && value != "0" && value != "" {
			return apierr.BadParameter("overwrite is invalid")
		}
		f.overwrite = value == "true" || value == "1"
	case isSetting && strings.HasSuffix(setting, "]"):
		f.overrides[strings.TrimSuffix(setting, "]")] = value
	}
	return nil
}

// complete rejects a form that lacks required fields, and names them.
func (f *importForm) complete() error {
	var lacks []string
	if f.path == nil || *f.path == "" {
		lacks = append(lacks, "path is missing")
	}
	if f.file == nil {
		lacks = append(lacks, "file is missing")
	}
	if len(lacks) > 0 {
		return apierr.BadParameter(strings.Join(lacks, ", "))
	}
	return nil
}
