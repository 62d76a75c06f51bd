package label

import (
	"strconv"
	"strings"

	"svc/server/platform/apierr"
)

// colors are the color names that a label accepts.
var colors = map[string]string{
	"aqua": "#00ffff", "black": "#000000", "blue": "#0000ff", "brown": "#a52a2a", "cyan": "#00ffff",
	"fuchsia": "#ff00ff", "gold": "#ffd700",
	"gray": "#808080", "green": "#008000", "grey": "#808080", "lime": "#00ff00", "magenta": "#ff00ff",
	"maroon": "#800000", "navy": "#000080",
	"olive": "#808000", "orange": "#ffa500", "pink": "#ffc0cb", "purple": "#800080", "red": "#ff0000",
	"silver": "#c0c0c0", "teal": "#008080",
	"violet": "#ee82ee", "white": "#ffffff", "yellow": "#ffff00",
}

// ParseColor parses a color: a name, six hexadecimal digits, or three that count twice each.
func ParseColor(text string) (string, error) {
	text = strings.TrimSpace(text)
	if known, ok := colors[strings.ToLower(text)]; ok {
		return known, nil
	}
	digits, ok := strings.CutPrefix(text, "#")
	_, err := strconv.ParseUint(digits, 16, 32)
	if !ok || err != nil || len(digits) != 3 && len(digits) != 6 {
		return "", apierr.Invalid("color", "must be a valid color code")
	}
	if len(digits) == 3 {
		digits = digits[:1] + digits[:1] + digits[1:2] + digits[1:2] + digits[2:] + digits[2:]
	}
	return "#" + digits, nil
}
