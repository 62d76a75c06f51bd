package errortracking

import (
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/monitoring/errortracking"
	"svc/server/platform/apierr"
)

// maxUnpacked is the maximum size of a body after decompression.
const maxUnpacked = 4 << 20

// unpack reads and decompresses a body. It never reads more than the maximum size.
func unpack(body io.Reader, encoding *string) ([]byte, error) {
	if body == nil {
		return nil, errortracking.Unreadable()
	}
	how := strings.ToLower(strings.TrimSpace(wire.Value(encoding)))
	var err error
	switch how {
	case "", "identity":
	case "gzip":
		body, err = gzip.NewReader(body)
	case "deflate":
		body, err = zlib.NewReader(body)
	default:
		return nil, apierr.UnsupportedMedia(how)
	}
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(body, maxUnpacked+1))
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge), len(data) > maxUnpacked:
		return nil, apierr.TooLarge()
	case err != nil:
		return nil, errortracking.Unreadable()
	}
	return data, nil
}
