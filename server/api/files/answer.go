package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"svc/gen"
	"svc/server/platform/brand"
	"svc/server/platform/respond"
)

// sum returns the SHA-256 of the content.
func (f file) sum(ctx context.Context) (string, error) {
	if f.size > maxInMemory {
		return f.repo.Digest(ctx, f.entry.ID)
	}
	sum := sha256.Sum256(f.small)
	return hex.EncodeToString(sum[:]), nil
}

// copyTo writes the content to w.
func (f file) copyTo(ctx context.Context, w io.Writer) error {
	if f.size > maxInMemory {
		return f.repo.Stream(ctx, f.entry.ID, w)
	}
	_, err := w.Write(f.small)
	return err
}

// headers sets the response headers that describe the file.
func (f file) headers(h http.Header) {
	brand.Set(h, "Blob-Id", f.entry.ID)
	brand.Set(h, "Commit-Id", f.commit)
	brand.Set(h, "Content-Sha256", f.digest)
	brand.Set(h, "Encoding", string(gen.RepositoryFileEncodingBase64))
	brand.Set(h, "Execute-Filemode", strconv.FormatBool(f.executable()))
	brand.Set(h, "File-Name", printable(f.name()))
	brand.Set(h, "File-Path", printable(f.path))
	brand.Set(h, "Last-Commit-Id", f.last)
	brand.Set(h, "Ref", f.ref)
	brand.Set(h, "Size", strconv.FormatInt(f.size, 10))
}

// printable returns a name that a header can hold.
func printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return url.PathEscape(name)
	}
	return name
}

// stream returns the response with the content of the file. A browser shows the content as text and does not run it.
func (f file) stream(ctx context.Context) respond.Stream {
	return respond.Stream{
		Context: ctx, Type: "text/plain; charset=utf-8",
		Disposition:  mime.FormatMediaType("inline", map[string]string{"filename": f.name()}),
		CacheControl: respond.NoCache, ETag: `"` + f.entry.ID + `"`, Size: f.size, Sandboxed: true,
		Write: func(to io.Writer) error { return f.copyTo(ctx, to) },
	}
}

// jsonResponse is the response with a file as JSON. It streams the content, so that a large file needs no more memory than a
// small one.
type jsonResponse struct {
	ctx  context.Context // a field, because the generated method has no context parameter
	file file
}

// VisitGetProjectRepositoryFileResponse writes the response.
func (a jsonResponse) VisitGetProjectRepositoryFileResponse(w http.ResponseWriter) error {
	f := a.file
	shown, err := json.Marshal(gen.RepositoryFile{
		FileName: f.name(), FilePath: f.path, Size: f.size, Encoding: gen.RepositoryFileEncodingBase64, Content: "",
		ContentSha256: f.digest, Ref: f.ref,
		BlobID: f.entry.ID, CommitID: f.commit, LastCommitID: f.last, ExecuteFilemode: f.executable(),
	})
	if err != nil {
		return err
	}
	f.headers(w.Header())
	sum := sha256.Sum256(shown) // the JSON has all IDs, and they determine the content
	// Quotes inside JSON strings are escaped, so this matches only the member "content".
	before, after, _ := bytes.Cut(shown, []byte(`"content":""`))
	before, after = append(before[:len(before):len(before)], `"content":"`...), append([]byte{'"'}, after...)
	return respond.Stream{
		Context: a.ctx, Type: "application/json", CacheControl: respond.Revalidate,
		ETag:  `W/"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`,
		Size:  int64(len(before)+len(after)) + (f.size+2)/3*4,
		Write: func(to io.Writer) error { return f.copyEncoded(a.ctx, to, before, after) },
	}.Send(w)
}

// copyEncoded writes the content in base64, between two other texts.
func (f file) copyEncoded(ctx context.Context, w io.Writer, before, after []byte) error {
	if _, err := w.Write(before); err != nil {
		return err
	}
	encoder := base64.NewEncoder(base64.StdEncoding, w)
	if err := f.copyTo(ctx, encoder); err != nil {
		return err
	}
	if err := encoder.Close(); err != nil {
		return err
	}
	_, err := w.Write(after)
	return err
}

// rawResponse is the response with the content of a file.
type rawResponse struct {
	ctx  context.Context // a field, because the generated method has no context parameter
	file file
}

// VisitGetProjectRepositoryFileRawResponse writes the response.
func (a rawResponse) VisitGetProjectRepositoryFileRawResponse(w http.ResponseWriter) error {
	a.file.headers(w.Header())
	return a.file.stream(a.ctx).Send(w)
}

// blameResponse is the response with the lines of a file and their commits.
type blameResponse struct {
	file  file
	lines []gen.Blame
}

// VisitListProjectRepositoryFileBlameResponse writes the response.
func (a blameResponse) VisitListProjectRepositoryFileBlameResponse(w http.ResponseWriter) error {
	a.file.headers(w.Header())
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	return json.NewEncoder(w).Encode(a.lines)
}
