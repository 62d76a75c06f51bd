package repositories

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"

	"svc/server/platform/respond"
	"svc/store/git"
)

// encodedBlob is the response with a blob as JSON. It does not hold the blob whole in memory.
type encodedBlob struct{ respond.Stream }

func newEncodedBlob(ctx context.Context, blob git.Blob) encodedBlob {
	before := fmt.Sprintf(`{"size":%d,"encoding":"base64","content":"`, blob.Size)
	after := `","sha":"` + blob.ID + "\"}\n"
	return encodedBlob{respond.Stream{
		Context: ctx, Type: "application/json", CacheControl: respond.Revalidate, ETag: `W/"` + blob.ID + `"`,
		Size: int64(len(before)+len(after)) + (blob.Size+2)/3*4,
		Write: func(to io.Writer) error {
			if _, err := io.WriteString(to, before); err != nil {
				return err
			}
			encoder := base64.NewEncoder(base64.StdEncoding, to)
			if err := blob.Write(ctx, encoder); err != nil {
				return err
			}
			if err := encoder.Close(); err != nil {
				return err
			}
			_, err := io.WriteString(to, after)
			return err
		},
	}}
}

// VisitGetProjectRepositoryBlobResponse writes the blob.
func (b encodedBlob) VisitGetProjectRepositoryBlobResponse(w http.ResponseWriter) error {
	return b.Send(w)
}

// rawBlob is the response with the bytes of a blob.
type rawBlob struct{ respond.Stream }

// VisitGetProjectRepositoryBlobRawResponse writes the bytes.
func (b rawBlob) VisitGetProjectRepositoryBlobRawResponse(w http.ResponseWriter) error {
	return b.Send(w)
}
