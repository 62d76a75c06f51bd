package snippets

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"path"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"
)

// maxRead is the maximum size in bytes of a downloaded file. Nobody can write a larger one.
const maxRead = 32 << 20

// raw is the content of a file as a response.
type raw struct {
	ctx  context.Context // the generated Visit methods get no context
	id   string
	name string
	data []byte
}

// raw returns a file of a snippet: the file at a path and ref, or the first file if the path is empty.
func (s *Snippets) raw(ctx context.Context, row model.SnippetRow, ref, file string) (raw, error) {
	repo, head, err := s.repositories.Open(ctx, repositoryOf(row))
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
	return raw{ctx: ctx, id: entry.ID, name: path.Base(clean), data: data}, err
}

// write sends the file as text, with headers that keep browsers from running it.
func (a raw) write(w http.ResponseWriter) error {
	h, tag := w.Header(), `"`+a.id+`"`
	h.Set("Cache-Control", "no-cache, private")
	h.Set("ETag", tag)
	if reqctx.Of(a.ctx).Matches(tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": a.name}))
	h.Set("Content-Length", strconv.Itoa(len(a.data)))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	w.WriteHeader(http.StatusOK)
	if reqctx.Of(a.ctx).Method == http.MethodHead {
		return nil
	}
	_, err := w.Write(a.data)
	return err
}

// VisitGetSnippetRawResponse writes the file.
func (a raw) VisitGetSnippetRawResponse(w http.ResponseWriter) error { return a.write(w) }

// VisitGetSnippetFileRawResponse writes the file.
func (a raw) VisitGetSnippetFileRawResponse(w http.ResponseWriter) error { return a.write(w) }

// VisitGetProjectSnippetRawResponse writes the file.
func (a raw) VisitGetProjectSnippetRawResponse(w http.ResponseWriter) error { return a.write(w) }

// VisitGetProjectSnippetFileRawResponse writes the file.
func (a raw) VisitGetProjectSnippetFileRawResponse(w http.ResponseWriter) error { return a.write(w) }
