package main

import (
	"crypto/md5" //nolint:gosec // dpkg compares installed files with it, to find damage
	"embed"
	"fmt"
	"os"
	"strings"
)

// debianFiles has the systemd unit, the user, the settings and the scripts of the Debian package.
//
//go:embed debian
var debianFiles embed.FS

// debianFile returns one of them.
func debianFile(name string) []byte {
	data, err := debianFiles.ReadFile("debian/" + name)
	if err != nil {
		panic(err) // it is a part of this program
	}
	return data
}

// deb returns the Debian package for a platform.
func (d distribution) deb(b built) ([]byte, error) {
	installed, err := d.debFiles(b)
	if err != nil {
		return nil, err
	}
	data, err := tarGz("./", append([]file{{name: "", mode: 0o755}}, withParents(installed)...), d.time)
	if err != nil {
		return nil, err
	}
	control, err := tarGz("./", d.debControl(b.processor, installed), d.time)
	if err != nil {
		return nil, err
	}
	return arArchive([]member{{"debian-binary", []byte("2.0\n")}, {"control.tar.gz", control}, {"data.tar.gz", data}}, d.time), nil
}

// debFiles returns the files that the package installs.
func (d distribution) debFiles(b built) ([]file, error) {
	manual, err := gzipped(b.docs.manual)
	if err != nil {
		return nil, err
	}
	changes, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return nil, err
	}
	if changes, err = gzipped(changes); err != nil {
		return nil, err
	}
	return []file{
		{name: "etc/svc/svc.env", mode: 0o640, data: debianFile("svc.env")},
		{name: "usr/bin/svc", mode: 0o755, data: b.data},
		{name: "usr/lib/systemd/system/svc.service", mode: 0o644, data: debianFile("svc.service")},
		{name: "usr/lib/sysusers.d/svc.conf", mode: 0o644, data: debianFile("sysusers.conf")},
		{name: "usr/share/bash-completion/completions/svc", mode: 0o644, data: b.docs.bash},
		{name: "usr/share/doc/svc/changelog.gz", mode: 0o644, data: changes},
		{name: "usr/share/doc/svc/copyright", mode: 0o644, data: debianFile("copyright")},
		{name: "usr/share/fish/vendor_completions.d/svc.fish", mode: 0o644, data: b.docs.fish},
		{name: "usr/share/man/man1/svc.1.gz", mode: 0o644, data: manual},
		{name: "usr/share/zsh/vendor-completions/_svc", mode: 0o644, data: b.docs.zsh},
	}, nil
}

// debControl returns the files that describe the package to dpkg.
func (d distribution) debControl(processor string, installed []file) []file {
	size, sums := 0, ""
	for _, f := range installed {
		size += len(f.data)
		if !strings.HasPrefix(f.name, "etc/") {
			sums += fmt.Sprintf("%x  %s\n", md5.Sum(f.data), f.name) //nolint:gosec // see above
		}
	}
	control := strings.NewReplacer(
		"VERSION", d.debVersion(), "PROCESSOR", processor, "SIZE", fmt.Sprint((size+1023)/1024),
	).Replace(string(debianFile("control")))
	return []file{
		{name: "", mode: 0o755},
		{name: "conffiles", mode: 0o644, data: []byte("/etc/svc/svc.env\n")},
		{name: "control", mode: 0o644, data: []byte(control)},
		{name: "md5sums", mode: 0o644, data: []byte(sums)},
		{name: "postinst", mode: 0o755, data: debianFile("postinst")},
		{name: "postrm", mode: 0o755, data: debianFile("postrm")},
		{name: "prerm", mode: 0o755, data: debianFile("prerm")},
	}
}
