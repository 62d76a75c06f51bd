package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// example is a distribution whose program is that of the test, which has build information.
func example(t *testing.T) (distribution, built) {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../..")
	d := distribution{
		release: release{version: "1.2.0-rc1", revision: "0123456789a", time: time.Unix(1_700_000_000, 0).UTC()},
		out:     t.TempDir(),
	}
	return d, built{
		platform: platform{"linux", "amd64"}, path: own, data: program,
		docs: documents{manual: []byte("manual"), bash: []byte("bash"), zsh: []byte("zsh"), fish: []byte("fish")},
	}
}

func TestTheSameProgramGivesTheSameFiles(t *testing.T) {
	d, b := example(t)
	sums := func() string {
		t.Helper()
		if err := d.write([]built{b}); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := firstError(os.RemoveAll(filepath.Join(d.out, sumsFile)), d.writeSums(&out)); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	first, second := sums(), sums()
	if first != second || strings.Count(first, "\n") != 3 || !strings.Contains(first, "svc_1.2.0~rc1_amd64.deb") {
		t.Errorf("%s\n%s", first, second)
	}
}

// firstError returns the first error.
func firstError(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestAnImageNamesAllItsFiles(t *testing.T) {
	d, b := example(t)
	base, err := newLayer(func(w io.Writer) error { return writeTar(w, "", systemFiles(nil), baseTime) })
	if err != nil {
		t.Fatal(err)
	}
	l := layout{files: map[string][]byte{}}
	image, err := d.addImage(&l, b, base)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := d.imageArchive(&l, manifest{SchemaVersion: 2, MediaType: indexType, Manifests: []descriptor{image}})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for archive := tar.NewReader(bytes.NewReader(packed)); ; {
		h, err := archive.Next()
		if err != nil {
			break
		}
		files[h.Name], _ = io.ReadAll(archive)
	}
	follow := func(from descriptor) (m manifest) {
		t.Helper()
		data := files["blobs/"+strings.Replace(from.Digest, ":", "/", 1)]
		if digest(data) != from.Digest || json.Unmarshal(data, &m) != nil {
			t.Fatalf("%+v leads to %d bytes", from, len(data))
		}
		return m
	}
	var top manifest
	if err := json.Unmarshal(files["index.json"], &top); err != nil {
		t.Fatal(err)
	}
	m := follow(follow(top.Manifests[0]).Manifests[0])
	for _, one := range append(slices.Clone(m.Layers), *m.Config) {
		if data := files["blobs/"+strings.Replace(one.Digest, ":", "/", 1)]; digest(data) != one.Digest || len(data) != one.Size {
			t.Errorf("%+v leads to %d bytes", one, len(data))
		}
	}
}

func TestNamesInTheImageAreThoseOfAnInstalledDebian(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"./bin/dash": "usr/bin/dash", "./lib/x86_64-linux-gnu/libc.so.6": "usr/lib/x86_64-linux-gnu/libc.so.6",
		"./usr/bin/git": "usr/bin/git", "./bin/": "bin", "./": ".", "./etc/os-release": "etc/os-release",
	} {
		if got := place(name); got != want {
			t.Errorf("%s is placed at %s, not %s", name, got, want)
		}
	}
	for name, want := range map[string]bool{
		"usr/bin/git": true, "usr/share/doc/git": true, "usr/share/doc/git/copyright": true, "usr/share/doc/git/README.md": false,
		"usr/share/man/man1/git.1.gz": false, "usr/share/manners": true, ".": false,
	} {
		if got := kept(name); got != want {
			t.Errorf("%s is kept: %v", name, got)
		}
	}
}

func TestDependenciesAreRead(t *testing.T) {
	t.Parallel()
	got := dependencies("libc6 (>= 2.34), perl:any, debconf (>= 0.5) | debconf-2.0,, libssl3 | libssl4, zlib1g:any")
	if want := []string{"libc6", "libssl3", "zlib1g"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestTheListOfPackagesIsRead(t *testing.T) {
	t.Parallel()
	text := "# a comment\namd64 git 1:2.39.5-0+deb12u3 abc\narm64 git 1:2.39.5-0+deb12u3 def\n"
	got, err := lockedPackages(text, "arm64")
	if err != nil || len(got) != 1 || got[0] != (lockedPackage{"arm64", "git", "1:2.39.5-0+deb12u3", "def"}) {
		t.Errorf("%+v %v", got, err)
	}
	for _, bad := range []string{"", "arm64 git\n", "amd64 git 1 abc\n"} {
		if got, err := lockedPackages(bad, "arm64"); err == nil {
			t.Errorf("%q gives %v", bad, got)
		}
	}
	for _, processor := range []string{"amd64", "arm64"} {
		packages, err := lockedPackages(lockText, processor)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range wanted {
			if !slices.ContainsFunc(packages, func(p lockedPackage) bool { return p.name == name }) {
				t.Errorf("%s is not listed for %s", name, processor)
			}
		}
	}
}

func TestPlatformsAreChecked(t *testing.T) {
	t.Parallel()
	if got, err := parsePlatforms("linux/arm64,darwin/amd64"); err != nil || len(got) != 2 || got[0] != (platform{"linux", "arm64"}) {
		t.Errorf("%v %v", got, err)
	}
	for _, bad := range []string{"", "linux", "windows/amd64", "linux/386", "linux/amd64,"} {
		if got, err := parsePlatforms(bad); err == nil {
			t.Errorf("%q gives %v", bad, got)
		}
	}
}

func TestTheGuideHasTheUnitOfThePackage(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(guide), "# /etc/systemd/system/svc.service\n")
	shown, _, _ := strings.Cut(text, "```")
	lines := strings.Split(shown, "\n")
	if !found {
		t.Fatal("the guide has no unit")
	}
	for line := range strings.SplitSeq(string(debianFile("svc.service")), "\n") {
		if strings.HasPrefix(line, "Description=") || strings.HasPrefix(line, "Documentation=") {
			continue
		}
		line = strings.NewReplacer("=/usr/bin/svc", "=/usr/local/bin/svc", "EnvironmentFile=-", "EnvironmentFile=").Replace(line)
		if !slices.Contains(lines, line) {
			t.Errorf("the unit in docs/install.md does not have the line %q", line)
		}
	}
}
