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

// Format is the format of an archive.
type Format string

// The formats.
const (
	Tar   Format = "tar"
	TarGz Format = "tar.gz"
	TarBz Format = "tar.bz2"
	Zip   Format = "zip"
)

// Archive describes an archive of the files of a commit. Equal archives have equal bytes.
type Archive struct {
	Commit string
	Path   string // of the folder or file, clean; empty for the whole commit
	Stem   string // the folder inside the archive that contains everything
	Format Format
}

// key names an archive by everything that determines its content.
func (a Archive) key() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{a.Commit, a.Path, a.Stem, string(a.Format)}, "\x00")))
	return hex.EncodeToString(sum[:])
}

// ETag identifies the bytes of an archive.
func (a Archive) ETag() string { return `"` + a.key()[:32] + `"` }

// OpenArchive opens an archive that was written before, if the cache still has it.
func (r Repo) OpenArchive(a Archive) (*os.File, bool) {
	return openArchiveFile(filepath.Join(r.archives(), a.key()))
}

// WriteArchive writes an archive and stores a copy in the archive cache. If the archive cannot be made, nothing is
// written.
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
	kept := newArchiveWriter(r.archives(), a.key())
	defer kept.discard()
	packed, closed := pack(a.Format, io.MultiWriter(to, kept))
	err := r.streamFor(ctx, maxDownload, []string{"GIT_LITERAL_PATHSPECS=1"}, nil, args, func(from io.Reader) error {
		_, err := io.CopyBuffer(onlyWriter{packed}, from, make([]byte, 128<<10))
		return err
	})
	var failed *CommandError
	if errors.As(err, &failed) && strings.Contains(failed.Stderr, "did not match any files") {
		return ErrNotFound // attributes exclude all of its files from archives
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

// pack returns a writer that compresses, and a function that finishes the archive.
func pack(f Format, to io.Writer) (io.Writer, func() error) {
	switch f {
	case TarGz:
		z, _ := gzip.NewWriterLevel(to, 5) // the level is valid, so there is no error
		return z, z.Close
	case TarBz:
		z, _ := bzip2.NewWriter(to, &bzip2.WriterConfig{Level: 6})
		return z, z.Close
	}
	return to, func() error { return nil }
}
