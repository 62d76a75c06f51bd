// Package markdown turns Markdown into HTML that is safe to show on a page, whoever wrote the text. It reads the
// Markdown of git hosts: tables, task lists and bare addresses, and the same anchors of headings.
//
//	markdown.go  rendering
//	heading.go   headings and their anchors
//	link.go      which addresses a text may link to
//	html.go      code blocks, links, and HTML in the text
package markdown

import (
	"bytes"
	"fmt"
	"html/template"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Options say how a text is rendered.
type Options struct {
	// Link returns the address for a link of the text; with an empty one, the words are shown without a link. Without
	// this function, links keep their addresses. It is only asked about addresses that are safe.
	Link func(address string) string
}

// Page is a rendered text.
type Page struct {
	HTML     template.HTML
	Headings []Heading
}

// engine reads and renders; it can be used by many requests at the same time. Tables align by attributes, because the
// pages allow no styles inside.
var engine = goldmark.New(
	goldmark.WithExtensions(
		extension.Linkify, extension.Strikethrough, extension.TaskList,
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
	),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(blocks{}, 1))),
)

// Render returns a text as HTML. HTML in the text is shown as text, pictures become links to them, and links to
// anything but web and mail addresses lose their address.
func Render(source []byte, o Options) (Page, error) {
	doc := engine.Parser().Parse(text.NewReader(source))
	page := Page{Headings: nameHeadings(doc, source)}
	checkLinks(doc, source, o.Link)
	var out bytes.Buffer
	if err := engine.Renderer().Render(&out, source, doc); err != nil {
		return Page{}, fmt.Errorf("render Markdown: %w", err)
	}
	page.HTML = template.HTML(out.String()) //nolint:gosec // the renderer escapes all text
	return page, nil
}
