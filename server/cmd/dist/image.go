package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The types of the files of an image, as the OCI image specification names them.
const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
)

// descriptor names a file of an image.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *imagePlatform    `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type imagePlatform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

// imageConfig says how a container starts.
type imageConfig struct {
	imagePlatform
	Created string         `json:"created"`
	Config  containerStart `json:"config"`
	RootFS  struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
	History []history `json:"history"`
}

type containerStart struct {
	User         string
	ExposedPorts map[string]struct{}
	Env          []string
	Entrypoint   []string
	Cmd          []string
	Volumes      map[string]struct{}
	WorkingDir   string
	Labels       map[string]string
	StopSignal   string
}

type history struct {
	Created   string `json:"created"`
	CreatedBy string `json:"created_by"`
}

type manifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Config        *descriptor       `json:"config,omitempty"`
	Layers        []descriptor      `json:"layers,omitempty"`
	Manifests     []descriptor      `json:"manifests,omitempty"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

// layout collects the files of an image.
type layout struct{ files map[string][]byte }

// add adds a file and returns its descriptor.
func (l *layout) add(b blob) descriptor {
	name := digest(b.data)
	l.files["blobs/"+strings.Replace(name, ":", "/", 1)] = b.data
	return descriptor{MediaType: b.mediaType, Digest: name, Size: len(b.data)}
}

// addJSON adds a file of JSON.
func (l *layout) addJSON(mediaType string, value any) (descriptor, error) {
	data, err := json.Marshal(value)
	return l.add(blob{mediaType, data}), err
}

// writeImage writes one archive with the images for all processors, and the list of what is in each.
func (d distribution) writeImage(ctx context.Context, builds []built, cache string) error {
	l := layout{files: map[string][]byte{}}
	index := manifest{SchemaVersion: 2, MediaType: indexType}
	for _, b := range builds {
		if b.system != "linux" {
			continue
		}
		base, packages, err := baseLayer(ctx, cache, b.processor)
		if err != nil {
			return err
		}
		image, err := d.addImage(&l, b, base)
		if err != nil {
			return err
		}
		index.Manifests = append(index.Manifests, image)
		list, err := d.packageList(b, packages)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("svc-%s-image-%s.cdx.json", d.version, b.processor)
		if err := os.WriteFile(filepath.Join(d.out, name), list, 0o644); err != nil {
			return err
		}
	}
	if len(index.Manifests) == 0 {
		return nil
	}
	archive, err := d.imageArchive(&l, index)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(d.out, fmt.Sprintf("svc-%s-image.tar", d.version)), archive, 0o644)
}

// imageArchive returns the archive of an image layout.
func (d distribution) imageArchive(l *layout, index manifest) ([]byte, error) {
	all, err := l.addJSON(indexType, index)
	if err != nil {
		return nil, err
	}
	all.Annotations = map[string]string{
		"org.opencontainers.image.ref.name": d.version, "io.containerd.image.name": "localhost/svc:" + d.version,
	}
	top, err := json.Marshal(manifest{SchemaVersion: 2, MediaType: indexType, Manifests: []descriptor{all}})
	if err != nil {
		return nil, err
	}
	l.files["index.json"] = top
	l.files["oci-layout"] = []byte(`{"imageLayoutVersion":"1.0.0"}`)
	var files []file
	for name, data := range l.files {
		files = append(files, file{name: name, mode: 0o644, data: data})
	}
	var b bytes.Buffer
	err = writeTar(&b, "", withParents(files), d.time)
	return b.Bytes(), err
}

// addImage adds the image for one processor: git and its libraries, and the program.
func (d distribution) addImage(l *layout, b built, base layer) (descriptor, error) {
	text, err := os.ReadFile("LICENSE")
	if err != nil {
		return descriptor{}, err
	}
	program, err := newLayer(func(w io.Writer) error {
		return writeTar(w, "", withParents([]file{
			{name: "usr/bin/svc", mode: 0o755, data: b.data},
			{name: "usr/share/doc/svc/copyright", mode: 0o644, data: text},
			{name: "var/lib/svc/", mode: 0o700, owner: userID},
		}), d.time)
	})
	if err != nil {
		return descriptor{}, err
	}
	config, err := l.addJSON(configType, d.imageConfig(b.platform, base, program))
	if err != nil {
		return descriptor{}, err
	}
	image, err := l.addJSON(manifestType, manifest{
		SchemaVersion: 2, MediaType: manifestType, Config: &config,
		Layers: []descriptor{l.add(base.blob), l.add(program.blob)}, Annotations: d.labels(),
	})
	image.Platform = &imagePlatform{b.processor, b.system}
	return image, err
}

// imageConfig returns how a container starts: as a user without rights, with all data in one volume.
func (d distribution) imageConfig(p platform, base, program layer) imageConfig {
	created := d.time.Format(time.RFC3339)
	c := imageConfig{
		imagePlatform: imagePlatform{p.processor, p.system}, Created: created,
		Config: containerStart{
			User:         fmt.Sprintf("%d:%d", userID, userID),
			ExposedPorts: map[string]struct{}{"8080/tcp": {}, "2222/tcp": {}},
			Env: []string{
				"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/var/lib/svc", "SVC_DATA=/var/lib/svc", "SVC_LISTEN=0.0.0.0:8080",
			},
			Entrypoint: []string{"/usr/bin/svc"}, Cmd: []string{"serve"},
			Volumes: map[string]struct{}{"/var/lib/svc": {}}, WorkingDir: "/var/lib/svc",
			Labels: d.labels(), StopSignal: "SIGTERM",
		},
		History: []history{{created, "git and its libraries, from Debian's packages"}, {created, "svc"}},
	}
	c.RootFS.Type, c.RootFS.DiffIDs = "layers", []string{base.plainDigest, program.plainDigest}
	return c
}

// labels describe the image.
func (d distribution) labels() map[string]string {
	return map[string]string{
		"org.opencontainers.image.created":     d.time.Format(time.RFC3339),
		"org.opencontainers.image.description": "A service for source-code projects and CI/CD",
		"org.opencontainers.image.licenses":    "Apache-2.0",
		"org.opencontainers.image.revision":    d.revision,
		"org.opencontainers.image.title":       "svc",
		"org.opencontainers.image.version":     d.version,
	}
}

// packageList returns the list of what is in an image: the modules of the program and Debian's packages.
func (d distribution) packageList(b built, packages []lockedPackage) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(b.data))
	if err != nil {
		return nil, err
	}
	components := modules(info)
	for _, p := range packages {
		purl := fmt.Sprintf("pkg:deb/debian/%s@%s?arch=%s", url.PathEscape(p.name), url.PathEscape(p.version), p.processor)
		components = append(components, component{
			Type: "library", Ref: purl, Name: p.name, Version: p.version, PURL: purl,
			Properties: []property{{"debian:package-sha256", p.sum}},
		})
	}
	return d.bom(b.platform, sha256.Sum256(b.data), components)
}
