package graphql

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/url"
)

// readMultipart reads a form of the multipart request specification: the operations as JSON. No field of the schema takes a
// file, so files are refused.
func readMultipart(data []byte, boundary string) (calls []call, batch bool, failed *failure) {
	form := url.Values{}
	reader := multipart.NewReader(bytes.NewReader(data), boundary)
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, false, unprocessable("The form cannot be read")
		}
		if part.FileName() != "" {
			return nil, false, unprocessable("No field takes files")
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, false, unprocessable("The form cannot be read")
		}
		form.Set(part.FormName(), string(value))
	}
	if form.Has("operations") {
		return readJSON([]byte(form.Get("operations")))
	}
	return readForm(form)
}
