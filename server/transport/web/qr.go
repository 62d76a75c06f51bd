package web

import (
	"fmt"
	"html/template"
	"strings"

	"rsc.io/qr"
)

// quiet is the margin that scanners need around a code.
const quiet = 4

// qrCode returns a text as a QR code in SVG: one path with all runs of dark squares.
func qrCode(text string) (template.HTML, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", err
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	size := code.Size + 2*quiet
	svg := fmt.Sprintf(
		`<svg class="qr" viewBox="0 0 %d %d" role="img" aria-label="QR code for your authenticator app" shape-rendering="crispEdges">`+
			`<rect width="%d" height="%d" fill="#fff"/><path d="%s"/></svg>`, size, size, size, size, path.String(),
	)
	return template.HTML(svg), nil //nolint:gosec // numbers only: the text itself is not in it
}
