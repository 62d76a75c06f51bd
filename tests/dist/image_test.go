//go:build dist

package dist

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"svc/tests/process"
)

// archive has the files of the image by name.
type archive map[string][]byte

type descriptor struct {
	MediaType, Digest string
	Size              int
	Platform          struct{ Architecture, OS string }
}

// index is an index or a manifest.
type index struct {
	Manifests, Layers []descriptor
	Config            descriptor
}

type config struct {
	Architecture, OS string
	Config           struct {
		User, WorkingDir     string
		Env, Entrypoint, Cmd []string
		Volumes              map[string]struct{}
		Labels               map[string]string
	}
	RootFS struct {
		DiffIDs []string `json:"diff_ids"`
	}
}

// blob returns a file of the image after it has compared its digest and size.
func (a archive) blob(t *testing.T, d descriptor) []byte {
	t.Helper()
	data := a["blobs/"+strings.Replace(d.Digest, ":", "/", 1)]
	if fmt.Sprintf("sha256:%x", sha256.Sum256(data)) != d.Digest || len(data) != d.Size {
		t.Fatalf("%s has %d bytes, not %d, or another digest", d.Digest, len(data), d.Size)
	}
	return data
}

func decode[T any](t *testing.T, data []byte) (value T) {
	t.Helper()
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return value
}

// image returns the configuration and the layers of the image for a processor.
func image(t *testing.T, processor string) (config, [][]byte) {
	t.Helper()
	a := archive(untar(t, bytes.NewReader(read(t, find(t, "svc-*-image.tar")))))
	if decode[struct{ ImageLayoutVersion string }](t, a["oci-layout"]).ImageLayoutVersion != "1.0.0" {
		t.Fatalf("%s", a["oci-layout"])
	}
	top := decode[index](t, a["index.json"])
	if len(top.Manifests) != 1 {
		t.Fatalf("%s", a["index.json"])
	}
	for _, d := range decode[index](t, a.blob(t, top.Manifests[0])).Manifests {
		if d.Platform.Architecture != processor {
			continue
		}
		m := decode[index](t, a.blob(t, d))
		var layers [][]byte
		for _, l := range m.Layers {
			layers = append(layers, a.blob(t, l))
		}
		return decode[config](t, a.blob(t, m.Config)), layers
	}
	t.Fatalf("there is no image for %s", processor)
	return config{}, nil
}

func TestTheImagesAreComplete(t *testing.T) {
	t.Parallel()
	for _, processor := range []string{"amd64", "arm64"} {
		c, layers := image(t, processor)
		if c.Architecture != processor || c.OS != "linux" || len(layers) != len(c.RootFS.DiffIDs) {
			t.Errorf("%s: %+v", processor, c)
		}
		for i, l := range layers {
			plain, err := io.ReadAll(gunzip(t, l))
			if err != nil || fmt.Sprintf("sha256:%x", sha256.Sum256(plain)) != c.RootFS.DiffIDs[i] {
				t.Errorf("%s: layer %d has another digest before compression: %v", processor, i, err)
			}
		}
		user, _, _ := strings.Cut(c.Config.User, ":")
		if user == "" || user == "0" || user == "root" {
			t.Errorf("the image runs as %q", c.Config.User)
		}
		if _, ok := c.Config.Volumes["/var/lib/svc"]; !ok || len(c.Config.Volumes) != 1 {
			t.Errorf("the volumes are %v", c.Config.Volumes)
		}
		for _, label := range []string{"title", "version", "revision", "licenses", "created"} {
			if c.Config.Labels["org.opencontainers.image."+label] == "" {
				t.Errorf("there is no label %s", label)
			}
		}
	}
}

func TestTheImageStartsWithoutRights(t *testing.T) {
	t.Parallel()
	requireNamespaces(t)
	c, layers := image(t, runtime.GOARCH)
	folder := t.TempDir()
	for _, l := range layers {
		cmd := exec.CommandContext(t.Context(), "tar", "--extract", "--gzip", "--numeric-owner", "--same-owner", "--same-permissions",
			"--directory", folder)
		cmd.Stdin = bytes.NewReader(l)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for _, name := range []string{"dev", "proc"} { // a container runtime makes them
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	inside := func(args ...string) *exec.Cmd {
		const mount = `set -e
mount --rbind /dev "$0/dev"
mount -t proc proc "$0/proc"
user=$1
shift
exec chroot --userspec="$user" "$0" "$@"`
		cmd := exec.CommandContext(t.Context(), "unshare",
			append([]string{"--mount", "sh", "-c", mount, folder, c.Config.User}, args...)...)
		cmd.Env = c.Config.Env
		return cmd
	}
	cmd := inside(slices.Concat(c.Config.Entrypoint, c.Config.Cmd)...)
	const address = "127.0.0.1:18093"
	cmd.Env = append(slices.Clone(cmd.Env), "SVC_LISTEN="+address, "SVC_ROOT_TOKEN="+process.Token)
	s := process.StartCommand(t, cmd)
	checkService(t, s)
	check := inside("/usr/bin/svc", "healthcheck", "--listen", address)
	if out, err := check.CombinedOutput(); err != nil || !strings.Contains(string(out), `"status":"ok"`) {
		t.Errorf("the health check: %v %s", err, out)
	}
	// This needs the libraries for HTTP.
	if out, err := inside("/usr/bin/git", "ls-remote", s.URL+"/root/hello.git").CombinedOutput(); err != nil ||
		!strings.Contains(string(out), "refs/heads/main") {
		t.Errorf("git in the image: %v %s", err, out)
	}
	backup := inside("/usr/bin/svc", "backup", "-") // as the guide to upgrading says
	var saved bytes.Buffer
	backup.Stdout = &saved
	if err := backup.Run(); err != nil || saved.Len() < 1000 {
		t.Errorf("the backup: %v, %d bytes", err, saved.Len())
	}
	stop(t, s)
	again := inside("/usr/bin/svc", "healthcheck", "--listen", address)
	if out, err := again.CombinedOutput(); err == nil || !strings.Contains(string(out), "does not answer") {
		t.Errorf("the health check after the end: %v %s", err, out)
	}
}
