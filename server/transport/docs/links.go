package docs

import (
	"path"
	"strings"
)

// linksFrom returns the function that turns links of the Markdown in a folder into links to our pages. Links to files
// that are not part of the documentation lose their address.
func (c *content) linksFrom(folder string) func(string) string {
	return func(address string) string {
		target, anchor, _ := strings.Cut(address, "#")
		if target == "" || strings.Contains(target, ":") || strings.HasPrefix(target, "/") {
			return address
		}
		to := c.page(path.Join(folder, target))
		if to != "" && anchor != "" {
			to += "#" + anchor
		}
		return to
	}
}

// page returns the URL of a file in the folder docs; an empty text if it has none.
func (c *content) page(file string) string {
	name := strings.TrimSuffix(file, ".md")
	switch name {
	case "../README", ".":
		return Root
	case "api", "api/README":
		return Root + "/api"
	}
	if _, ok := c.guides[name]; ok {
		return Root + "/" + name
	}
	if inAPI, ok := strings.CutPrefix(name, "api/"); ok {
		if _, ok := c.pages[inAPI]; ok {
			return Root + "/" + name
		}
	}
	return ""
}

// redirect returns where the address of a file, of an operation, or one with a slash at the end leads.
func (c *content) redirect(path string) (string, bool) {
	if id, ok := strings.CutPrefix(path, "/operations/"); ok {
		op, found := c.operations[strings.ToLower(id)]
		return Root + "/api/" + op.Page + "#" + op.Anchor, found
	}
	trimmed := strings.TrimSuffix(path, "/")
	if trimmed != path || strings.HasSuffix(trimmed, ".md") || trimmed == "/api/README" {
		if trimmed == "" {
			return Root, true
		}
		to := c.page(strings.TrimPrefix(trimmed, "/"))
		return to, to != ""
	}
	return "", false
}
