package git

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"
)

const (
	smallBlob   = 1 << 20 // read at once, so that the git process is free again
	maxDownload = time.Hour
)

// Blob is the content of a file.
type Blob struct {
	Info
	repo Repo
	data []byte // only of a small blob
}

// Blob finds a blob by its id or the beginning of its id. A blob that no ref leads to is ErrNotFound.
func (r Repo) Blob(ctx context.Context, sha string) (Blob, error) {
	sha = strings.ToLower(sha)
	if len(sha) < 4 || len(sha) > len(Zero) || strings.Trim(sha, "0123456789abcdef") != "" {
		return Blob{}, ErrNotFound
	}
	data, known := r.all.cache.blobs.Get(r.dir + sha)
	info, err := Info{ID: sha, Kind: KindBlob, Size: int64(len(data))}, error(nil)
	if !known {
		if info, data, err = r.Object(ctx, sha, smallBlob); err != nil && !errors.Is(err, ErrTooLarge) {
			return Blob{}, err
		}
	}
	if info.Kind != KindBlob || !strings.HasPrefix(info.ID, sha) { // a branch may be named like an id
		return Blob{}, ErrNotFound
	}
	if err == nil && !known {
		r.all.cache.blobs.Set(r.dir+info.ID, data)
	}
	ok, err := r.reachableBlob(ctx, info.ID)
	if err != nil {
		return Blob{}, err
	}
	if !ok {
		return Blob{}, ErrNotFound
	}
	return Blob{Info: info, repo: r, data: data}, nil
}

// Write copies the content. A large blob gets a git process of its own, so that a slow reader does not block others.
func (b Blob) Write(ctx context.Context, to io.Writer) error {
	if b.Size <= smallBlob {
		_, err := to.Write(b.data)
		return err
	}
	args := []string{"-c", "core.bigFileThreshold=1m", "cat-file", "blob", b.ID}
	return b.repo.streamFor(ctx, maxDownload, nil, nil, args, func(from io.Reader) error {
		_, err := io.CopyBuffer(onlyWriter{to}, from, make([]byte, 64<<10))
		return err
	})
}

// onlyWriter hides the other methods of a writer, which would allocate another buffer.
type onlyWriter struct{ io.Writer }
