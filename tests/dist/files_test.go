//go:build dist

package dist

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"debug/macho"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// results returns the folder that make dist has written.
func results(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs(root + "/bin/dist")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder + "/SHA256SUMS"); err != nil {
		t.Fatalf("run make dist first: %v", err)
	}
	return folder
}

// find returns the only result with a name of a pattern.
func find(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(results(t), pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %v %v", pattern, found, err)
	}
	return found[0]
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// untar returns the files of an archive by name.
func untar(t *testing.T, from io.Reader) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	archive := tar.NewReader(from)
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
}

func gunzip(t *testing.T, data []byte) io.Reader {
	t.Helper()
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// program returns the program of the archive for a platform.
func program(t *testing.T, platform string) []byte {
	t.Helper()
	for name, data := range untar(t, gunzip(t, read(t, find(t, "svc-*-"+platform+".tar.gz")))) {
		if strings.HasSuffix(name, "/svc") {
			return data
		}
	}
	t.Fatalf("the archive for %s has no program", platform)
	return nil
}

func TestTheChecksumsAreThoseOfTheFiles(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "sha256sum", "--check", "--strict", "SHA256SUMS")
	cmd.Dir = results(t)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	entries, err := os.ReadDir(cmd.Dir)
	if err != nil || len(entries)-1 != strings.Count(string(out), ": OK") {
		t.Errorf("%d files, but:\n%s", len(entries), out)
	}
}

// A clone in another folder gives the same bytes. Changes that are not committed are in no clone: then this checkout is
// built again.
func TestASecondBuildGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	want := string(read(t, filepath.Join(results(t), "SHA256SUMS")))
	from, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	cache := filepath.Join(from, "bin", "debian")
	if !strings.Contains(want, ".changed") {
		clone := filepath.Join(t.TempDir(), "another-folder")
		if out, err := exec.CommandContext(t.Context(), "git", "clone", "--quiet", from, clone).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		from = clone
	}
	to := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "run", "./server/cmd/dist", "--out", to, "--cache", cache)
	cmd.Dir = from
	if !strings.Contains(want, "-image.tar") {
		cmd.Args = append(cmd.Args, "--image=false")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := string(read(t, filepath.Join(to, "SHA256SUMS"))); got != want {
		t.Errorf("the first build:\n%s\nthe second build:\n%s", want, got)
	}
}

func TestProgramsAreForTheirPlatformsAndNeedNoLibraries(t *testing.T) {
	t.Parallel()
	for processor, want := range map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64} {
		f, err := elf.NewFile(bytes.NewReader(program(t, "linux-"+processor)))
		if err != nil || f.Machine != want {
			t.Fatalf("linux %s: %v", processor, err)
		}
		if libraries, err := f.ImportedLibraries(); err != nil || len(libraries) > 0 {
			t.Errorf("linux %s needs %v %v", processor, libraries, err)
		}
	}
	for processor, want := range map[string]macho.Cpu{"amd64": macho.CpuAmd64, "arm64": macho.CpuArm64} {
		f, err := macho.NewFile(bytes.NewReader(program(t, "darwin-"+processor)))
		if err != nil || f.Cpu != want {
			t.Errorf("darwin %s: %v", processor, err)
		}
	}
}

func TestNothingOfTheMachineIsInThePrograms(t *testing.T) {
	t.Parallel()
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	data := program(t, "linux-amd64")
	for _, path := range []string{here + "/", home + "/go/"} {
		if bytes.Contains(data, []byte(path)) {
			t.Errorf("the program contains %q", path)
		}
	}
}

func TestTheListOfComponentsHasEveryModule(t *testing.T) {
	t.Parallel()
	data := program(t, "linux-amd64")
	info, err := buildinfo.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		BomFormat, SpecVersion string
		Metadata               struct {
			Component struct{ Hashes []struct{ Content string } }
		}
		Components []struct{ Name, Version, Purl string }
	}
	if err := json.Unmarshal(read(t, find(t, "svc-*-linux-amd64.cdx.json")), &list); err != nil {
		t.Fatal(err)
	}
	if list.BomFormat != "CycloneDX" || list.SpecVersion != "1.5" || len(list.Metadata.Component.Hashes) != 1 ||
		list.Metadata.Component.Hashes[0].Content != fmt.Sprintf("%x", sha256.Sum256(data)) {
		t.Errorf("%+v", list.Metadata)
	}
	versions := map[string]string{}
	for _, c := range list.Components {
		versions[c.Name] = c.Version
	}
	for _, m := range info.Deps {
		if m.Replace == nil && versions[m.Path] != m.Version {
			t.Errorf("%s is listed with version %q, not %q", m.Path, versions[m.Path], m.Version)
		}
	}
	if len(versions) < 50 || versions["std"] != strings.TrimPrefix(info.GoVersion, "go") {
		t.Errorf("%d components, Go %s", len(versions), versions["std"])
	}
}
