// Package view derives other forms of the published OpenAPI document: with the address of an instance, for generators
// of clients, and as OpenAPI 3.1.
//
//	view.go      the views
//	examples.go  examples of the calls
//	lean.go      the view for generators
//	forms.go     objects with several forms, for generators
//	null.go      what refers to another schema and may be null
//	v31.go       OpenAPI 3.1
//	walk.go      visits all schemas
package view

import (
	"bytes"

	"svc/openapi/ordered"

	"go.yaml.in/yaml/v4"
)

// Instance returns the document with examples, and with the absolute URL of an instance in place of the path /api/v4.
func Instance(doc []byte, baseURL string) ([]byte, error) {
	return change(doc, func(root *ordered.Object) error {
		setServers(root, baseURL)
		strictNull(root)
		return addExamples(root)
	})
}

// Lean returns the view for generators of clients: JSON bodies only, one default error, no extensions.
func Lean(doc []byte, baseURL string) ([]byte, error) {
	return change(doc, func(root *ordered.Object) error {
		setServers(root, baseURL)
		lean(root)
		return nil
	})
}

// V31 returns the document as OpenAPI 3.1.
func V31(doc []byte, baseURL string) ([]byte, error) {
	return change(doc, func(root *ordered.Object) error {
		setServers(root, baseURL)
		if err := addExamples(root); err != nil {
			return err
		}
		toV31(root)
		return nil
	})
}

func change(doc []byte, edit func(root *ordered.Object) error) ([]byte, error) {
	root, err := ordered.ParseObject(doc)
	if err != nil {
		return nil, err
	}
	if err := edit(root); err != nil {
		return nil, err
	}
	return ordered.Marshal(root)
}

// setServers puts the URL of the instance before the paths of all servers.
func setServers(root *ordered.Object, baseURL string) {
	if baseURL == "" {
		return
	}
	absolute := func(o *ordered.Object) {
		for _, server := range o.List("servers") {
			if s, ok := server.(*ordered.Object); ok {
				path := s.Text("url")
				if path == "/" {
					path = ""
				}
				s.Set("url", baseURL+path)
			}
		}
	}
	absolute(root)
	paths := root.Object("paths")
	for _, path := range paths.Names {
		absolute(paths.Object(path))
	}
	setFlowURLs(root, baseURL)
}

// setFlowURLs makes the URLs of the OAuth flows absolute.
func setFlowURLs(root *ordered.Object, baseURL string) {
	flows := root.Object("components").Object("securitySchemes").Object("oauth").Object("flows")
	if flows == nil {
		return
	}
	for _, name := range flows.Names {
		flow := flows.Object(name)
		for _, member := range []string{"authorizationUrl", "tokenUrl", "refreshUrl"} {
			if path, ok := flow.Get(member).(string); ok {
				flow.Set(member, baseURL+path)
			}
		}
	}
}

// YAML returns a document in JSON as YAML.
func YAML(doc []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(doc, &root); err != nil { // JSON is YAML
		return nil, err
	}
	unfold(&root)
	var text bytes.Buffer
	dumper, err := yaml.NewDumper(&text, yaml.WithV3Defaults(), yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err == nil {
		err = dumper.Dump(&root)
	}
	if err == nil {
		err = dumper.Close()
	}
	return text.Bytes(), err
}

// unfold lets the encoder write one member a line and quote only where it must.
func unfold(n *yaml.Node) {
	n.Style = 0
	for _, child := range n.Content {
		unfold(child)
	}
}
