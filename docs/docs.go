// Package docs has the guides, so that the program can show them. The folder api, which make generate writes for readers
// on a git host, is not part of it: the program renders the reference from the document itself.
package docs

import "embed"

// Guides has the guides in Markdown.
//
//go:embed *.md
var Guides embed.FS

// GoClient configures oapi-codegen for a small Go client.
//
//go:embed go-client.yaml
var GoClient []byte

// Group is a part of the list of guides.
type Group struct {
	Title  string
	Guides []string // file names without .md
}

// Groups lists the guides in the order in which a reader needs them. A guide that is not listed is shown after them.
var Groups = []Group{
	{"Begin", []string{"first-steps", "install", "compatibility", "moving", "graphql"}},
	{"Work with projects", []string{"pages", "git", "ci", "ci-keywords", "releases", "packages", "abilities", "events"}},
	{"Integrate", []string{"tokens", "oauth", "webhooks", "webhook-events", "integrations", "errors", "pagination", "limits", "sdks"}},
	{"Test clients", []string{"testing-clients", "test-data", "test-control", "conformance"}},
	{"Operate", []string{
		"settings", "observability", "metrics", "several-processes", "growth", "backup", "upgrade", "doctor",
	}},
}
