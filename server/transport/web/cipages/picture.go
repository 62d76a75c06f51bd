package cipages

import (
	"fmt"
	"net/http"
	"strings"

	"svc/server/transport/web/page"
	"svc/store"
)

// picture shows the status or the coverage of the newest pipeline of a branch or tag as a small picture, for READMEs.
// GET /{project}/-/badges/{ref}/pipeline.svg
// GET /{project}/-/badges/{ref}/coverage.svg
func (p *Pages) picture(v *page.Visit) error {
	rest := v.Param("*")
	ref, file := rest[:max(strings.LastIndex(rest, "/"), 0)], rest[strings.LastIndex(rest, "/")+1:]
	if ref == "" || file != "pipeline.svg" && file != "coverage.svg" {
		return page.NotFound()
	}
	ctx := v.Request().Context()
	label, text, colour := strings.TrimSuffix(file, ".svg"), "unknown", "#767676"
	found, err := p.Store.Pipelines.Latest(ctx, v.Project.Project.ID, ref, "")
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	if err == nil {
		beside, err := p.Store.Pipelines.Details(ctx, found)
		if err != nil {
			return err
		}
		status := pipelineBadge(found.Status, beside.Warned)
		switch {
		case label == "pipeline":
			text, colour = status.Text, pictureColours[status.Status]
		case beside.Coverage != nil:
			text, colour = percent(beside.Coverage), pictureColours["success"]
		}
	}
	h := v.Response().Header()
	h.Set("Cache-Control", "no-cache, private")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	return v.Blob(http.StatusOK, "image/svg+xml", []byte(drawPicture(label, text, colour)))
}

// pictureColours are the colours of statuses that have one.
var pictureColours = map[string]string{
	"success": "#217645", "warned": "#8f4700", "failed": "#c91c00", "running": "#1f75cb", "pending": "#8f4700", "": "#767676",
}

const (
	letter    = 7 // pixels of a letter, about
	edge      = 6
	highPixel = 20
)

// drawPicture draws a label and a text beside each other. Both are words of this service.
func drawPicture(label, text, colour string) string {
	if colour == "" {
		colour = pictureColours[""]
	}
	left, right := letter*len(label)+2*edge, letter*len(text)+2*edge
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" role="img" aria-label="%s: %s">`+
		`<rect width="%d" height="20" fill="#444"/><rect x="%d" width="%d" height="20" fill="%s"/>`+
		`<g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle">`+
		`<text x="%d" y="14">%s</text><text x="%d" y="14">%s</text></g></svg>`,
		left+right, highPixel, label, text, left, left, right, colour, left/2, label, left+right/2, text)
}
