// Command dist makes what people install: programs for Linux and macOS, Debian packages, a container image, lists of what
// is inside and checksums. The same commit and the same version of Go give the same bytes.
//
//	go run ./server/cmd/dist --out bin/dist
//
//	main.go      the command and its steps
//	release.go   version, commit and time of a release
//	build.go     builds the program for a platform
//	files.go     files of archives, and archives with fixed times
//	archive.go   the archive for a platform
//	sbom.go      the list of modules and packages, in the form of CycloneDX
//	deb.go       the Debian package
//	ar.go        the format of a Debian package
//	image.go     the container image, in the form of OCI
//	layer.go     a layer of the image
//	base.go      the layer with git and its libraries, from Debian's packages
//	lock.go      the list of those packages, with their checksums
//	apt.go       finds and fetches packages
//	debian/      files of the Debian package
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// options are the flags of the command.
type options struct {
	out, cache, platforms string
	image, updateLock     bool
}

func main() {
	var o options
	flag.StringVar(&o.out, "out", "bin/dist", "folder for the results; what is in it is deleted")
	flag.StringVar(&o.cache, "cache", "bin/debian", "folder for fetched Debian packages")
	flag.StringVar(&o.platforms, "platforms", "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64", "systems and processors")
	flag.BoolVar(&o.image, "image", true, "make the container image, which needs apt-get and dpkg-deb")
	flag.BoolVar(&o.updateLock, "update-lock", false, "only write the list of Debian packages for the image anew")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "dist: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, out io.Writer) error {
	platforms, err := parsePlatforms(o.platforms)
	if err != nil {
		return err
	}
	if o.updateLock {
		return updateLock(ctx, o.cache, out)
	}
	r, err := readRelease(ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(o.out), os.MkdirAll(o.out, 0o755)); err != nil {
		return err
	}
	fmt.Fprintf(out, "svc %s, revision %s\n", r.version, r.revision)
	builds, err := r.buildAll(ctx, platforms, out)
	if err != nil {
		return err
	}
	d := distribution{release: r, out: o.out}
	if err := d.write(builds); err != nil {
		return err
	}
	if o.image {
		if err := d.writeImage(ctx, builds, o.cache); err != nil {
			return fmt.Errorf("make the image (--image=false leaves it out): %w", err)
		}
	}
	return d.writeSums(out)
}

// distribution is a folder with the results.
type distribution struct {
	release
	out string
}

// write writes the archive and the list of modules for each platform, and a Debian package for Linux.
func (d distribution) write(builds []built) error {
	for _, b := range builds {
		archive, err := d.archive(b)
		if err != nil {
			return err
		}
		modules, err := d.moduleList(b)
		if err != nil {
			return err
		}
		name := filepath.Join(d.out, d.name(b.platform))
		err = errors.Join(os.WriteFile(name+".tar.gz", archive, 0o644), os.WriteFile(name+".cdx.json", modules, 0o644))
		if err != nil {
			return err
		}
		if b.system != "linux" {
			continue
		}
		deb, err := d.deb(b)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(d.out, fmt.Sprintf("svc_%s_%s.deb", d.debVersion(), b.processor)), deb, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// sumsFile has the checksums of all other files, in the format of sha256sum.
const sumsFile = "SHA256SUMS"

func (d distribution) writeSums(out io.Writer) error {
	entries, err := os.ReadDir(d.out)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, entry := range entries { // sorted by name
		data, err := os.ReadFile(filepath.Join(d.out, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), entry.Name())
	}
	fmt.Fprint(out, b.String())
	return os.WriteFile(filepath.Join(d.out, sumsFile), []byte(b.String()), 0o644)
}

func parsePlatforms(text string) ([]platform, error) {
	var platforms []platform
	for name := range strings.SplitSeq(text, ",") {
		system, processor, ok := strings.Cut(name, "/")
		if !ok || !slices.Contains([]string{"linux", "darwin"}, system) || !slices.Contains([]string{"amd64", "arm64"}, processor) {
			return nil, fmt.Errorf("--platforms: %q is not one of linux and darwin, with /amd64 or /arm64", name)
		}
		platforms = append(platforms, platform{system, processor})
	}
	return platforms, nil
}
