// Package formdata reads the parts of multipart forms.
package formdata

import (
	"errors"
	"io"
	"mime/multipart"
	"strings"
	"unicode/utf8"

	"svc/server/platform/apierr"
)

// maxText is the largest size of a text, in bytes.
const maxText = 64 << 10

// Text reads a part that is a text. A text that is too long or not UTF-8 is a 400, which names the part.
func Text(part *multipart.Part) (string, error) {
	content, err := io.ReadAll(io.LimitReader(part, maxText+1))
	if err != nil {
		return "", ExplainIncomplete(err)
	}
	text := string(content)
	if len(text) > maxText || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		name := part.FormName()
		return "", apierr.BadParameter(strings.ToValidUTF8(name[:min(len(name), 60)], "?") + " is invalid")
	}
	return text, nil
}

// ExplainIncomplete turns the error of an incomplete form into a 400. Other errors stay as they are.
func ExplainIncomplete(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return apierr.BadParameter("The multipart body is incomplete")
	}
	return err
}

// File returns the first part with the name "file". A form without one is a 400.
func File(body *multipart.Reader) (*multipart.Part, error) {
	for body != nil {
		part, err := body.NextPart()
		if err != nil {
			break
		}
		if part.FormName() == "file" {
			return part, nil
		}
	}
	return nil, apierr.BadParameter("file is missing")
}

// Each reads all parts of a form into memory and calls use with each of them, until it returns an error. The middleware
// limits the size of the form.
func Each(body *multipart.Reader, use func(part *multipart.Part, content []byte) error) error {
	for body != nil {
		part, err := body.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return apierr.Malformed("The request body could not be read")
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return err
		}
		if err := use(part, content); err != nil {
			return err
		}
	}
	return nil
}
