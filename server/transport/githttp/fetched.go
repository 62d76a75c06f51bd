package githttp

import (
	"bytes"
	"io"
	"log/slog"

	"svc/server/domain/repository/fetch"
	"svc/store"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

// WithFetchCounts counts the clones and fetches of projects, and logs failures to count one.
func (h *Handler) WithFetchCounts(st *store.Store, logger *slog.Logger) *Handler {
	h.counts, h.logger = st, logger
	return h
}

// countFetch counts a fetch that has sent objects. The client has its answer already, so a failure is only logged.
func (h *Handler) countFetch(c echo.Context, p model.Project) {
	if h.counts == nil {
		return
	}
	if err := fetch.Count(c.Request().Context(), h.counts, p.ID); err != nil {
		h.logger.Error("cannot count a fetch", "project", p.ID, "error", err)
	}
}

// packStart is how the data of every pack begins: its name and version.
var packStart = []byte("PACK\x00\x00\x00\x02")

// packFinder passes data on and finds out whether a pack is in it. A client asks in several requests for what it needs;
// only the answer to the last one has a pack.
type packFinder struct {
	io.Writer
	found bool
	tail  []byte // the end of the data so far, in which a pack may begin
}

// Write passes data on.
func (f *packFinder) Write(p []byte) (int, error) {
	if !f.found {
		f.tail = append(f.tail, p...)
		if f.found = bytes.Contains(f.tail, packStart); f.found {
			f.tail = nil
		} else if extra := len(f.tail) - len(packStart) + 1; extra > 0 {
			f.tail = append(f.tail[:0], f.tail[extra:]...)
		}
	}
	return f.Writer.Write(p)
}
