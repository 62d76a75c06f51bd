package git

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"io/fs"
	"time"
)

// snapshotConfig is the configuration of a bare repository.
const snapshotConfig = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"

// WriteSnapshot writes the repository as a tar archive of a bare repository: HEAD, all refs and all objects. It reads the
// refs before the objects, so that the archive has the objects of every ref.
func (r Repo) WriteSnapshot(ctx context.Context, now time.Time, to io.Writer) error {
	refs, err := r.RefsText()
	if err != nil {
		return err
	}
	head, _ := r.Head()
	s := snapshot{Writer: tar.NewWriter(to), repo: r, at: now, written: map[string]bool{}}
	for _, folder := range []string{"objects/", "refs/"} {
		if err := s.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: folder, Mode: 0o755, ModTime: now}); err != nil {
			return err
		}
	}
	for _, file := range [][2]string{{"HEAD", "ref: refs/heads/" + head + "\n"}, {"config", snapshotConfig}, {"packed-refs", refs}} {
		if err := s.header(file[0], int64(len(file[1]))); err != nil {
			return err
		}
		if _, err := io.WriteString(s, file[1]); err != nil {
			return err
		}
	}
	if err := s.objects(ctx); err != nil {
		return err
	}
	return s.Close()
}

// snapshot is a tar archive that is being written.
type snapshot struct {
	*tar.Writer
	repo    Repo
	at      time.Time
	written map[string]bool // files with objects
}

func (s snapshot) header(name string, size int64) error {
	return s.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, ModTime: s.at})
}

// objects writes the files with objects. If a repack has replaced some of them, it lists them again.
func (s snapshot) objects(ctx context.Context) error {
	for try := 1; ; try++ {
		files, err := s.repo.ObjectFiles()
		for _, f := range files {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil && !s.written[f.Name] {
				err = s.objectFile(f.Name)
			}
		}
		if !errors.Is(err, fs.ErrNotExist) || try == copyTries {
			return err
		}
	}
}

func (s snapshot) objectFile(name string) error {
	file, err := s.repo.OpenObjectFile(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := s.header("objects/"+name, info.Size()); err != nil {
		return err
	}
	s.written[name] = true
	_, err = io.Copy(s, file)
	return err
}
