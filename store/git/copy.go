package git

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// CopyAll makes an empty repository a copy of another: its branches and tags with their objects. Object files never
// change, so they are linked and take no space; on another disk they are copied. Objects that no ref leads to are not
// copied. CopyAll can be repeated after an interruption, because it writes refs last and all at once. A repository that
// has refs stays as it is.
func (r Repo) CopyAll(ctx context.Context, from Repo) error {
	lock, err := r.Lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Release()
	if has, err := r.Refs("refs/"); err != nil || len(has) > 0 {
		return err
	}
	refs, err := from.Refs("refs/") // before the objects: objects that are added meanwhile do no harm
	if err != nil || len(refs) == 0 {
		return err
	}
	if err := r.copyObjects(ctx, from); err != nil {
		return err
	}
	head, _ := from.Head()
	var text, tips strings.Builder
	for _, ref := range refs {
		if isCopiedRef(ref.Name, head) {
			fmt.Fprintf(&text, "%s %s\n", ref.ID, ref.Name)
			tips.WriteString(ref.ID + "\n")
		}
	}
	if err := r.deleteUnreachable(ctx, tips.String()); err != nil {
		return err
	}
	if head != "" {
		if err := r.writeFile("HEAD", "ref: refs/heads/"+head+"\n"); err != nil {
			return err
		}
	}
	return r.writeFile("packed-refs", text.String())
}

// isCopiedRef reports whether a copy gets a ref: branches and tags with allowed names, and the default branch.
func isCopiedRef(ref, head string) bool {
	branch, isBranch := strings.CutPrefix(ref, "refs/heads/")
	tag, isTag := strings.CutPrefix(ref, "refs/tags/")
	return isBranch && (branch == head || !Misleading(branch)) || isTag && !Misleading(tag)
}

// deleteUnreachable removes the objects that the tips do not lead to: they may be of deleted branches, which users of the
// copy must not see. If there are none, the files stay as they are, and shared.
func (r Repo) deleteUnreachable(ctx context.Context, tips string) error {
	wanted, err := r.countLines(ctx, tips, "rev-list", "--objects", "--no-object-names", "--stdin")
	if err != nil {
		return err
	}
	all, err := r.countLines(ctx, "", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
	if err != nil || all == wanted {
		return err
	}
	old, err := r.objectFiles()
	if err != nil {
		return err
	}
	base := filepath.Join(r.dir, "objects", "pack", "pack")
	var name string
	args := []string{"-c", "pack.threads=1", "pack-objects", "--revs", "--delta-base-offset", "-q", base}
	err = r.run(ctx, call{wait: maintainWait, stdin: strings.NewReader(tips), args: args}, func(out io.Reader) error {
		line, err := io.ReadAll(io.LimitReader(out, small))
		name = strings.TrimSpace(string(line))
		return err
	})
	if err != nil {
		return err
	}
	if !IsID(name) {
		return fmt.Errorf("pack objects: no pack was named")
	}
	r.all.forget(r.dir)
	for _, file := range old {
		if !strings.HasPrefix(filepath.Base(file), "pack-"+name+".") { // the same objects give the same name
			if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// objectFiles returns the files that hold objects.
func (r Repo) objectFiles() ([]string, error) {
	root := filepath.Join(r.dir, "objects")
	var files []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if name, err := filepath.Rel(root, path); err == nil && isObject(name) {
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// countLines counts the lines that git prints.
func (r Repo) countLines(ctx context.Context, stdin string, args ...string) (int, error) {
	n := 0
	err := r.run(ctx, call{wait: maintainWait, stdin: strings.NewReader(stdin), args: args}, func(out io.Reader) error {
		buf := make([]byte, 64<<10)
		for {
			got, err := out.Read(buf)
			n += bytes.Count(buf[:got], []byte("\n"))
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
	return n, err
}

// copyTries is how often copying starts again because a repack has removed files.
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
			return filepath.SkipDir // incoming objects that are not accepted yet
		case e.IsDir():
			return os.MkdirAll(to, 0o700)
		case !isObject(name):
			return nil
		}
		return linkFile(path, to)
	})
}

// isObject reports whether a file holds objects: packs with their indexes, and loose objects. Other index files are
// built again, and files that git is still writing do not count.
func isObject(name string) bool {
	folder, file := filepath.Split(name)
	switch filepath.Clean(folder) {
	case "pack":
		return strings.HasPrefix(file, "pack-") &&
			(strings.HasSuffix(file, ".pack") || strings.HasSuffix(file, ".idx") || strings.HasSuffix(file, ".rev"))
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
	read := sha256.New()
	_, err = io.Copy(out, io.TeeReader(in, read))
	if err := errors.Join(err, out.Sync(), out.Chmod(0o400), out.Close()); err != nil {
		return err
	}
	if written, err := fileSum(out.Name()); err != nil || !bytes.Equal(written, read.Sum(nil)) {
		return errors.Join(ErrNotTheSame, err)
	}
	return os.Rename(out.Name(), to)
}

// fileSum returns the SHA-256 of a file.
func fileSum(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	return sum.Sum(nil), err
}

// writeFile replaces a file of the repository atomically.
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
