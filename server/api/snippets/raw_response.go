package snippets

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"path"

	"svc/server/domain/snippet"
	"svc/server/platform/apierr"
	"svc/server/platform/respond"
	"svc/store/git"
	"svc/store/model"
)

// maxRead is the maximum size in bytes of a downloaded file. Nobody can write a larger one.
const maxRead = 32 << 20

// raw is the content of a file as a response.
type raw struct{ respond.Stream }

// raw returns a file of a snippet: the file at a path and ref, or the first file if the path is empty.
func (s *Snippets) raw(ctx context.Context, row model.SnippetRow, ref, file string) (raw, error) {
	repo, head, err := s.repositories.Open(ctx, snippet.Repository(row))
	if err != nil {
		return raw{}, err
	}
	if file == "" {
		paths := row.Snippet.Paths()
		if len(paths) == 0 {
			return raw{}, apierr.NotFound("File")
		}
		file = paths[0]
	}
	at := head
	if ref != "" && ref != model.SideBranch && ref != "HEAD" {
		at, err = repo.Resolve(ctx, ref)
	}
	clean, ok := git.CleanPath(file)
	if err == nil && (!ok || clean == "" || at == "") {
		err = git.ErrNotFound
	}
	var entry git.Entry
	if err == nil {
		entry, err = repo.TreeAt(ctx, at, clean)
	}
	if err == nil && entry.Kind() != git.KindBlob {
		err = git.ErrNotFound
	}
	if errors.Is(err, git.ErrNotFound) {
		return raw{}, apierr.NotFound("File")
	}
	if err != nil {
		return raw{}, err
	}
	_, data, err := repo.Object(ctx, entry.ID, maxRead)
	return raw{respond.Stream{
		Context: ctx, Type: "text/plain; charset=utf-8",
		Disposition:  mime.FormatMediaType("inline", map[string]string{"filename": path.Base(clean)}),
		CacheControl: respond.NoCache, ETag: `"` + entry.ID + `"`, Size: int64(len(data)), Sandboxed: true,
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
