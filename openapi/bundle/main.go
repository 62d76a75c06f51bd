// Command bundle joins the hand-written parts of the contract into one OpenAPI document.
//
// It writes four files: the published document as YAML and as JSON, the view of it that requests are validated by, and
// the view that the Go code is generated from.
// Published means: what follows from an operation's shape (form bodies, common errors, kinds of credential) is
// spelled out, so that a reader with no code finds everything in the document.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"go.yaml.in/yaml/v3"
)

func main() {
	root := flag.String("root", "openapi/openapi.yaml", "the document's root")
	out := flag.String("out", "gen", "folder for openapi.yaml, openapi.json and requests.json")
	view := flag.String("view", "bin/codegen.yaml", "file for the view that code is generated from")
	flag.Parse()
	if err := run(*root, *out, *view); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func run(root, out, view string) error {
	j := &joiner{root: root, files: map[string]*yaml.Node{}, seen: map[string]string{}}
	doc, err := j.join()
	if err != nil {
		return err
	}
	if err := j.complete(doc); err != nil {
		return err
	}
	published, err := encode(publish(doc))
	if err != nil {
		return err
	}
	if err := check(published); err != nil {
		return err
	}
	asJSON, err := toJSON(published)
	if err != nil {
		return err
	}
	asked, err := requests(asJSON)
	if err != nil {
		return err
	}
	codegen(doc)
	generated, err := encode(doc)
	if err != nil {
		return err
	}
	for path, data := range map[string][]byte{
		filepath.Join(out, "openapi.yaml"):  published,
		filepath.Join(out, "openapi.json"):  asJSON,
		filepath.Join(out, "requests.json"): asked,
		view:                                generated,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// publish is the document without what is only about our own code: a client that is generated from it must not need our types.
func publish(doc *yaml.Node) *yaml.Node {
	public := clone(doc)
	dropOurs(public)
	return public
}

func dropOurs(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		drop(n, func(key string, _ *yaml.Node) bool { return !strings.HasPrefix(key, "x-go-") })
	}
	for _, child := range n.Content {
		dropOurs(child)
	}
}

func encode(doc *yaml.Node) ([]byte, error) {
	var buf bytes.Buffer
	enc := yaml.NewEncoder(&buf)
	enc.SetIndent(2)
	if err := enc.Encode(doc); err != nil {
		return nil, err
	}
	return buf.Bytes(), enc.Close()
}

// toJSON keeps the document small.
func toJSON(doc []byte) ([]byte, error) {
	var v map[string]any
	if err := yaml.Unmarshal(doc, &v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// check refuses a document that a validator of OpenAPI 3.0 refuses.
func check(doc []byte) error {
	loader := openapi3.NewLoader()
	t, err := loader.LoadFromData(doc)
	if err != nil {
		return err
	}
	return t.Validate(loader.Context, openapi3.EnableExamplesValidation())
}
