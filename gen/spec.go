// Package gen is compiled from openapi/; nobody edits it, but for this file, which embeds the document.
package gen

import (
	"bytes"
	_ "embed"
	"sync"

	"go.yaml.in/yaml/v4"
)

// SpecJSON is the published OpenAPI document, compact.
//
//go:embed openapi.json
var SpecJSON []byte

// Requests is the view of the document that requests are validated by: no answers, no prose, no references.
//
//go:embed requests.json
var Requests []byte

// SpecYAML is the same document as YAML. It is made when it is first asked for: embedding it too would cost every
// program 1.4 MB.
var SpecYAML = sync.OnceValue(func() []byte {
	var doc yaml.Node
	if err := yaml.Unmarshal(SpecJSON, &doc); err != nil { // JSON is YAML
		panic(err)
	}
	unfold(&doc)
	var text bytes.Buffer
	dumper, err := yaml.NewDumper(&text, yaml.WithV3Defaults(), yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err == nil {
		err = dumper.Dump(&doc)
	}
	if err == nil {
		err = dumper.Close()
	}
	if err != nil {
		panic(err)
	}
	return text.Bytes()
})

// unfold lets the encoder write one member a line and quote only where it must.
func unfold(n *yaml.Node) {
	n.Style = 0
	for _, child := range n.Content {
		unfold(child)
	}
}
