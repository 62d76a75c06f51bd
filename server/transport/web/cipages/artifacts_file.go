package cipages

import (
	"errors"
	"html/template"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"svc/server/domain/ci/artifacts"
	"svc/server/platform/respond"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// fileView is the content of the page of a file inside an archive.
type fileView struct {
	Job     model.Job
	Crumbs  []page.Link
	Name    string
	Size    int64
	Text    string
	Picture bool
	Problem string // why the text is not shown
	Raw     string
}

const (
	shownText    = 90_000   // bytes of HTML that the text of a file may have on a page
	shownPicture = 20 << 20 // bytes of a picture that is shown on a page
)

// artifactFile shows a text file or a picture of the artifacts of a job. Everything else can be downloaded.
// GET /{project}/-/jobs/{id}/artifacts/file/{path}
func (p *Pages) artifactFile(v *page.Visit) error {
	job, archive, err := p.archive(v)
	if err != nil {
		return err
	}
	name := v.Param("*")
	entry, err := p.entry(v, archive, name)
	if err != nil {
		return err
	}
	base, folder := jobPath(v.Project.Project, job.ID)+"/artifacts", path.Dir(name)
	if folder == "." {
		folder = ""
	}
	view := fileView{
		Job: job, Crumbs: folderCrumbs(base, folder), Name: path.Base(name), Size: entry.Size,
		Raw: base + "/raw/" + page.EscapePath(name),
	}
	view.Picture = respond.PictureType(name) != "" && entry.Size <= shownPicture
	if !view.Picture {
		if view.Text, view.Problem, err = readText(entry); err != nil {
			return err
		}
	}
	return p.showArtifacts(v, job, "artifact_file", view.Name, view)
}

// readText returns the text of a file, or why it is not shown.
func readText(entry *artifacts.Entry) (text, problem string, err error) {
	const tooLarge = "The file is too large to show it here."
	if entry.Size > shownText {
		return "", tooLarge, nil
	}
	from, err := entry.Open(0)
	if errors.Is(err, artifacts.ErrNoEntry) {
		return "", "The file is compressed in a way that this service cannot read.", nil
	}
	if err != nil {
		return "", "", err
	}
	defer from.Close()
	data, err := io.ReadAll(io.LimitReader(from, shownText))
	switch {
	case err != nil:
		return "", "The file is damaged.", nil //nolint:nilerr // the archive comes from a job, which may have sent anything
	case !utf8.Valid(data) || strings.ContainsRune(string(data), 0):
		return "", "The file is not a text.", nil
	case len(template.HTMLEscapeString(string(data))) > shownText:
		return "", tooLarge, nil
	}
	return string(data), "", nil
}

// entry returns a file of an archive.
func (p *Pages) entry(v *page.Visit, archive model.JobArtifact, name string) (*artifacts.Entry, error) {
	entry, err := p.Artifacts.Entry(v.Request().Context(), archive, name)
	if errors.Is(err, artifacts.ErrPath) || errors.Is(err, artifacts.ErrNoEntry) {
		return nil, page.NotFound()
	}
	return entry, err
}

// artifactRaw sends a picture of the artifacts of a job, in which no script runs, and leads to any other file as text.
// GET /{project}/-/jobs/{id}/artifacts/raw/{path}
func (p *Pages) artifactRaw(v *page.Visit) error {
	job, archive, err := p.archive(v)
	if err != nil {
		return err
	}
	name := v.Param("*")
	media := respond.PictureType(name)
	if media == "" {
		return v.Redirect(apiPath(v, job.ID) + "/artifacts/" + page.EscapePath(name))
	}
	entry, err := p.entry(v, archive, name)
	if err != nil {
		return err
	}
	return respond.Stream{
		Context: v.Request().Context(), Type: media, Disposition: respond.Inline(path.Base(name)), CacheControl: respond.NoCache,
		ETag: `"` + archive.SHA256 + "-" + entry.Checksum() + `"`, Size: entry.Size, Sandboxed: true,
		Open: func(offset, _ int64) (io.ReadCloser, error) {
			from, err := entry.Open(offset)
			if errors.Is(err, artifacts.ErrNoEntry) {
				err = page.NotFound()
			}
			return from, err
		},
	}.Send(v.Response())
}
