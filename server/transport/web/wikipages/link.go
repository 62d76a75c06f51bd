package wikipages

import (
	"net/url"
	"path"
	"strings"

	"svc/server/platform/markdown"
	"svc/server/transport/web/page"
)

// options returns how the text of a page is rendered.
func (at place) options(slug string) markdown.Options {
	return markdown.Options{
		Below: 1,
		Link:  func(address string) string { return at.link(slug, address) },
		Image: func(address string) string { // only files of the wiki
			if to := at.link(slug, address); strings.HasPrefix(to, at.Base+"wiki/raw/") {
				return to
			}
			return ""
		},
	}
}

// link returns the address for a link on a page. Links without a host lead to other pages and files of the wiki: from the
// folder of the page, or with a slash from the first folder.
func (at place) link(slug, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.IsAbs() || u.Host != "" || u.Path == "" || strings.Contains(u.Path, "/-/") {
		return address
	}
	target := strings.TrimPrefix(u.Path, "/")
	inUploads := strings.HasPrefix(target, "uploads/")
	if !strings.HasPrefix(u.Path, "/") && !inUploads {
		target = path.Join(path.Dir(slug), u.Path)
	}
	if target = strings.TrimPrefix(path.Clean("/"+target), "/"); target == "" {
		return at.List()
	}
	to := at.To(strings.TrimSuffix(target, ".md"))
	if ending := path.Ext(target); inUploads || ending != "" && ending != ".md" && !strings.Contains(ending, " ") {
		to = at.Base + "wiki/raw/" + page.EscapePath(target)
	}
	if u.Fragment != "" {
		to += "#" + u.EscapedFragment()
	}
	return to
}
