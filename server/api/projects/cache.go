package projects

import (
	"encoding/json"
	"net/http"

	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/cache"
	"svc/store/model"
)

// cacheBytes is the size of the cache in bytes.
const cacheBytes = 16 << 20

// projectCache caches the JSON of projects in lists. An entry is written once per version of a project, which changes
// with everything that is shown, and per kind of reader. Most lists show the same projects again.
type projectCache struct {
	show  present.Presenter
	texts cache.Cache[[]byte]
}

func newProjectCache(show present.Presenter) *projectCache {
	return &projectCache{
		show:  show,
		texts: cache.WithMaxBytes(cacheBytes, func(key string, text []byte) int { return len(key) + len(text) }),
	}
}

// CacheSizes returns the sizes of the caches of this area, for metrics.
func (p *Projects) CacheSizes() []cache.Size {
	return []cache.Size{p.cache.texts.Size("project_answers")}
}

// cacheKey returns the cache key of a project's JSON. It covers everything that the JSON depends on, except the project
// that it was forked from.
func cacheKey(row model.ProjectRow, simple bool) string {
	form := int64(0)
	for i, is := range []bool{row.Admin, row.SignedIn, simple} {
		if is {
			form |= 1 << i
		}
	}
	return cache.Key(row.Project.ID, row.Project.Version, int64(row.Direct), int64(row.Inherited), form)
}

// of returns the JSON of a project in a list. The JSON of forks is not cached.
func (l *projectCache) of(row model.ProjectRow, simple bool) ([]byte, error) {
	key := cacheKey(row, simple)
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

// cachedList is a page of projects.
type cachedList struct {
	cache   *projectCache
	rows    []model.ProjectRow
	simple  bool
	headers pagination.Headers
}

// VisitListProjectsResponse writes the page in parts. Joining them here would be wasted work: the middleware that adds
// ETags joins them.
func (l cachedList) VisitListProjectsResponse(w http.ResponseWriter) error {
	parts := append(make([][]byte, 0, 2*len(l.rows)+2), []byte("["))
	for i, row := range l.rows {
		text, err := l.cache.of(row, l.simple)
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
