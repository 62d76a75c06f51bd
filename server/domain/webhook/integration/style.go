package integration

import (
	"html"
	"strings"
)

// maxMessage is how many bytes the details of a message have, so that every chat takes it.
const maxMessage = 3000

// style is how a chat writes texts and links. Texts come from callers: what they write must stay a text.
type style struct {
	escape  func(text string) string
	link    func(text, url string) string // both are escaped
	newLine string
}

// write returns a line.
func (s style) write(l line) string {
	var out strings.Builder
	for _, p := range l {
		if p.url == "" {
			out.WriteString(s.escape(p.text))
			continue
		}
		out.WriteString(s.link(s.escape(p.text), safeURL.Replace(p.url)))
	}
	return out.String()
}

// details returns the details of a message, as many as there is room for.
func (s style) details(m Message) string {
	var lines []string
	size := 0
	for _, l := range m.details {
		written := s.write(l)
		if size += len(written); size > maxMessage {
			lines = append(lines, "…")
			break
		}
		lines = append(lines, written)
	}
	return strings.Join(lines, s.newLine)
}

// whole returns the line and the details of a message.
func (s style) whole(m Message) string {
	if details := s.details(m); details != "" {
		return s.write(m.line) + s.newLine + details
	}
	return s.write(m.line)
}

// safeURL encodes the characters of a URL that could end it in one of the styles.
var safeURL = strings.NewReplacer(
	"<", "%3C", ">", "%3E", "(", "%28", ")", "%29", "|", "%7C", `"`, "%22", "'", "%27", " ", "%20", `\`, "%5C", "\n", "%0A", "\r", "%0D",
	"`", "%60", "*", "%2A",
)

// slackStyle is the format of Slack. Only these three characters have a meaning that could deceive.
var slackStyle = style{
	escape:  strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace,
	link:    func(text, url string) string { return "<" + strings.ReplaceAll(url, "&", "&amp;") + "|" + text + ">" },
	newLine: "\n",
}

// markdownStyle is Markdown, as far as Discord, Mattermost and Webex agree. An invisible character after @ keeps texts
// from calling people.
var markdownStyle = style{
	escape: strings.NewReplacer(
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "|", `\|`, "<", `\<`, ">", `\>`, "[", `\[`, "]", `\]`, "(", `\(`,
		")", `\)`, "#", `\#`, "!", `\!`, "&", `\&`, "@", "@\u200b",
	).Replace,
	link:    func(text, url string) string { return "[" + text + "](" + url + ")" },
	newLine: "\n",
}

// htmlStyle is HTML, for Telegram.
var htmlStyle = style{
	escape:  html.EscapeString,
	link:    func(text, url string) string { return `<a href="` + html.EscapeString(url) + `">` + text + `</a>` },
	newLine: "\n",
}

// pageStyle is HTML in which lines are broken by an element, for Matrix, Google Chat and mails.
var pageStyle = style{escape: htmlStyle.escape, link: htmlStyle.link, newLine: "<br>"}

// plainStyle is plain text with the URLs of links in parentheses.
var plainStyle = style{
	escape:  func(text string) string { return text },
	link:    func(text, url string) string { return text + " (" + url + ")" },
	newLine: "\n",
}

// bareStyle is plain text without URLs.
var bareStyle = style{
	escape:  func(text string) string { return text },
	link:    func(text, _ string) string { return text },
	newLine: "\n",
}
