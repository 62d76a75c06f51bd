package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// checkLinks gives the links of a text their addresses, and removes those that may not be linked.
func checkLinks(doc ast.Node, source []byte, o Options) {
	var found []ast.Node                                                           // changed after the walk, which must not see changes
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		switch node.(type) {
		case *ast.Link, *ast.Image, *ast.AutoLink:
			if entering {
				found = append(found, node)
			}
		}
		return ast.WalkContinue, nil
	})
	address := func(raw []byte) []byte {
		to := string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(raw))))
		if !safe(to) {
			return nil
		}
		if o.Link != nil {
			to = o.Link(to)
		}
		return []byte(to)
	}
	for _, node := range found {
		switch node := node.(type) {
		case *ast.Link:
			if node.Destination = address(node.Destination); len(node.Destination) == 0 {
				replace(node, nil)
			}
		case *ast.Image: // a page loads nothing that its author names, unless the caller allows it
			if showImage(node, o.Image) {
				continue
			}
			link := ast.NewLink()
			if link.Destination = address(node.Destination); len(link.Destination) == 0 || insideLink(node) {
				link = nil
			}
			replace(node, link)
		case *ast.AutoLink:
			if node.AutoLinkType == ast.AutoLinkURL && !safe(string(node.URL(source))) {
				words := ast.NewString(node.Label(source))
				words.SetRaw(true)
				node.Parent().ReplaceChild(node.Parent(), node, words)
			}
		}
	}
}

// showImage gives a picture the address from which the page may load it, and reports whether there is one.
func showImage(node *ast.Image, allow func(string) string) bool {
	to := string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(node.Destination))))
	if allow == nil || !safe(to) {
		return false
	}
	if to = allow(to); to == "" {
		return false
	}
	node.Destination = []byte(to)
	return true
}

// replace puts a link, or nothing, around the words of a node instead of the node.
func replace(node ast.Node, link *ast.Link) {
	parent := node.Parent()
	for child := node.FirstChild(); child != nil; child = node.FirstChild() {
		if link != nil {
			link.AppendChild(link, child)
		} else {
			parent.InsertBefore(parent, node, child)
		}
	}
	if link != nil {
		parent.ReplaceChild(parent, node, link)
		return
	}
	parent.RemoveChild(parent, node)
}

func insideLink(node ast.Node) bool {
	for parent := node.Parent(); parent != nil; parent = parent.Parent() {
		if parent.Kind() == ast.KindLink {
			return true
		}
	}
	return false
}

// schemes are the kinds of absolute addresses that a text may link to.
var schemes = map[string]bool{"http": true, "https": true, "mailto": true, "ssh": true, "git": true}

// safe reports whether an address may be linked: a relative one, or one with a known scheme. Browsers ignore spaces and
// control characters in the scheme.
func safe(address string) bool {
	visible := strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f || r == 0xa0 {
			return -1
		}
		return r
	}, address)
	scheme, _, found := strings.Cut(visible, ":")
	if !found || strings.ContainsAny(scheme, "/?#") {
		return true
	}
	return schemes[strings.ToLower(scheme)]
}
