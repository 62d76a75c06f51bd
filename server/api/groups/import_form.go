package groups

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"strconv"
	"strings"

	"svc/server/domain/archive"
	"svc/server/domain/group"
	"svc/server/domain/group/export"
	"svc/server/platform/apierr"
	"svc/server/platform/formdata"
)

// importForm holds the fields of an import request.
type importForm struct {
	name, path, parent *string
	file               *export.Upload
}

const maxImportParts = 20

// readImport reads the parts of a form in any order. If the name and the path come before the file, it validates them
// before it accepts the file.
func (g *Groups) readImport(ctx context.Context, body *multipart.Reader, form *importForm) error {
	fields := map[string]**string{"name": &form.name, "path": &form.path, "parent_id": &form.parent}
	for range maxImportParts {
		part, err := body.NextPart()
		if errors.Is(err, io.EOF) {
			return form.complete()
		}
		if err != nil {
			return formdata.ExplainIncomplete(err)
		}
		switch to := fields[part.FormName()]; {
		case to != nil:
			text, err := formdata.Text(part)
			if err != nil {
				return err
			}
			*to = &text
		case part.FormName() == "file" && form.file == nil:
			if form.name != nil && form.path != nil {
				if _, _, err := g.newFromForm(ctx, form); err != nil {
					return err
				}
			}
			u, err := g.exports.ReceiveUpload(ctx, part)
			if err != nil {
				return formdata.ExplainIncomplete(archive.Explain(err))
			}
			form.file = &u
		}
	}
	return apierr.BadParameter("The form has too many parts")
}

// complete rejects a form that lacks required fields, and names them.
func (f *importForm) complete() error {
	var lacks []string
	for _, field := range []struct {
		name  string
		given bool
	}{{"name", f.name != nil}, {"path", f.path != nil}, {"file", f.file != nil}} {
		if !field.given {
			lacks = append(lacks, field.name+" is missing")
		}
	}
	if len(lacks) > 0 {
		return apierr.BadParameter(strings.Join(lacks, ", "))
	}
	return nil
}

// newFromForm returns the group to create, after its validation, and its place.
func (g *Groups) newFromForm(ctx context.Context, form *importForm) (group.Place, group.New, error) {
	var parentID *int64
	if form.parent != nil && *form.parent != "" {
		id, err := strconv.ParseInt(*form.parent, 10, 64)
		if err != nil {
			return group.Place{}, group.New{}, apierr.BadParameter("parent_id is invalid")
		}
		parentID = &id
	}
	in, err := g.groups.MayCreateIn(ctx, parentID)
	if err != nil {
		return in, group.New{}, err
	}
	n := in.NewImported(*form.name, *form.path)
	return in, n, in.Check(n)
}
