package main

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"
)

// notValidated lists the keywords of a schema that readers of the document need, but that the code checks itself, because
// its errors have texts of their own. They are in the published document, and missing in the views for the server.
const notValidated = "x-not-validated"

// fileInMultipart marks a text member that may come as a file of a multipart body.
const fileInMultipart = "x-file-in-multipart"

// readersFormats are the formats that say more to readers than to the server: it reads all of them as texts.
var readersFormats = []string{"byte", "email", "hostname", "ipv4", "password", "uri", "uuid"}

// checkKeywords refuses an x-not-validated that does not name the keywords beside it.
func checkKeywords(doc *yaml.Node) error {
	var failed error
	eachPart(doc, func(part *yaml.Node) {
		names := get(part, notValidated)
		if names == nil || failed != nil {
			return
		}
		if names.Kind != yaml.SequenceNode || len(names.Content) == 0 {
			failed = fmt.Errorf("line %d: %s is not a list of keywords", names.Line, notValidated)
			return
		}
		for _, name := range names.Content {
			if get(part, name.Value) == nil {
				failed = fmt.Errorf("line %d: %s names %q, which is not beside it", names.Line, notValidated, name.Value)
			}
		}
	})
	return failed
}

// dropUnvalidated removes from the document what only readers need: defaults, which the code applies itself; the keywords
// of x-not-validated; and formats that the server does not distinguish from text.
func dropUnvalidated(doc *yaml.Node) {
	eachPart(doc, func(part *yaml.Node) {
		var unchecked []string
		if names := get(part, notValidated); names != nil {
			for _, name := range names.Content {
				unchecked = append(unchecked, name.Value)
			}
		}
		drop(part, func(key string, value *yaml.Node) bool {
			switch {
			case key == "default", key == notValidated, key == fileInMultipart:
				return false
			case key == "format" && slices.Contains(readersFormats, value.Value):
				return false
			}
			return !slices.Contains(unchecked, key)
		})
		unwrap(part)
	})
}

// dropDeprecated removes deprecated from the view that Go is generated from: the server must go on to use these members.
func dropDeprecated(doc *yaml.Node) {
	eachPart(doc, func(part *yaml.Node) {
		drop(part, func(key string, _ *yaml.Node) bool { return key != "deprecated" && key != deprecatedSince })
		unwrap(part)
	})
}

// unwrap replaces an allOf with a single reference, which stood beside a removed keyword, by the reference.
func unwrap(part *yaml.Node) {
	if all := get(part, "allOf"); all != nil && len(part.Content) == 2 && len(all.Content) == 1 {
		*part = *all.Content[0]
	}
}

// eachPart calls a function for every mapping of the document that is not an example and not a mapping from names to
// members, so that members may be called like keywords.
func eachPart(n *yaml.Node, f func(part *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		for _, child := range n.Content {
			eachPart(child, f)
		}
		return
	}
	f(n)
	for i := 0; i+1 < len(n.Content); i += 2 {
		child := n.Content[i+1]
		switch n.Content[i].Value {
		case "default", "enum", "example", "examples":
		case "properties":
			for k := 1; k < len(child.Content); k += 2 {
				eachPart(child.Content[k], f)
			}
		default:
			eachPart(child, f)
		}
	}
}
