package issuablepages

import (
	"html/template"
	"strconv"
	"strings"

	"svc/server/platform/markdown"
)

const (
	textBytes = 45_000 // of HTML of all texts of a page
	longText  = 12_000 // bytes of a text that is shown in full
	shortText = 300    // bytes of a text when the page is full
)

// Texts renders the Markdown of a page of a project. Once the page is full, it shows only the beginning of texts.
type Texts struct {
	project string // path; empty for the page of a group
	uploads string // where the uploads of the project or group are; empty if the texts have none
	left    int
}

// NewTexts returns the texts of a page.
func NewTexts(project string) *Texts { return NewTextsOf(project, textBytes) }

// NewTextsOf returns the texts of a page that has less room for them, in bytes of HTML.
func NewTextsOf(project string, bytes int) *Texts {
	t := &Texts{project: project, left: bytes}
	if project != "" {
		t.uploads = "/" + project
	}
	return t
}

// NewGroupTexts returns the texts of a page of a group.
func NewGroupTexts(groupID int64) *Texts {
	return &Texts{uploads: "/-/group/" + strconv.FormatInt(groupID, 10), left: textBytes}
}

// Text is a text as HTML. Cut says that only its beginning is shown.
type Text struct {
	HTML template.HTML
	Cut  bool
}

// Render renders a text.
func (t *Texts) Render(source string) (Text, error) {
	most := longText
	if t.left <= 0 {
		most = shortText
	}
	begin := cutAt(source, most)
	shown := Text{Cut: begin != source}
	rendered, err := markdown.Render([]byte(begin), markdown.Options{Below: 2, Link: t.link, Image: t.image})
	if err != nil {
		return shown, err
	}
	shown.HTML = markdown.Embed(rendered.HTML, t.project)
	if len(shown.HTML) > max(t.left, shortText*2) { // a text whose HTML is much larger than itself
		plain := cutAt(source, shortText/3)
		shown.Cut = plain != source
		shown.HTML = template.HTML("<pre tabindex=\"0\">" + template.HTMLEscapeString(plain) + "</pre>") //nolint:gosec // escaped
	}
	t.left -= len(shown.HTML)
	return shown, nil
}

// link completes the addresses of uploads, which texts write without the project.
func (t *Texts) link(address string) string {
	if strings.HasPrefix(address, "/uploads/") {
		return t.uploads + address
	}
	return address
}

// image allows pictures that were uploaded to the project or group.
func (t *Texts) image(address string) string {
	if strings.HasPrefix(address, "/uploads/") && t.uploads != "" {
		return t.uploads + address
	}
	return ""
}

// cutAt shortens a text to at most a number of bytes, at the end of a line if there is one nearby.
func cutAt(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = strings.ToValidUTF8(text[:most], "")
	if end := strings.LastIndexByte(text, '\n'); end > most/2 {
		text = text[:end]
	}
	return text
}
