package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/server/platform/respond"
)

// GetProjectRepositoryFile returns a file with its content in base64.
// GET /projects/{id}/repository/files/{file_path}
func (f *Files) GetProjectRepositoryFile(
	ctx context.Context, req gen.GetProjectRepositoryFileRequestObject,
) (gen.GetProjectRepositoryFileResponseObject, error) {
	row, err := f.access.Project(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	found, err := f.find(ctx, row, req.FilePath, req.Params.Ref)
	if err == nil && found.size > largeFile && reqctx.Of(ctx).Method != http.MethodHead {
		err = f.limit(ctx, row.Project.ID)
	}
	if err != nil {
		return nil, err
	}
	return jsonResponse{ctx, found}, nil
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
