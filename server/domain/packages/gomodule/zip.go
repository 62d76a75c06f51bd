package gomodule

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"svc/store/git"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// maxFiles is the largest number of files of a module.
const maxFiles = 100000

// ErrTooLarge means that a module has more files or bytes than a zip file of a module may have.
var ErrTooLarge = errors.New("the module is too large")

// Files is the content of a version, ready to be written.
type Files struct {
	module module.Version
	list   []zip.File
}

// Files lists the files of a version. Nested modules are left out when they are written.
func (m Module) Files(ctx context.Context, v Version) (Files, error) {
	page, err := m.repo.List(ctx, v.commit, git.ListOptions{Path: v.folder, Recursive: true, Limit: maxFiles})
	if err != nil {
		return Files{}, orNotFound(err)
	}
	if page.More {
		return Files{}, ErrTooLarge
	}
	prefix := ""
	if v.folder != "" {
		prefix = v.folder + "/"
	}
	out := Files{module: module.Version{Path: m.Path, Version: v.Name}}
	licensed := false
	for _, entry := range page.Entries {
		if entry.Kind() == git.KindTree {
			continue
		}
		name := strings.TrimPrefix(entry.Path, prefix)
		licensed = licensed || name == license
		out.list = append(out.list, &file{ctx: ctx, repo: m.repo, path: name, entry: entry.Entry})
	}
	if prefix != "" && !licensed { // the license of the repository is also that of the modules in its folders
		if entry, err := m.repo.TreeAt(ctx, v.commit, license); err == nil && entry.Kind() == git.KindBlob {
			out.list = append(out.list, &file{ctx: ctx, repo: m.repo, path: license, entry: entry})
		}
	}
	_, err = zip.CheckFiles(out.list)
	if err != nil {
		err = errors.Join(ErrTooLarge, err)
	}
	return out, err
}

const license = "LICENSE"

// Write writes the zip file.
func (f Files) Write(to io.Writer) error { return zip.Create(to, f.module, f.list) }

// file is a file in a repository, in the form that the writer of zip files needs.
type file struct {
	ctx   context.Context //nolint:containedctx // the interface of the zip writer has no context
	repo  git.Repo
	path  string
	entry git.Entry
	size  int64
	known bool // the size is known
}

// Path returns the path in the module.
func (f *file) Path() string { return f.path }

// Lstat describes the file.
func (f *file) Lstat() (fs.FileInfo, error) {
	if !f.known && f.entry.Kind() == git.KindBlob {
		info, err := f.repo.Info(f.ctx, f.entry.ID)
		if err != nil {
			return nil, err
		}
		f.size, f.known = info.Size, true
	}
	return fileInfo{f}, nil
}

// Open reads the file.
func (f *file) Open() (io.ReadCloser, error) {
	out, in := io.Pipe()
	go func() { in.CloseWithError(f.repo.Stream(f.ctx, f.entry.ID, in)) }()
	return out, nil
}

// fileInfo describes a file.
type fileInfo struct{ f *file }

// Name returns the last part of the path.
func (i fileInfo) Name() string { return path.Base(i.f.path) }

// Size returns the number of bytes.
func (i fileInfo) Size() int64 { return i.f.size }

// Mode tells regular files from symbolic links and submodules, which a module cannot have.
func (i fileInfo) Mode() fs.FileMode {
	switch {
	case i.f.entry.Kind() != git.KindBlob:
		return fs.ModeDir
	case i.f.entry.Mode == 0o120000:
		return fs.ModeSymlink
	}
	return 0o644
}

// ModTime returns no time: zip files of modules have none.
func (i fileInfo) ModTime() time.Time { return time.Time{} }

// IsDir reports whether it is a submodule.
func (i fileInfo) IsDir() bool { return i.Mode().IsDir() }

// Sys returns nothing.
func (i fileInfo) Sys() any { return nil }
