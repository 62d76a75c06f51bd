package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// ServerTime returns the time by the clock of a bucket's server, or false if the files are in a folder.
func ServerTime(ctx context.Context, s Store) (time.Time, bool, error) {
	b, ok := s.(*bucket)
	if !ok {
		return time.Time{}, false, nil
	}
	res, err := b.call(ctx, http.MethodGet, b.bucket+"?list-type=2&max-keys=1", nil, 0, hexSum(nil), "")
	if err != nil {
		return time.Time{}, true, err
	}
	_, err = io.Copy(io.Discard, res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return time.Time{}, true, err
	}
	at, err := http.ParseTime(res.Header.Get("Date"))
	if err != nil {
		return at, true, fmt.Errorf("the answer of the bucket has no valid Date: %w", err)
	}
	return at, true, nil
}
