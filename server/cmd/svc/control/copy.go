package control

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// copyFolder copies everything in a folder into another one. Objects of git are never changed once they are written, so
// the copy has links to them.
func copyFolder(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		switch {
		case entry.IsDir():
			if relative == "." {
				return nil
			}
			return os.Mkdir(target, 0o700)
		case strings.Contains(relative, ".git/objects/"):
			if os.Link(path, target) == nil {
				return nil
			}
		}
		return copyFile(path, target)
	})
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		return err
	}
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	if _, err := io.Copy(target, source); err != nil {
		target.Close()
		return err
	}
	return target.Close()
}
