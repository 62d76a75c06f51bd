package repositories

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"svc/server/platform/respond"
	"svc/store/git"
)

// archiveResponse is an archive as a response.
type archiveResponse struct {
	ctx  context.Context // a field, because the generated Visit methods have no context parameter
	repo git.Repo
	of   git.Archive
}

// VisitGetProjectRepositoryArchiveResponse writes the archive.
func (p archiveResponse) VisitGetProjectRepositoryArchiveResponse(w http.ResponseWriter) error {
	return p.send(w)
}

// VisitGetProjectRepositoryArchiveFormatResponse writes the archive.
func (p archiveResponse) VisitGetProjectRepositoryArchiveFormatResponse(w http.ResponseWriter) error {
	return p.send(w)
}

// send writes the archive from the archive cache, or makes it.
func (p archiveResponse) send(w http.ResponseWriter) error {
	stream := respond.Stream{
		Context: p.ctx, Type: "application/octet-stream", Disposition: attachment(p.of.Stem + "." + string(p.of.Format)),
		CacheControl: respond.Revalidate, ETag: p.of.ETag(), Size: respond.Unknown,
		Write: func(to io.Writer) error { return orNotFound(p.repo.WriteArchive(p.ctx, p.of, to), "File") },
	}
	if stream.NotModified() {
		return stream.Send(w)
	}
	if file, ok := p.repo.OpenArchive(p.of); ok {
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return err
		}
		stream.Size = info.Size()
		stream.Write = func(to io.Writer) error {
			_, err := io.Copy(to, file)
			return err
		}
	}
	return stream.Send(w)
}

// attachment returns a Content-Disposition header with a file name. A name with special characters is given in both
// forms (RFC 6266 §4.1). The form for old clients has no character that they could mistake for an escape, the end of
// the name, a folder or a new line.
func attachment(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"%/\`, r) {
			return '_'
		}
		return r
	}, name)
	header := `attachment; filename="` + plain + `"`
	if plain != name {
		header += "; filename*=UTF-8''" + escapeRFC5987(name)
	}
	return header
}

// escapeRFC5987 encodes a text as in RFC 5987: everything but letters, digits and -_.~ is escaped.
func escapeRFC5987(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}
