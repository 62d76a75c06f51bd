// Command bundle joins the hand-written parts of the contract into one OpenAPI document.
//
// It writes three files: the published document, a view of the document for validating requests, and the view that the
// Go code is generated from. In the published document everything that follows from the shape of an operation (form
// bodies, common errors, kinds of credentials) is written out, so that readers find everything without the code.
//
//	main.go      the command; writes and checks the files
//	join.go      joins the files
//	complete.go  adds what follows from the shape of an operation
//	tier.go      describes the tiers that an operation or a member needs
//	protocol.go  operations of other protocols, which are described but not generated
//	alternatives.go  parameters and members that take a number or a text, one value or a list
//	nullable.go  types beside nullable
//	keywords.go  keywords that are published, but not validated
//	files.go     bodies with files, for each form
//	deprecated.go  days and headers of what is deprecated
//	requests.go  the view for validating requests
//	codegen.go   the view for generating Go
//	node.go      helpers for YAML nodes
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
	"go.yaml.in/yaml/v4"
)

func main() {
	root := flag.String("root", "openapi/openapi.yaml", "the document's root")
	out := flag.String("out", "gen", "folder for openapi.json and requests.json")
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
	published, err := j.published(doc)
	if err != nil {
		return err
	}
	if err := check(published); err != nil {
		return err
	}
	dropUnvalidated(doc)
	validated, err := toJSON(publish(doc))
	if err != nil {
		return err
	}
	asked, err := requests(validated)
	if err != nil {
		return err
	}
	codegen(doc)
	generated, err := encode(doc)
	if err != nil {
		return err
	}
	for path, data := range map[string][]byte{
		filepath.Join(out, "openapi.json"):  published,
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

// published returns the document for readers, as JSON.
func (j *joiner) published(doc *yaml.Node) ([]byte, error) {
	if err := checkKeywords(doc); err != nil {
		return nil, err
	}
	if err := checkDeprecated(doc); err != nil {
		return nil, err
	}
	public := clone(doc)
	j.components = get(public, "components")
	splitFiles(public)
	if err := j.addDeprecationHeaders(public); err != nil {
		return nil, err
	}
	if headers := get(j.components, "headers"); headers != nil {
		sortMapping(headers)
	}
	return toJSON(publish(public))
}

// publish returns the document without the parts that are only about our own code: a client that is generated from it
// must not need our types.
func publish(doc *yaml.Node) *yaml.Node {
	public := clone(doc)
	dropInternal(public)
	typeNullables(get(public, "components"), public)
	return public
}

func dropInternal(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		drop(n, func(key string, _ *yaml.Node) bool {
			return !strings.HasPrefix(key, "x-go-") && key != notValidated && key != fileInMultipart
		})
	}
	for _, child := range n.Content {
		dropInternal(child)
	}
}

func encode(doc *yaml.Node) ([]byte, error) {
	var buf bytes.Buffer
	dumper, err := yaml.NewDumper(&buf, yaml.WithV3Defaults(), yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err != nil {
		return nil, err
	}
	if err := dumper.Dump(doc); err != nil {
		return nil, err
	}
	return buf.Bytes(), dumper.Close()
}

// toJSON returns the document as JSON without extra spaces, in the original order.
func toJSON(doc *yaml.Node) ([]byte, error) {
	var unique map[string]any
	if err := doc.Decode(&unique); err != nil { // a key that occurs twice
		return nil, err
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := writeJSON(&buf, enc, doc)
	// The encoder ends each value with a line break; line breaks within texts are escaped.
	return bytes.ReplaceAll(buf.Bytes(), []byte("\n"), nil), err
}

func writeJSON(buf *bytes.Buffer, enc *json.Encoder, n *yaml.Node) error {
	switch n.Kind {
	case yaml.DocumentNode:
		return writeJSON(buf, enc, n.Content[0])
	case yaml.AliasNode:
		return writeJSON(buf, enc, n.Alias)
	case yaml.ScalarNode:
		var v any = n.Value
		if n.ShortTag() != "!!str" && n.ShortTag() != "!!timestamp" {
			if err := n.Decode(&v); err != nil {
				return err
			}
		}
		return enc.Encode(v)
	}
	isMap := n.Kind == yaml.MappingNode
	brackets := "[]"
	if isMap {
		brackets = "{}"
	}
	buf.WriteByte(brackets[0])
	for i, child := range n.Content {
		if i > 0 {
			buf.WriteString(separator(isMap && i%2 == 1))
		}
		if isMap && i%2 == 0 {
			child = text(child.Value) // a key like 200 is a text, too
		}
		if err := writeJSON(buf, enc, child); err != nil {
			return err
		}
	}
	buf.WriteByte(brackets[1])
	return nil
}

func separator(afterKey bool) string {
	if afterKey {
		return ":"
	}
	return ","
}

// check refuses a document that is not valid OpenAPI 3.0.
func check(doc []byte) error {
	loader := openapi3.NewLoader()
	t, err := loader.LoadFromData(doc)
	if err != nil {
		return err
	}
	return t.Validate(loader.Context, openapi3.EnableExamplesValidation())
}
