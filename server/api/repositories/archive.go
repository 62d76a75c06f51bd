package repositories

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/git"
)

// formats are the suffixes that archives are asked for with.
var formats = map[string]git.Format{
	"tar.gz": git.TarGz, "tar": git.Tar, "zip": git.Zip,
	"tar.bz2": git.TarBz, "tbz": git.TarBz, "tbz2": git.TarBz, "tb2": git.TarBz, "bz2": git.TarBz,
}

// GetProjectRepositoryArchive downloads the files of a commit as a tar.gz archive.
// GET /projects/{id}/repository/archive
func (r *Repositories) GetProjectRepositoryArchive(ctx context.Context, req gen.GetProjectRepositoryArchiveRequestObject) (gen.GetProjectRepositoryArchiveResponseObject, error) {
	return r.archive(ctx, req.ID, git.TarGz, wire.Value(req.Params.Sha), wire.Value(req.Params.Path))
}

// GetProjectRepositoryArchiveFormat downloads the files of a commit as an archive of a format.
// GET /projects/{id}/repository/archive.{format}
func (r *Repositories) GetProjectRepositoryArchiveFormat(ctx context.Context, req gen.GetProjectRepositoryArchiveFormatRequestObject) (gen.GetProjectRepositoryArchiveFormatResponseObject, error) {
	format, known := formats[req.Format]
	if !known {
		return nil, apierr.NoRoute()
	}
	return r.archive(ctx, req.ID, format, wire.Value(req.Params.Sha), wire.Value(req.Params.Path))
}

func (r *Repositories) archive(ctx context.Context, id string, format git.Format, ref, path string) (packed, error) {
	project, repo, err := r.read(ctx, id)
	if err != nil {
		return packed{}, err
	}
	if embedded(ctx) {
		return packed{}, apierr.NotAcceptable()
	}
	commit, err := repo.Resolve(ctx, ref)
	if err != nil {
		return packed{}, missing(err, "File")
	}
	clean, ok := git.CleanPath(path)
	if !ok {
		return packed{}, apierr.NotFound("File")
	}
	if clean != "" {
		if _, err := repo.TreeAt(ctx, commit, clean); err != nil {
			return packed{}, missing(err, "File")
		}
	}
	if ref == "" || ref == "HEAD" {
		ref, _ = repo.Head()
	}
	a := git.Archive{Commit: commit, Path: clean, Format: format, Stem: stem(project.Path, ref, commit, clean)}
	return packed{answer{ctx, a.ETag()}, repo, a}, nil
}

// stem is the name of an archive, and of the folder in it.
func stem(parts ...string) string {
	if parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '/' || r == '\\' {
			return '-'
		}
		return r
	}, strings.Join(parts, "-"))
}

// embedded tells whether a page loads the file as if it were a part of its own.
func embedded(ctx context.Context) bool {
	h := reqctx.Of(ctx).Header
	if h == nil {
		return false
	}
	switch h.Get("Sec-Fetch-Mode") {
	case "no-cors", "websocket":
		return true
	}
	return strings.HasPrefix(h.Get("Accept"), "image/")
}

// packed writes an archive.
type packed struct {
	answer
	repo git.Repo
	of   git.Archive
}

// VisitGetProjectRepositoryArchiveResponse writes the archive.
func (p packed) VisitGetProjectRepositoryArchiveResponse(w http.ResponseWriter) error {
	return p.send(w)
}

// VisitGetProjectRepositoryArchiveFormatResponse writes the archive.
func (p packed) VisitGetProjectRepositoryArchiveFormatResponse(w http.ResponseWriter) error {
	return p.send(w)
}

func (p packed) send(w http.ResponseWriter) error {
	if has(p.ctx, p.tag) {
		return unchanged(w, p.tag)
	}
	if file, ok := p.repo.OpenArchive(p.of); ok {
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return err
		}
		p.headers(w)
		return p.write(w, info.Size(), func(to io.Writer) error {
			_, err := io.Copy(to, file)
			return err
		})
	}
	if head(p.ctx) {
		p.headers(w)
		w.WriteHeader(http.StatusOK)
		return nil
	}
	out := &late{w: w, begin: func() { p.headers(w) }}
	if err := p.repo.WriteArchive(p.ctx, p.of, out); err != nil {
		if out.begun { // a part must not be taken for the whole
			panic(http.ErrAbortHandler)
		}
		return missing(err, "File")
	}
	return nil
}

func (p packed) headers(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", attachment(p.of.Stem+"."+string(p.of.Format)))
	h.Set("ETag", p.tag)
	h.Set("Cache-Control", tagged)
}

// attachment names a file to be saved. A name that is not plain is given in both ways (RFC 6266 §4.1): old clients get one in which they
// can mistake nothing for an escape, the end of the name, a folder or a new line.
func attachment(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"%/\`, r) {
			return '_'
		}
		return r
	}, name)
	header := `attachment; filename="` + plain + `"`
	if plain != name {
		header += "; filename*=UTF-8''" + extended(name)
	}
	return header
}

// late begins an answer with its first byte: until then it can still become a failure.
type late struct {
	w     http.ResponseWriter
	begin func()
	begun bool
}

// Write writes.
func (l *late) Write(p []byte) (int, error) {
	if !l.begun {
		l.begun = true
		l.begin()
		l.w.WriteHeader(http.StatusOK)
	}
	return l.w.Write(p)
}

// extended is a text as RFC 5987 wants it: what is not a letter, a digit or one of -_.~ is escaped.
func extended(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}
