package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"
	"time"
)

// bom is a list of what a file consists of, in the form of CycloneDX 1.5.
type bom struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     bomMetadata  `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type bomMetadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl,omitempty"`
	Hashes     []bomHash  `json:"hashes,omitempty"`
	Licenses   []license  `json:"licenses,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type bomHash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type license struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// moduleList returns the list of the modules in a program, as its build information has them.
func (r release) moduleList(b built) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(b.data))
	if err != nil {
		return nil, err
	}
	return r.bom(b.platform, sha256.Sum256(b.data), modules(info))
}

// bom returns the list of components of the program for a platform.
func (r release) bom(p platform, sum [sha256.Size]byte, components []component) ([]byte, error) {
	program := component{
		Type: "application", Ref: "svc", Name: "svc", Version: r.version, Hashes: []bomHash{{"SHA-256", fmt.Sprintf("%x", sum)}},
		Licenses:   make([]license, 1),
		Properties: []property{{"svc:platform", p.String()}, {"svc:revision", r.revision}},
	}
	program.Licenses[0].License.ID = "Apache-2.0"
	list := bom{
		Format: "CycloneDX", Spec: "1.5", Version: 1,
		Serial:     serial(sum),
		Metadata:   bomMetadata{Timestamp: r.time.Format(time.RFC3339), Component: program},
		Components: components,
	}
	uses := dependency{Ref: program.Ref, DependsOn: []string{}}
	for _, c := range components {
		uses.DependsOn = append(uses.DependsOn, c.Ref)
	}
	list.Dependencies = []dependency{uses}
	data, err := json.MarshalIndent(list, "", "  ")
	return append(data, '\n'), err
}

// serial returns a UUID that follows from a checksum, so that the same file always has the same list. It is of version 8,
// which is for such purposes.
func serial(sum [sha256.Size]byte) string {
	id := bytes.Clone(sum[:16])
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// modules returns the standard library and the modules of a program.
func modules(info *debug.BuildInfo) []component {
	list := []component{module("std", strings.TrimPrefix(info.GoVersion, "go"), "")}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		list = append(list, module(m.Path, m.Version, m.Sum))
	}
	return list
}

func module(name, version, sum string) component {
	purl := "pkg:golang/" + name + "@" + url.PathEscape(version)
	c := component{Type: "library", Ref: purl, Name: name, Version: version, PURL: purl}
	if sum != "" {
		c.Properties = []property{{"go:sum", sum}}
	}
	return c
}
