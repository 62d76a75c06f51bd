package respond

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"svc/server/platform/apierr"
	"svc/store/git"
)

// Archive is a response with the files of a commit.
type Archive struct {
	Context context.Context // of the request
	Repo    git.Repo
	Of      git.Archive
}

// ArchiveStem returns the name of an archive and of the folder inside, made of several parts. An empty part at the end is
// left out.
func ArchiveStem(parts ...string) string {
	if parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '/' || r == '\\' {
			return '-'
		}
		return r
	}, strings.Join(parts, "-"))
}

// Send writes the archive from the archive cache, or makes it.
func (a Archive) Send(w http.ResponseWriter) error {
	stream := Stream{
		Context: a.Context, Type: "application/octet-stream", Disposition: Attachment(a.Of.Stem + "." + string(a.Of.Format)),
		CacheControl: Revalidate, ETag: a.Of.ETag(), Size: Unknown,
		Write: func(to io.Writer) error {
			err := a.Repo.WriteArchive(a.Context, a.Of, to)
			if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrBadName) {
				return apierr.NotFound("File")
			}
			return err
		},
	}
	if stream.NotModified() {
		return stream.Send(w)
	}
	if file, ok := a.Repo.OpenArchive(a.Of); ok {
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return err
		}
		stream.Size = info.Size()
		stream.Write = func(to io.Writer) error {
			_, err := io.Copy(to, file)
			return err
		}
	}
	return stream.Send(w)
}
