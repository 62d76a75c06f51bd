package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// CopyAll makes an empty repository a copy of another: its branches and tags, and all objects. Files of objects never change, so
// they are linked and take no room; on another disk they are copied. It may be done again after it was broken off: refs
// come last and all at once. A repository that has refs stays as it is.
func (r Repo) CopyAll(ctx context.Context, from Repo) error {
	lock, err := r.Lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Release()
	if has, err := r.Refs("refs/"); err != nil || len(has) > 0 {
		return err
	}
	refs, err := from.Refs("refs/") // before the objects: what is added meanwhile is only more
	if err != nil || len(refs) == 0 {
		return err
	}
	if err := r.copyObjects(ctx, from); err != nil {
		return err
	}
	var text strings.Builder
	for _, ref := range refs {
		if strings.HasPrefix(ref.Name, "refs/heads/") || strings.HasPrefix(ref.Name, "refs/tags/") {
			fmt.Fprintf(&text, "%s %s\n", ref.ID, ref.Name)
		}
	}
	if head, _ := from.Head(); head != "" {
		if err := r.writeFile("HEAD", "ref: refs/heads/"+head+"\n"); err != nil {
			return err
		}
	}
	return r.writeFile("packed-refs", text.String())
}

// copyTries is how often a repack that takes files away may make us begin again.
const copyTries = 5

func (r Repo) copyObjects(ctx context.Context, from Repo) error {
	var err error
	for range copyTries {
		if err = r.linkObjects(ctx, from); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

func (r Repo) linkObjects(ctx context.Context, from Repo) error {
	root := filepath.Join(from.dir, "objects")
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		to := filepath.Join(r.dir, "objects", name)
		switch {
		case e.IsDir() && (name == "info" || strings.HasPrefix(name, "incoming-")):
			return filepath.SkipDir // made anew, and not yet accepted
		case e.IsDir():
			return os.MkdirAll(to, 0o700)
		case !isObject(name):
			return nil
		}
		return linkFile(path, to)
	})
}

// isObject tells which files hold objects: packs with their indexes, and objects by themselves. What speeds them up is made
// anew, and what is still being written is not there yet.
func isObject(name string) bool {
	folder, file := filepath.Split(name)
	switch filepath.Clean(folder) {
	case "pack":
		return strings.HasPrefix(file, "pack-") && (strings.HasSuffix(file, ".pack") || strings.HasSuffix(file, ".idx") || strings.HasSuffix(file, ".rev"))
	default:
		return len(folder) == 3 && len(file) == 38
	}
}

func linkFile(from, to string) error {
	err := os.Link(from, to)
	switch {
	case err == nil || errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), "tmp_obj_")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Sync(), out.Chmod(0o400), out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}

// writeFile replaces a file of the repository at once.
func (r Repo) writeFile(name, text string) error {
	file, err := os.CreateTemp(r.dir, "tmp_"+name+"_")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(text)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), filepath.Join(r.dir, name)); err != nil {
		return err
	}
	return syncFolder(r.dir)
}
