package projectpages

import (
	"context"
	"errors"
	"html/template"
	"net/url"
	"path"
	"strings"

	"svc/server/domain/repository/browse"
	"svc/server/platform/highlight"
	"svc/server/platform/markdown"
	"svc/server/transport/web/page"
	"svc/store/git"
)

// maxMarkdown is the size up to which Markdown is rendered, in bytes. A page must stay small, so what is longer is shown
// as text.
const maxMarkdown = 64 << 10

// maxRendered is how many bytes of HTML a text may become.
const maxRendered = 90_000

// isMarkdown reports whether a file is Markdown by its name.
func isMarkdown(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdown", ".mkd":
		return true
	}
	return false
}

// addReadme adds the README of a folder, if one of its entries is one.
func (p *Pages) addReadme(v *page.Visit, at place, entries []entryView, view *homeView) error {
	found := readmeAmong(entries)
	if found == nil {
		return nil
	}
	ctx := v.Request().Context()
	_, data, err := at.repo.Object(ctx, found.ID, maxMarkdown)
	if errors.Is(err, git.ErrTooLarge) {
		view.ReadmeAt = found.Address
		return nil
	}
	if err != nil {
		return err
	}
	text, _, ok := browse.Text(data)
	if !ok {
		return nil
	}
	view.ReadmeAt = found.Address
	view.Readme, err = p.render(ctx, at, found.ID, found.Path, text)
	return err
}

// readmeAmong returns the README among entries: Markdown first.
func readmeAmong(entries []entryView) *entryView {
	var found *entryView
	for i, e := range entries {
		name := strings.ToLower(e.Name)
		if e.Kind() != git.KindBlob || isLink(e.Entry) || e.Odd || strings.TrimSuffix(name, path.Ext(name)) != "readme" {
			continue
		}
		if isMarkdown(name) {
			return &entries[i]
		}
		if ext := path.Ext(name); found == nil && (ext == "" || ext == ".txt") {
			found = &entries[i]
		}
	}
	return found
}

// render returns a text file as HTML: Markdown with links into the repository, and any other text as it is. It returns
// nothing if the HTML would be too long for a page.
func (p *Pages) render(ctx context.Context, at place, id, file, text string) (template.HTML, error) {
	if !isMarkdown(file) {
		shown := template.HTML("<pre tabindex=\"0\">" + template.HTMLEscapeString(text) + "</pre>") //nolint:gosec // escaped
		if len(shown) > maxRendered {
			shown = ""
		}
		return shown, nil
	}
	key := strings.Join([]string{at.Root, at.Ref, file, id}, "\x00")
	if html, ok := p.readmes.Get(key); ok {
		return html, nil
	}
	r := relative{at: at, folder: path.Dir("/" + file)}
	shown, err := markdown.Render([]byte(text), markdown.Options{
		Link: r.link, Image: r.image, Below: 1, Code: func(language, code string) template.HTML { return highlighted(ctx, language, code) },
	})
	if err != nil {
		return "", err
	}
	if len(shown.HTML) > maxRendered {
		shown.HTML = ""
	}
	p.readmes.Set(key, shown.HTML)
	return shown.HTML, nil
}

// highlighted returns a block of code in a known language as HTML.
func highlighted(ctx context.Context, language, code string) template.HTML {
	if language == "" {
		return ""
	}
	var all strings.Builder
	for _, line := range highlight.Lines(ctx, language, code) {
		all.WriteString(string(line) + "\n")
	}
	return template.HTML(all.String()) //nolint:gosec // the lines are escaped
}

// relative turns relative addresses in a text into addresses of files in the repository.
type relative struct {
	at     place
	folder string // of the text, from the root, with a slash at the beginning
}

// link returns the address of a link.
func (r relative) link(address string) string {
	file, rest, ok := r.file(address)
	if !ok {
		return address
	}
	return r.at.Of("blob", file) + rest
}

// image returns the address of a picture in the repository, and nothing for others: a page loads nothing from elsewhere.
func (r relative) image(address string) string {
	file, _, ok := r.file(address)
	if !ok || file == "" {
		return ""
	}
	return r.at.Of("raw", file)
}

// file returns the path of a file that a relative address leads to, and the rest of the address.
func (r relative) file(address string) (file, rest string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return "", "", false
	}
	to := u.Path
	if !strings.HasPrefix(to, "/") {
		to = r.folder + "/" + to
	}
	if u.RawFragment != "" || u.Fragment != "" {
		rest = "#" + u.EscapedFragment()
	}
	return strings.TrimPrefix(path.Clean(to), "/"), rest, true
}
