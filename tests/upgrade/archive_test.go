package upgrade

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/storetest"

	"github.com/klauspost/compress/zstd"
)

// The parts of an archive, in a folder that it is unpacked to.
const (
	dataFolder  = "data"         // the data folder
	dumpFile    = "dump.sql"     // statements that fill an empty PostgreSQL database
	answersFile = "answers.json" // what the earlier version answered
)

// archiveName returns the name of the archive for the database that the tests run on.
func archiveName() string {
	if storetest.Postgres() {
		return "postgres.tar.zst"
	}
	return "sqlite.tar.zst"
}

// pack writes a folder to an archive. It leaves out files that belong to a process.
func pack(t *testing.T, folder, to string) {
	t.Helper()
	var b bytes.Buffer
	compressed, err := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewWriter(compressed)
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(folder, path)
		if err != nil || name == "." || strings.HasSuffix(name, "svc.lock") || strings.HasSuffix(name, "svc.db-shm") {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		header := &tar.Header{Name: name, Mode: int64(info.Mode().Perm()), Size: info.Size(), Typeflag: tar.TypeReg}
		if entry.IsDir() {
			header.Name, header.Size, header.Typeflag = name+"/", 0, tar.TypeDir
			return archive.WriteHeader(header)
		}
		data, err := os.ReadFile(path)
		if err := errors.Join(err, archive.WriteHeader(header)); err != nil {
			return err
		}
		_, err = archive.Write(data)
		return err
	})
	if err := errors.Join(err, archive.Close(), compressed.Close(), os.WriteFile(to, b.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// unpack reads an archive into a new folder.
func unpack(t *testing.T, from string) string {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := zstd.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	folder, err := os.MkdirTemp("", "svc-upgrade-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	archive := tar.NewReader(plain)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return folder
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := unpackFile(archive, header, filepath.Join(folder, header.Name)); err != nil {
			t.Fatal(err)
		}
	}
}

func unpackFile(from io.Reader, header *tar.Header, to string) error {
	if header.Typeflag == tar.TypeDir {
		return os.MkdirAll(to, fs.FileMode(header.Mode))
	}
	data, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, fs.FileMode(header.Mode))
}
