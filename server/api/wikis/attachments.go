package wikis

import (
	"bytes"
	"context"
	"mime/multipart"

	"svc/gen"
	"svc/server/domain/repository/wiki"
	"svc/server/domain/upload"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/formdata"
)

// CreateProjectWikiAttachment adds a file to the wiki of a project.
// POST /projects/{id}/wikis/attachments
func (w *Wikis) CreateProjectWikiAttachment(
	ctx context.Context, req gen.CreateProjectWikiAttachmentRequestObject,
) (gen.CreateProjectWikiAttachmentResponseObject, error) {
	in, err := w.project(ctx, req.ID, access.CreateWiki)
	if err != nil {
		return nil, err
	}
	shown, err := w.attach(ctx, in, req.Body)
	return gen.CreateProjectWikiAttachment201JSONResponse(shown), err
}

// CreateGroupWikiAttachment adds a file to the wiki of a group.
// POST /groups/{id}/wikis/attachments
func (w *Wikis) CreateGroupWikiAttachment(
	ctx context.Context, req gen.CreateGroupWikiAttachmentRequestObject,
) (gen.CreateGroupWikiAttachmentResponseObject, error) {
	in, err := w.group(ctx, req.ID, access.CreateGroupWiki)
	if err != nil {
		return nil, err
	}
	shown, err := w.attach(ctx, in, req.Body)
	return gen.CreateGroupWikiAttachment201JSONResponse(shown), err
}

// attach commits the file of a request and presents it.
func (w *Wikis) attach(ctx context.Context, in wiki.Place, body *multipart.Reader) (gen.WikiAttachment, error) {
	form, err := readAttachment(body)
	if err != nil {
		return gen.WikiAttachment{}, err
	}
	made, err := w.wikis.Attach(ctx, in, form.name, form.content)
	return gen.WikiAttachment{
		FileName: made.Name, FilePath: made.Path, Branch: wiki.Branch,
		Link: gen.WikiAttachmentLink{URL: made.Path, Markdown: upload.Markdown(made.Name, made.Path)},
	}, err
}

// attachment is the form with a file.
type attachment struct {
	name    string
	content []byte
}

// readAttachment reads the form with a file. The middleware limits its size.
func readAttachment(body *multipart.Reader) (attachment, error) {
	var form attachment
	err := formdata.Each(body, func(part *multipart.Part, content []byte) error {
		switch part.FormName() {
		case "file":
			if part.FileName() == "" {
				return apierr.BadParameter("file is invalid")
			}
			form.name, form.content = part.FileName(), content
		case "branch":
			if len(content) > 0 && !bytes.Equal(content, []byte(wiki.Branch)) {
				return apierr.BadParameter("branch must be " + wiki.Branch + ", which has the pages of the wiki")
			}
		}
		return nil
	})
	if err == nil && form.name == "" {
		err = apierr.BadParameter("file is missing")
	}
	return form, err
}
