// Package markdown turns Markdown into HTML that is safe to show on a page, whoever wrote the text. It reads the
// Markdown of git hosts: tables, task lists and bare addresses, and the same anchors of headings.
//
//	markdown.go  rendering
//	simple.go    limits, because some short texts take long to render
//	heading.go   headings and their anchors
//	link.go      which addresses a text may link to
//	html.go      code blocks, links, and HTML in the text
//	reference.go references in a text that a page shows: issues, merge requests, users, commits
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
	// Trusted says that the text is a part of the program, so that no limits are needed.
	Trusted bool
	// Link returns the address for a link of the text; with an empty one, the words are shown without a link. Without
	// this function, links keep their addresses. It is only asked about addresses that are safe.
	Link func(address string) string
	// Image returns the address of a picture that the page may load; with an empty one, the picture becomes a link to it.
	// Without this function, all pictures become links.
	Image func(address string) string
	// Below is the level of the heading that the text is below, on a page: its first level becomes the next one, and the
	// boxes of task lists get labels for screen readers.
	Below int
	// Code returns a block of code in a language as HTML, or nothing if it does not know the language.
	Code func(language, code string) template.HTML
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

// Render returns a text as HTML. HTML in the text is shown as text, pictures that Image does not allow become links to
// them, and links to anything but web and mail addresses lose their address. A text that would take too long is shown as
// it is, without formatting.
func Render(source []byte, o Options) (Page, error) {
	if !o.Trusted && !simple(source) {
		shown := `<pre tabindex="0">` + betweenTags.Replace(string(source)) + "</pre>\n"
		return Page{HTML: template.HTML(shown)}, nil //nolint:gosec // the text is escaped
	}
	doc := engine.Parser().Parse(text.NewReader(source))
	page := Page{Headings: nameHeadings(doc, source, o.Below)}
	checkLinks(doc, source, o)
	if o.Below > 0 {
		labelBoxes(doc)
	}
	if o.Code != nil {
		markCode(doc, source, o.Code)
	}
	var out bytes.Buffer
	if err := engine.Renderer().Render(&out, source, doc); err != nil {
		return Page{}, fmt.Errorf("render Markdown: %w", err)
	}
	page.HTML = template.HTML(out.String()) //nolint:gosec // the renderer escapes all text
	return page, nil
}
