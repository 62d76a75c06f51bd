// Package markdown renders Markdown.
package markdown

import (
	"context"
	"html/template"
	"net/url"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/markdown"
	"svc/store/model"
)

// Markdown renders texts.
type Markdown struct {
	access *access.Access
	base   string // URL of the service
}

// New returns the operation that renders Markdown.
func New(a *access.Access, base string) *Markdown { return &Markdown{access: a, base: base} }

// CreateMarkdown renders a text.
// POST /markdown
func (m *Markdown) CreateMarkdown(ctx context.Context, req gen.CreateMarkdownRequestObject) (gen.CreateMarkdownResponseObject, error) {
	if _, err := access.Allow(ctx, access.RenderMarkdown); err != nil {
		return nil, err
	}
	var project model.Project
	if req.Body.Project != nil {
		row, err := m.access.Project(ctx, *req.Body.Project, access.ReadProject)
		if err != nil {
			return nil, err
		}
		project = row.Project
	}
	absolute := m.absolute(project)
	page, err := markdown.Render([]byte(req.Body.Text), markdown.Options{Link: absolute, Image: absolute})
	if err != nil {
		return nil, err
	}
	html := page.HTML
	if wire.Value(req.Body.Gfm) {
		html = markdown.Embed(html, project.FullPath)
	}
	return gen.CreateMarkdown201JSONResponse{HTML: m.withBase(html)}, nil
}

// absolute returns the function that makes links absolute: those that begin with a slash lead to the service, others to files on
// the default branch of the project.
func (m *Markdown) absolute(p model.Project) func(address string) string {
	return func(address string) string {
		u, err := url.Parse(address)
		if err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(address, "#") {
			return address
		}
		at := m.base + "/"
		if p.FullPath != "" {
			at += p.FullPath + "/-/blob/" + url.PathEscape(p.DefaultBranch) + "/"
		}
		root, err := url.Parse(at)
		if err != nil {
			return address
		}
		if strings.HasPrefix(address, "/") {
			return m.base + address
		}
		return root.ResolveReference(u).String()
	}
}

// withBase makes the links of references absolute: the renderer has made all others absolute before.
func (m *Markdown) withBase(html template.HTML) string {
	return strings.ReplaceAll(string(html), `<a href="/`, `<a href="`+template.HTMLEscapeString(m.base)+`/`)
}
