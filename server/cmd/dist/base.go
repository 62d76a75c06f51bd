package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"
)

// userID is the user and the group that the service has in the image.
const userID = 10001

// baseTime is the time of files that are in no package.
var baseTime = time.Unix(0, 0).UTC()

// baseLayer returns the layer with git and its libraries. It unpacks Debian packages, without running their scripts: the
// few things that the scripts would do are done here. The same packages give the same layer in every release.
func baseLayer(ctx context.Context, cache, processor string) (layer, []lockedPackage, error) {
	packages, err := lockedPackages(lockText, processor)
	if err != nil {
		return layer{}, nil, err
	}
	paths, err := fetch(ctx, cache, packages)
	if err != nil {
		return layer{}, nil, err
	}
	u := unpacker{known: map[string]bool{}}
	base, err := newLayer(func(w io.Writer) error {
		u.archive = tar.NewWriter(w)
		if err := u.add(systemFiles(packages)); err != nil {
			return err
		}
		for _, path := range paths {
			if err := u.unpack(ctx, path); err != nil {
				return fmt.Errorf("unpack %s: %w", path, err)
			}
		}
		return errors.Join(u.finish(), u.archive.Close())
	})
	return base, packages, err
}

// systemFiles returns the files that scripts of packages would make.
func systemFiles(packages []lockedPackage) []file {
	files := []file{
		{name: "etc/group", mode: 0o644, data: fmt.Appendf(nil, "root:x:0:\nsvc:x:%d:\n", userID)},
		{name: "etc/passwd", mode: 0o644, data: fmt.Appendf(
			nil, "root:x:0:0:root:/root:/usr/sbin/nologin\nsvc:x:%d:%d:svc:/var/lib/svc:/usr/sbin/nologin\n", userID, userID)},
		{name: "tmp/", mode: 0o1777},
	}
	for _, name := range merged {
		files = append(files, file{name: name, link: "usr/" + name, mode: 0o777}, file{name: "usr/" + name + "/", mode: 0o755})
	}
	for _, p := range packages { // programs that look for known faults read these files
		text := fmt.Sprintf("Package: %s\nStatus: install ok installed\nArchitecture: %s\nVersion: %s\n", p.name, p.processor, p.version)
		files = append(files, file{name: "var/lib/dpkg/status.d/" + p.name, mode: 0o644, data: []byte(text)})
	}
	return withParents(files)
}

// merged are the folders that are links to folders in usr, as on an installed Debian.
var merged = []string{"bin", "lib", "lib64", "sbin"}

// unpacker writes the files of several packages to one archive.
type unpacker struct {
	archive      *tar.Writer
	known        map[string]bool
	certificates []file
}

func (u *unpacker) add(files []file) error {
	for _, f := range files {
		u.known[strings.TrimSuffix(f.name, "/")] = true
		if err := u.archive.WriteHeader(f.header("", baseTime)); err != nil {
			return err
		}
		if _, err := u.archive.Write(f.data); err != nil {
			return err
		}
	}
	return nil
}

// unpack adds the files of a package. dpkg-deb knows its compression.
func (u *unpacker) unpack(ctx context.Context, deb string) error {
	cmd := exec.CommandContext(ctx, "dpkg-deb", "--fsys-tarfile", deb)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = u.copyFiles(tar.NewReader(out))
	_, _ = io.Copy(io.Discard, out) // what follows the end of the archive
	if ended := cmd.Wait(); ended != nil {
		return fmt.Errorf("%w: %s", ended, complaint.String())
	}
	return err
}

// copyFiles adds the files of an archive, except those that are there already or not wanted.
func (u *unpacker) copyFiles(from *tar.Reader) error {
	for {
		h, err := from.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := place(h.Name)
		if u.known[name] || !kept(name) {
			continue
		}
		u.known[name] = true
		if err := u.copyFile(from, *h, name); err != nil {
			return err
		}
	}
}

// copyFile adds one file of a package under a name.
func (u *unpacker) copyFile(from io.Reader, h tar.Header, name string) error {
	h.Name, h.Format = name, tar.FormatGNU
	h.Uname, h.Gname, h.PAXRecords = "", "", nil
	switch h.Typeflag {
	case tar.TypeDir:
		h.Name += "/"
	case tar.TypeLink:
		h.Linkname = place(h.Linkname)
	}
	data, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	if strings.HasPrefix(name, "usr/share/ca-certificates/") && strings.HasSuffix(name, ".crt") {
		u.certificates = append(u.certificates, file{name: name, data: data})
	}
	if err := u.archive.WriteHeader(&h); err != nil {
		return err
	}
	_, err = u.archive.Write(data)
	return err
}

// finish adds the file of all certificates, and the shell.
func (u *unpacker) finish() error {
	slices.SortFunc(u.certificates, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var all []byte
	for _, c := range u.certificates {
		all = append(append(all, bytes.TrimSpace(c.data)...), '\n')
	}
	files := []file{{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, data: all}}
	if !u.known["usr/bin/sh"] {
		files = append(files, file{name: "usr/bin/sh", link: "dash", mode: 0o777})
	}
	return u.add(slices.DeleteFunc(withParents(files), func(f file) bool { return u.known[strings.TrimSuffix(f.name, "/")] }))
}

// place returns the name of a file in the image: without the leading dot, and in usr if its folder is a link there.
func place(name string) string {
	name = path.Clean(strings.TrimPrefix(name, "./"))
	first, _, found := strings.Cut(name, "/")
	if found && slices.Contains(merged, first) {
		return "usr/" + name
	}
	return name
}

// left are folders whose files nobody reads in a container.
var left = []string{
	"usr/share/bash-completion", "usr/share/bug", "usr/share/doc-base", "usr/share/gitweb", "usr/share/info",
	"usr/share/lintian", "usr/share/locale", "usr/share/man", "usr/share/perl5", "var/lib/gitweb",
}

// kept reports whether a file of a package belongs in the image. Of the documentation, only licenses do.
func kept(name string) bool {
	if name == "." || name == "usr/bin/sh.distrib" {
		return false
	}
	for _, folder := range left {
		if name == folder || strings.HasPrefix(name, folder+"/") {
			return false
		}
	}
	documentation := strings.HasPrefix(name, "usr/share/doc/")
	return !documentation || path.Base(name) == "copyright" || strings.Count(name, "/") == 3
}
