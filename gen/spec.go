// Package gen is compiled from openapi/; nobody edits it, but for this file, which embeds the document.
package gen

import (
	"bytes"
	_ "embed"
	"sync"

	"go.yaml.in/yaml/v3"
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
	enc := yaml.NewEncoder(&text)
	enc.SetIndent(2)
	if err := enc.Encode(&doc); err != nil {
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
