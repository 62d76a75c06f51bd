// Package gen is compiled from openapi/; nobody edits it, but for this file, which embeds the document.
package gen

import _ "embed"

// SpecYAML is the published OpenAPI document.
//
//go:embed openapi.yaml
var SpecYAML []byte

// SpecJSON is the same document, compact.
//
//go:embed openapi.json
var SpecJSON []byte
