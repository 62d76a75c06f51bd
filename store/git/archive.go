package git

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dsnet/compress/bzip2"
	"github.com/klauspost/compress/gzip"
)

// Format is how an archive is packed.
type Format string

// The formats.
const (
	Tar   Format = "tar"
	TarGz Format = "tar.gz"
	TarBz Format = "tar.bz2"
	Zip   Format = "zip"
)

// Archive is the files of a commit, packed. The same archive has the same bytes.
type Archive struct {
	Commit string
	Path   string // of the folder or file, clean; empty for all
	Stem   string // the folder that all is in
	Format Format
}

// key names an archive by what it is made from.
func (a Archive) key() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{a.Commit, a.Path, a.Stem, string(a.Format)}, "\x00")))
	return hex.EncodeToString(sum[:])
}

// ETag names the bytes of an archive.
func (a Archive) ETag() string { return `"` + a.key()[:32] + `"` }

// OpenArchive opens an archive that was made before.
func (r Repo) OpenArchive(a Archive) (*os.File, bool) {
	return openKept(filepath.Join(r.archives(), a.key()))
}

// WriteArchive makes an archive and, while it is written, keeps it for the next who asks. Nothing is written where it
// cannot be made.
func (r Repo) WriteArchive(ctx context.Context, a Archive, to io.Writer) error {
	if !IsID(a.Commit) {
		return ErrBadName
	}
	format := "tar"
	if a.Format == Zip {
		format = "zip"
	}
	args := []string{"archive", "--format=" + format, "--prefix=" + a.Stem + "/", a.Commit}
	if a.Path != "" {
		args = append(args, "--", a.Path)
	}
	kept := keep(r.archives(), a.key())
	defer kept.discard()
	packed, closed := pack(a.Format, io.MultiWriter(to, kept))
	err := r.streamFor(ctx, maxDownload, []string{"GIT_LITERAL_PATHSPECS=1"}, nil, args, func(from io.Reader) error {
		_, err := io.CopyBuffer(onlyWriter{packed}, from, make([]byte, 128<<10))
		return err
	})
	var failed *CommandError
	if errors.As(err, &failed) && strings.Contains(failed.Stderr, "did not match any files") {
		return ErrNotFound // all of it is marked to be left out
	}
	if err != nil {
		return err
	}
	if err := closed(); err != nil {
		return err
	}
	kept.commit()
	return nil
}

// pack compresses what is written to it; the function ends the archive.
func pack(f Format, to io.Writer) (io.Writer, func() error) {
	switch f {
	case TarGz:
		z, _ := gzip.NewWriterLevel(to, 5) // the level is a good one
		return z, z.Close
	case TarBz:
		z, _ := bzip2.NewWriter(to, &bzip2.WriterConfig{Level: 6})
		return z, z.Close
	}
	return to, func() error { return nil }
}
