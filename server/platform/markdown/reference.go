package markdown

import (
	"html/template"
	"regexp"
	"strings"
)

const (
	// maxLinks is how many references of one text become links.
	maxLinks = 200
	// anchorPrefix keeps the anchors of an embedded text apart from those of the page.
	anchorPrefix = "user-content-"
)

var (
	referenceText = regexp.MustCompile(`(^|[^\w/&#.-])((?:[A-Za-z0-9_][\w.-]*(?:/[\w.-]+)+)?)([#!])(\d{1,12})\b`)
	mentionText   = regexp.MustCompile(`(^|[^\w/.@+-])@([A-Za-z0-9_][A-Za-z0-9_.-]{0,254})`)
	commitText    = regexp.MustCompile(`(^|[^\w/.-])([0-9a-f]{40})\b`)
	headingTag    = regexp.MustCompile(`^<h[1-6] id="`)
)

// Embed prepares a rendered text for a page of a project: references such as #12, !3, group/project#4 and @name become links, and
// the anchors of headings get a prefix. It looks nothing up: a link can lead to nothing. Without a project, only
// references with one and names become links.
func Embed(rendered template.HTML, project string) template.HTML {
	e := embedder{project: project}
	rest := string(rendered)
	for rest != "" {
		at := strings.IndexByte(rest, '<')
		if at < 0 {
			at = len(rest)
		}
		e.text(rest[:at])
		rest = rest[at:]
		end := strings.IndexByte(rest, '>')
		if end < 0 {
			e.out.WriteString(rest)
			break
		}
		e.tag(rest[:end+1])
		rest = rest[end+1:]
	}
	return template.HTML(e.out.String()) //nolint:gosec // only links with checked addresses were added to safe HTML
}

// embedder writes the HTML of an embedded text.
type embedder struct {
	project string
	out     strings.Builder
	inside  int // how many links and pieces of code are open
	links   int
}

// tag writes a tag. The renderer writes tags without spaces after "<" and escapes ">" in attributes.
func (e *embedder) tag(tag string) {
	switch name := tagName(tag); name {
	case "a", "code", "pre":
		e.inside++
		if anchor, ok := strings.CutPrefix(tag, `<a href="#`); ok {
			tag = `<a href="#` + anchorPrefix + anchor
		}
	case "/a", "/code", "/pre":
		e.inside--
	default:
		if at := headingTag.FindString(tag); at != "" {
			tag = at + anchorPrefix + tag[len(at):]
		}
	}
	e.out.WriteString(tag)
}

func tagName(tag string) string {
	name := strings.Trim(tag, "<>")
	if end := strings.IndexAny(name, " \n\t"); end >= 0 {
		name = name[:end]
	}
	return name
}

// text writes a text between tags, with its references as links.
func (e *embedder) text(text string) {
	if e.inside > 0 || !strings.ContainsAny(text, "#!@abcdef0123456789") {
		e.out.WriteString(text)
		return
	}
	text = e.replace(referenceText, text, func(m []string) (string, string, string) {
		project, kind := m[2], "issues"
		if project == "" {
			project = e.project
		}
		if m[3] == "!" {
			kind = "merge_requests"
		}
		if project == "" {
			return "", "", ""
		}
		return "/" + project + "/-/" + kind + "/" + m[4], m[2] + m[3] + m[4], ""
	})
	text = e.replace(mentionText, text, func(m []string) (string, string, string) {
		name := strings.TrimRight(m[2], ".-")
		return "/" + name, "@" + name, m[2][len(name):]
	})
	text = e.replace(commitText, text, func(m []string) (string, string, string) {
		if e.project == "" {
			return "", "", ""
		}
		return "/" + e.project + "/-/commit/" + m[2], m[2][:8], ""
	})
	e.out.WriteString(text)
}

// replace turns the matches of a pattern into links. The first group of the pattern is what stands before the reference; link
// returns its address, which is empty for none, its words, and what stands behind it.
func (e *embedder) replace(pattern *regexp.Regexp, text string, link func(m []string) (address, words, rest string)) string {
	return pattern.ReplaceAllStringFunc(text, func(match string) string {
		m := pattern.FindStringSubmatch(match)
		address, words, rest := link(m)
		if address == "" || e.links >= maxLinks {
			return match
		}
		e.links++
		return m[1] + `<a href="` + template.HTMLEscapeString(address) + `">` + words + "</a>" + rest
	})
}
