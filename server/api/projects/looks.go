package projects

import (
	"encoding/json"
	"net/http"

	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/kept"
	"svc/store/model"
)

// keptLooks is the size of the cache in bytes.
const keptLooks = 16 << 20

// looks caches the JSON of projects in lists. An entry is written once per version of a project, which changes with
// everything that is shown, and per kind of reader. Most lists show the same projects again.
type looks struct {
	show  present.Presenter
	texts kept.Cache[[]byte]
}

func newLooks(show present.Presenter) *looks {
	return &looks{show: show, texts: kept.Bytes(keptLooks, func(key string, text []byte) int { return len(key) + len(text) })}
}

// lookKey returns the cache key of a project's JSON. It covers everything that the JSON depends on, except the project
// that it was forked from.
func lookKey(row model.ProjectRow, simple bool) string {
	form := int64(0)
	for i, is := range []bool{row.Admin, row.SignedIn, simple} {
		if is {
			form |= 1 << i
		}
	}
	return kept.Key(row.Project.ID, row.Project.Version, int64(row.Direct), int64(row.Inherited), form)
}

// of returns the JSON of a project in a list. The JSON of forks is not cached.
func (l *looks) of(row model.ProjectRow, simple bool) ([]byte, error) {
	key := lookKey(row, simple)
	lasting := row.Origin.ID == nil
	if lasting {
		if text, ok := l.texts.Get(key); ok {
			return text, nil
		}
	}
	show := l.show.Project
	if simple {
		show = l.show.ProjectSimple
	}
	text, err := json.Marshal(show(row))
	if err == nil && lasting {
		l.texts.Set(key, text)
	}
	return text, err
}

// listed is a page of projects.
type listed struct {
	looks   *looks
	rows    []model.ProjectRow
	simple  bool
	headers pagination.Headers
}

// VisitListProjectsResponse writes the page in parts. Joining them here would be wasted work: the middleware that adds
// ETags joins them.
func (l listed) VisitListProjectsResponse(w http.ResponseWriter) error {
	parts := append(make([][]byte, 0, 2*len(l.rows)+2), []byte("["))
	for i, row := range l.rows {
		text, err := l.looks.of(row, l.simple)
		if err != nil {
			return err
		}
		if i > 0 {
			parts = append(parts, []byte(","))
		}
		parts = append(parts, text)
	}
	l.headers.Set(w.Header())
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	for _, part := range append(parts, []byte("]\n")) {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
