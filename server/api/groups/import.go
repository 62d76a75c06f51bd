package groups

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"strconv"
	"strings"
	"unicode/utf8"

	"svc/gen"
	"svc/server/domain/group/export"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ImportGroups creates a group from an export archive.
// POST /groups/import
func (g *Groups) ImportGroups(ctx context.Context, req gen.ImportGroupsRequestObject) (gen.ImportGroupsResponseObject, error) {
	actor, err := access.Allow(ctx, access.CreateGroup)
	if err != nil {
		return nil, err
	}
	form := &importForm{}
	if err := g.readImport(ctx, req.Body, form); err != nil {
		g.deleteUpload(ctx, form)
		return nil, err
	}
	row, err := g.groupFromForm(ctx, form)
	if err == nil {
		err = g.store.Tx(ctx, func(ctx context.Context) error {
			if err := g.create(ctx, &row, actor.User.ID, nil); err != nil {
				return err
			}
			return g.exports.Import(ctx, *form.file, row.ID, actor.User.ID)
		})
	}
	if err != nil {
		g.deleteUpload(ctx, form)
		return nil, explainSave(err)
	}
	return gen.ImportGroups202JSONResponse{Message: accepted}, nil
}

// GetGroupImport returns the progress of the import of a group.
// GET /groups/{id}/import
func (g *Groups) GetGroupImport(ctx context.Context, req gen.GetGroupImportRequestObject) (gen.GetGroupImportResponseObject, error) {
	row, _, err := g.access.Group(ctx, req.ID, access.ReadGroupImport)
	if err != nil {
		return nil, err
	}
	i, err := g.store.GroupImports.Of(ctx, row.ID)
	if store.IsNotFound(err) {
		return nil, apierr.RecordNotFound()
	}
	if err != nil {
		return nil, err
	}
	return gen.GetGroupImport200JSONResponse(present.GroupImport(row, i)), nil
}

// importForm holds the fields of an import request.
type importForm struct {
	name, path, parent *string
	file               *export.Upload
}

const (
	maxImportParts = 20
	maxImportField = 64 << 10
)

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
			return explainIncomplete(err)
		}
		switch to := fields[part.FormName()]; {
		case to != nil:
			text, err := io.ReadAll(io.LimitReader(part, maxImportField+1))
			if err != nil {
				return explainIncomplete(err)
			}
			if len(text) > maxImportField || !utf8.Valid(text) || strings.ContainsRune(string(text), 0) {
				return apierr.BadParameter(part.FormName() + " is invalid")
			}
			value := string(text)
			*to = &value
		case part.FormName() == "file" && form.file == nil:
			if form.name != nil && form.path != nil {
				if _, err := g.groupFromForm(ctx, form); err != nil {
					return err
				}
			}
			u, err := g.exports.ReceiveUpload(ctx, part)
			if err != nil {
				return explainArchive(err)
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

// groupFromForm returns the group to create. It is private at the top level; otherwise it has the visibility of its parent
// group.
func (g *Groups) groupFromForm(ctx context.Context, form *importForm) (model.Namespace, error) {
	b := gen.GroupCreate{Name: *form.name, Path: *form.path}
	if form.parent != nil && *form.parent != "" {
		id, err := strconv.ParseInt(*form.parent, 10, 64)
		if err != nil {
			return model.Namespace{}, apierr.BadParameter("parent_id is invalid")
		}
		b.ParentID = &id
	}
	parent, err := g.parentGroup(ctx, b.ParentID)
	if err != nil {
		return model.Namespace{}, err
	}
	row := newGroup(b)
	if parent != nil {
		row.Visibility = parent.Visibility
	}
	return row, checkPlace(row, parent)
}

// deleteUpload deletes the uploaded file of an import that failed.
func (g *Groups) deleteUpload(ctx context.Context, form *importForm) {
	if form.file != nil {
		g.exports.DiscardUpload(ctx, *form.file)
	}
}

// explainArchive turns the error of a rejected archive into an API error.
func explainArchive(err error) error {
	var told *export.BadArchiveError
	switch {
	case errors.As(err, &told):
		return apierr.Refused("The file cannot be imported: " + told.Text)
	case errors.Is(err, export.ErrTooLarge):
		return apierr.TooLarge()
	}
	return explainIncomplete(err)
}

// explainIncomplete turns the error of an incomplete form into a 400.
func explainIncomplete(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return apierr.BadParameter("The multipart body is incomplete")
	}
	return err
}
