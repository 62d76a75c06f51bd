package wikipages

import (
	"io"
	"net/http"
	"path"

	"svc/server/domain/repository/wiki"
	"svc/server/domain/upload"
	"svc/server/platform/respond"
	"svc/server/transport/web/page"
)

// maxUpload is the size in bytes of the largest form with a file, as in the API.
const maxUpload = 10 << 20

// file sends a file of a wiki: the text of a page, or a file that was uploaded.
// GET /{project}/-/wiki/raw/{path}
func (p *Pages) file(v *page.Visit, at place) error {
	ctx, name := v.Request().Context(), v.Param("*")
	opened, err := p.wikis.Open(ctx, at.Place, v.QueryParam("version"))
	if err != nil {
		return page.Hide(err)
	}
	entry, err := opened.File(ctx, name)
	if err != nil {
		return page.Hide(err)
	}
	info, err := opened.Repo.Info(ctx, entry.ID)
	if err != nil {
		return err
	}
	stream := respond.Stream{
		Context: ctx, CacheControl: respond.NoCache, ETag: `"` + entry.ID + `"`, Size: info.Size, Sandboxed: true,
		Write: func(to io.Writer) error { return opened.Repo.Stream(ctx, entry.ID, to) },
	}
	media, inline := upload.ContentType(name)
	if wiki.IsPage(name) {
		media, inline = "text/plain; charset=utf-8", true
	}
	stream.Type, stream.Disposition = media, respond.Attachment(path.Base(name))
	if inline {
		stream.Disposition = respond.Inline(path.Base(name))
	}
	return stream.Send(v.Response())
}

func uploadForm(at place) page.Form {
	return page.Form{Action: at.Base + "wiki/upload", Submit: "Upload", Files: true, Fields: []page.Field{
		{Name: "file", Label: "File", Type: "file", Required: true, Hint: "Pages can link to it. At most 10 MiB."},
	}}
}

// upload adds a file that pages can link to.
// POST /{project}/-/wiki/upload
func (p *Pages) upload(v *page.Visit, at place) error {
	file, header, err := v.Request().FormFile("file")
	if err != nil || header.Filename == "" {
		form := uploadForm(at).With(map[string][]string{"file": {"is missing"}})
		return p.showForm(v, at, "Upload a file", form, http.StatusUnprocessableEntity)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return page.BadForm(err)
	}
	made, err := p.wikis.Attach(v.Request().Context(), at.Place, header.Filename, content)
	if refused, ok := uploadForm(at).Refused(err); ok {
		return p.showForm(v, at, "Upload a file", refused, http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	return v.Done(at.List(), "The file was uploaded. Write this on a page to link to it: "+upload.Markdown(made.Name, made.Path))
}
