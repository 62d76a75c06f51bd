package snippets

import (
	"context"
	"mime"
	"net/http"
	"path"

	"svc/server/platform/respond"
	"svc/store/model"
)

// maxRead is the maximum size in bytes of a downloaded file. Nobody can write a larger one.
const maxRead = 32 << 20

// raw is the content of a file as a response.
type raw struct{ respond.Stream }

// raw returns a file of a snippet: the file at a path and ref, or the first file if the path is empty.
func (s *Snippets) raw(ctx context.Context, row model.SnippetRow, ref, file string) (raw, error) {
	found, err := s.snippets.Find(ctx, row, ref, file)
	if err != nil {
		return raw{}, err
	}
	data, err := found.Read(ctx, maxRead)
	return raw{respond.Stream{
		Context: ctx, Type: "text/plain; charset=utf-8",
		Disposition:  mime.FormatMediaType("inline", map[string]string{"filename": path.Base(found.Path)}),
		CacheControl: respond.NoCache, ETag: `"` + found.ID + `"`, Size: int64(len(data)), Sandboxed: true,
		Write: respond.Bytes(data),
	}}, err
}

// VisitGetSnippetRawResponse writes the file.
func (a raw) VisitGetSnippetRawResponse(w http.ResponseWriter) error { return a.Send(w) }

// VisitGetSnippetFileRawResponse writes the file.
func (a raw) VisitGetSnippetFileRawResponse(w http.ResponseWriter) error { return a.Send(w) }

// VisitGetProjectSnippetRawResponse writes the file.
func (a raw) VisitGetProjectSnippetRawResponse(w http.ResponseWriter) error { return a.Send(w) }

// VisitGetProjectSnippetFileRawResponse writes the file.
func (a raw) VisitGetProjectSnippetFileRawResponse(w http.ResponseWriter) error { return a.Send(w) }
