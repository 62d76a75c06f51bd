package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"
)

// joiner follows references between files and collects their targets under components.
type joiner struct {
	root       string
	files      map[string]*yaml.Node // absolute path → top-level mapping
	components *yaml.Node
	seen       map[string]string // kind/name → file it came from
}

// join returns the document with every path in place and every other part under components, with the same names.
func (j *joiner) join() (*yaml.Node, error) {
	root := j.root
	doc, err := j.load(root)
	if err != nil {
		return nil, err
	}
	j.components = get(doc, "components")
	if j.components == nil {
		return nil, fmt.Errorf("%s has no components", root)
	}
	paths := get(doc, "paths")
	for i := 0; i+1 < len(paths.Content); i += 2 {
		ref := get(paths.Content[i+1], "$ref")
		if ref == nil {
			return nil, fmt.Errorf("%s:%d: a path is one $ref to paths/<area>.yaml", root, paths.Content[i].Line)
		}
		item, file, err := j.resolve(root, ref.Value)
		if err != nil {
			return nil, err
		}
		item = clone(item)
		if err := j.rewrite(item, file); err != nil {
			return nil, err
		}
		paths.Content[i+1] = item
	}
	return doc, nil
}

func (j *joiner) load(path string) (*yaml.Node, error) {
	if n, ok := j.files[path]; ok {
		return n, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var n yaml.Node
	if err := yaml.Unmarshal(data, &n); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if n.Kind != yaml.DocumentNode || n.Content[0].Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%s is not a mapping", path)
	}
	if err := noDuplicates(n.Content[0], path); err != nil {
		return nil, err
	}
	j.files[path] = n.Content[0]
	return n.Content[0], nil
}

func (j *joiner) resolve(from, ref string) (*yaml.Node, string, error) {
	file, key, ok := strings.Cut(ref, "#/")
	if !ok || strings.Contains(key, "/") {
		return nil, "", fmt.Errorf("%s: reference %q is not of the form file.yaml#/Key", from, ref)
	}
	path := from
	if file != "" {
		path = filepath.Join(filepath.Dir(from), file)
	}
	top, err := j.load(path)
	if err != nil {
		return nil, "", fmt.Errorf("%s: reference %q: %w", from, ref, err)
	}
	n := get(top, key)
	if n == nil {
		return nil, "", fmt.Errorf("%s: reference %q: no such key", from, ref)
	}
	return n, path, nil
}

// rewrite points every reference below n to components, and puts its target there.
func (j *joiner) rewrite(n *yaml.Node, file string) error {
	if n.Kind == yaml.MappingNode {
		if ref := get(n, "$ref"); ref != nil {
			target, err := j.component(file, ref.Value)
			if err != nil {
				return err
			}
			ref.Value = target
			return nil
		}
	}
	for _, c := range n.Content {
		if err := j.rewrite(c, file); err != nil {
			return err
		}
	}
	return nil
}

func (j *joiner) component(from, ref string) (string, error) {
	n, file, err := j.resolve(from, ref)
	if err != nil {
		return "", err
	}
	_, name, _ := strings.Cut(ref, "#/")
	kind := strings.TrimSuffix(filepath.Base(file), ".yaml")
	if folder := filepath.Base(filepath.Dir(file)); folder == "schemas" || folder == "parameters" {
		kind = folder
	}
	target := "#/components/" + kind + "/" + name
	if other, ok := j.seen[kind+"/"+name]; ok {
		if other != file {
			return "", fmt.Errorf("%s %s is in %s and in %s", kind, name, other, file)
		}
		return target, nil
	}
	j.seen[kind+"/"+name] = file
	part := get(j.components, kind)
	if part == nil {
		part = &yaml.Node{Kind: yaml.MappingNode}
		set(j.components, kind, part)
	}
	n = clone(n)
	set(part, name, n)
	return target, j.rewrite(n, file)
}
