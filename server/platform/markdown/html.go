package markdown

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// blocks renders the nodes that differ from the usual.
type blocks struct{}

// RegisterFuncs tells the renderer which nodes are ours.
func (b blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, b.code)
	r.Register(ast.KindCodeBlock, b.code)
	r.Register(ast.KindHTMLBlock, b.htmlBlock)
	r.Register(ast.KindRawHTML, b.rawHTML)
	r.Register(ast.KindLink, b.link)
	r.Register(ast.KindImage, b.image)
	r.Register(east.KindTaskCheckBox, b.box)
}

// labelBoxes gives the boxes of task lists labels.
func labelBoxes(doc ast.Node) {
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if box, ok := node.(*east.TaskCheckBox); ok && entering {
			label := "not done"
			if box.IsChecked {
				label = "done"
			}
			box.SetAttributeString("aria-label", label)
		}
		return ast.WalkContinue, nil
	})
}

// box renders the box of a task list.
func (blocks) box(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	box, _ := node.(*east.TaskCheckBox)
	if !entering {
		return ast.WalkContinue, nil
	}
	tag := "<input "
	if box.IsChecked {
		tag += `checked="" `
	}
	tag += `disabled="" type="checkbox"`
	if label, ok := box.AttributeString("aria-label"); ok {
		tag += fmt.Sprintf(` aria-label="%s"`, label)
	}
	_, err := w.WriteString(tag + "> ")
	return ast.WalkContinue, err
}

// codeHTML is the attribute of a block of code with its HTML.
var codeHTML = []byte("html")

// markCode gives blocks of code the HTML that a function returns for them.
func markCode(doc ast.Node, source []byte, render func(language, code string) template.HTML) {
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if fenced, ok := node.(*ast.FencedCodeBlock); ok && entering {
			if shown := render(string(fenced.Language(source)), string(joined(fenced.Lines(), source))); shown != "" {
				fenced.SetAttribute(codeHTML, shown)
			}
		}
		return ast.WalkContinue, nil
	})
}

// image renders a picture whose address was checked.
func (blocks) image(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	image, _ := node.(*ast.Image)
	address := util.EscapeHTML(util.URLEscape(image.Destination, false))
	words := template.HTMLEscapeString(plain(image, source))
	_, err := w.WriteString(`<img src="` + string(address) + `" alt="` + words + `" loading="lazy">`)
	return ast.WalkSkipChildren, err
}

// Quotes need no escape between tags, and examples in JSON have many.
var betweenTags = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\x00", "\ufffd")

// code renders a block of code. It can take the focus, so that the keyboard can scroll it.
func (blocks) code(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	class := ""
	if fenced, ok := node.(*ast.FencedCodeBlock); ok {
		if language := fenced.Language(source); len(language) > 0 {
			class = ` class="language-` + string(util.EscapeHTML(language)) + `"`
		}
	}
	shown := betweenTags.Replace(string(joined(node.Lines(), source)))
	if given, ok := node.Attribute(codeHTML); ok {
		if html, ok := given.(template.HTML); ok {
			shown = string(html)
		}
	}
	_, err := w.WriteString(`<pre tabindex="0"><code` + class + `>` + shown + "</code></pre>\n")
	return ast.WalkSkipChildren, err
}

// htmlBlock shows HTML as text. Comments are left out.
func (blocks) htmlBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	block, _ := node.(*ast.HTMLBlock)
	if !entering || block.HTMLBlockType == ast.HTMLBlockType2 {
		return ast.WalkContinue, nil
	}
	raw := joined(block.Lines(), source)
	if block.HasClosure() {
		raw = append(raw, block.ClosureLine.Value(source)...)
	}
	_, err := w.WriteString("<p>" + betweenTags.Replace(strings.TrimSpace(string(raw))) + "</p>\n")
	return ast.WalkContinue, err
}

// rawHTML shows HTML inside a line as text.
func (blocks) rawHTML(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	raw, _ := node.(*ast.RawHTML)
	value := joined(raw.Segments, source)
	if !entering || bytes.HasPrefix(value, []byte("<!--")) {
		return ast.WalkSkipChildren, nil
	}
	_, err := w.WriteString(betweenTags.Replace(string(value)))
	return ast.WalkSkipChildren, err
}

// link renders a link whose address was checked, and is not decoded again.
func (blocks) link(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	link, _ := node.(*ast.Link)
	if !entering {
		_, err := w.WriteString("</a>")
		return ast.WalkContinue, err
	}
	address := util.EscapeHTML(util.URLEscape(link.Destination, false))
	_, err := w.WriteString(`<a href="` + string(address) + `">`)
	return ast.WalkContinue, err
}

func joined(lines *text.Segments, source []byte) []byte {
	var all []byte
	for i := range lines.Len() {
		line := lines.At(i)
		all = append(all, line.Value(source)...)
	}
	return all
}
