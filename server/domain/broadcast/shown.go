package broadcast

import (
	"slices"
	"strings"
	"time"

	"svc/store/model"
)

// Page is what decides which messages a page shows.
type Page struct {
	Path string
	Role model.Access // of the visitor in the project or group of the page; 0 if there is none
	Now  time.Time
}

// Shown returns the messages that a page shows, of those given.
func (p Page) Shown(all []model.BroadcastMessage) (shown []model.BroadcastMessage) {
	for _, m := range all {
		if m.ActiveAt(p.Now) && p.fitsRole(m.Levels()) && (m.TargetPath == nil || matches(*m.TargetPath, p.Path)) {
			shown = append(shown, m)
		}
	}
	return shown
}

// fitsRole reports whether a message for people with some roles is for the visitor.
func (p Page) fitsRole(levels []model.Access) bool {
	return len(levels) == 0 || slices.Contains(levels, p.Role)
}

// matches reports whether a path fits a pattern in which * stands for any text. It takes time proportional to the product of
// the lengths at most.
func matches(pattern, path string) bool {
	if !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "*") {
		pattern = "/" + pattern
	}
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == path
	}
	rest, found := strings.CutPrefix(path, parts[0])
	if !found {
		return false
	}
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return strings.HasSuffix(rest, last)
}
