package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"time"
)

// file is a file, a folder or a symbolic link of an archive.
type file struct {
	name  string // relative, with slashes; a folder ends with one
	mode  int64
	data  []byte
	link  string // where a symbolic link leads to
	owner int    // user and group
}

// withParents adds the folders of the files, and sorts by name, so that a folder comes before what is in it.
func withParents(files []file) []file {
	all := slices.Clone(files)
	known := map[string]bool{}
	for _, f := range files {
		known[f.name] = true
	}
	for _, f := range files {
		for folder := path.Dir(strings.TrimSuffix(f.name, "/")); folder != "."; folder = path.Dir(folder) {
			if !known[folder+"/"] {
				known[folder+"/"] = true
				all = append(all, file{name: folder + "/", mode: 0o755})
			}
		}
	}
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return all
}

// header returns the header of the file in an archive, with a fixed time.
func (f file) header(prefix string, at time.Time) *tar.Header {
	h := &tar.Header{
		Name: prefix + f.name, Mode: f.mode, Size: int64(len(f.data)), Typeflag: tar.TypeReg, ModTime: at,
		Uid: f.owner, Gid: f.owner, Format: tar.FormatGNU,
	}
	switch {
	case f.link != "":
		h.Typeflag, h.Linkname = tar.TypeSymlink, f.link
	case strings.HasSuffix(h.Name, "/"):
		h.Typeflag = tar.TypeDir
	}
	return h
}

// writeTar writes the files, each name with a prefix.
func writeTar(w io.Writer, prefix string, files []file, at time.Time) error {
	archive := tar.NewWriter(w)
	for _, f := range files {
		if err := archive.WriteHeader(f.header(prefix, at)); err != nil {
			return err
		}
		if _, err := archive.Write(f.data); err != nil {
			return err
		}
	}
	return archive.Close()
}

// tarGz returns the files as a compressed archive.
func tarGz(prefix string, files []file, at time.Time) ([]byte, error) {
	return compress(func(w io.Writer) error { return writeTar(w, prefix, files, at) })
}

// compress returns what a function writes, compressed with gzip. The header has no name and no time.
func compress(write func(w io.Writer) error) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	err = errors.Join(write(w), w.Close())
	return b.Bytes(), err
}

// gzipped returns compressed data.
func gzipped(data []byte) ([]byte, error) {
	return compress(func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
