package codehttp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"path"
	"unicode/utf8"

	"svc/server/domain/repository/browse"
	"svc/server/platform/apierr"
	"svc/server/platform/respond"
	"svc/store"
	"svc/store/git"
	"svc/store/lfs"
	"svc/store/model"
)

const (
	text   = "text/plain; charset=utf-8"
	binary = "application/octet-stream"

	// maxInMemory is the maximum size of a file that is read into memory, in bytes.
	maxInMemory = 1 << 20
	// sniffed is how many bytes of a file show whether it is text.
	sniffed = 8 << 10
)

// raw sends a file. rest is «ref/file»; both may contain slashes.
func (h *Handler) raw(w http.ResponseWriter, r *http.Request, project model.Project, rest string) error {
	ctx := r.Context()
	repo, err := h.Repos.OpenProject(project.RepositoryStorage, project.ID, project.EmptyRepo)
	if err != nil {
		return err
	}
	place, err := browse.ResolveFile(ctx, repo, rest)
	if err != nil {
		return orNotFound(err, "File")
	}
	file := place.Path
	entry, err := repo.TreeAt(ctx, place.Commit, file)
	if err != nil {
		return orNotFound(err, "File")
	}
	if entry.Kind() != git.KindBlob {
		return apierr.NotFound("File")
	}
	if err := h.Files(ctx, project.ID, file); err != nil {
		return err
	}
	info, data, err := repo.Object(ctx, entry.ID, maxInMemory)
	if err != nil && !errors.Is(err, git.ErrTooLarge) {
		return err
	}
	if pointer, ok := lfs.ReadPointer(data); ok && project.LfsEnabled {
		return h.large(w, r, project, file, pointer)
	}
	stream := respond.Stream{ETag: `"` + entry.ID + `"`, Size: info.Size, Write: respond.Bytes(data)}
	if err != nil {
		stream.Write = func(to io.Writer) error { return repo.Stream(ctx, entry.ID, to) }
		if data, err = peek(ctx, repo, entry.ID); err != nil {
			return err
		}
	}
	return send(w, r, project, file, data, stream)
}

// beginning is a writer that wants no more than the beginning of a file.
type beginning struct{ data []byte }

var errBegun = errors.New("the beginning of the file is read")

// Write collects the beginning, and fails after it.
func (b *beginning) Write(p []byte) (int, error) {
	b.data = append(b.data, p[:min(len(p), sniffed-len(b.data))]...)
	if len(b.data) == sniffed {
		return 0, errBegun
	}
	return len(p), nil
}

// peek reads the beginning of a large file.
func peek(ctx context.Context, repo git.Repo, id string) ([]byte, error) {
	var b beginning
	if err := repo.Stream(ctx, id, &b); err != nil && !errors.Is(err, errBegun) {
		return nil, err
	}
	return b.data, nil
}

// large sends the LFS object that a file points to.
func (h *Handler) large(w http.ResponseWriter, r *http.Request, project model.Project, file string, pointer lfs.Pointer) error {
	content, object, err := h.LFS.Open(r.Context(), project.ID, pointer.OID)
	if store.IsNotFound(err) {
		return apierr.NotFound("LFS Object")
	}
	if err != nil {
		return err
	}
	defer content.Close()
	begin := make([]byte, sniffed)
	n, err := io.ReadFull(content, begin)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	begin = begin[:n]
	return send(w, r, project, file, begin, respond.Stream{
		ETag: `"` + object.Oid + `"`, Size: object.Size,
		Write: func(to io.Writer) error {
			_, err := io.Copy(to, io.MultiReader(bytes.NewReader(begin), content))
			return err
		},
	})
}

// send sends a file with a type that is safe in a browser: text, a picture, or something to be saved. begin is the
// beginning of the file.
func send(w http.ResponseWriter, r *http.Request, project model.Project, file string, begin []byte, s respond.Stream) error {
	s.Context, s.Sandboxed, s.CacheControl = r.Context(), true, respond.Revalidate
	if project.CodeVisibility() == model.Public {
		s.CacheControl = "max-age=60, public"
	}
	name := path.Base(file)
	inline := true
	switch picture := respond.PictureType(name); {
	case picture != "":
		s.Type = picture
	case len(begin) > 0 && isText(begin) || s.Size == 0:
		s.Type = text
	default:
		s.Type, inline = binary, false
	}
	s.Disposition = respond.Attachment(name)
	if inline && r.URL.Query().Get("inline") != "false" {
		s.Disposition = respond.Inline(name)
	}
	return s.Send(w)
}

// isText reports whether the beginning of a file is text in UTF-8.
func isText(begin []byte) bool {
	if len(begin) > sniffed {
		begin = begin[:sniffed]
	}
	for cut := 0; cut < utf8.UTFMax && len(begin) > 0 && !utf8.Valid(begin); cut++ { // the end may be in the middle of a character
		begin = begin[:len(begin)-1]
	}
	return utf8.Valid(begin) && !bytes.ContainsRune(begin, 0)
}
