package harness

import (
	"path/filepath"
	"slices"
	"strings"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/logs"
	"svc/store/blob"
	"svc/store/model"
)

func (h *H) blobs() blob.Store {
	h.T.Helper()
	blobs, err := blob.Open("", filepath.Join(h.Data, "blobs"))
	if err != nil {
		h.T.Fatal(err)
	}
	return blobs
}

// WriteLog appends to the log of a running job, as its runner would; debug marks the log as one that may have secrets.
func (h *H) WriteLog(j model.Job, text string, debug ...bool) {
	h.T.Helper()
	now, err := h.Store.Jobs.Find(h.T.Context(), j.ID)
	if err == nil {
		_, err = logs.New(h.Store, h.blobs(), 1<<30).Append(h.T.Context(), now, now.LogSize, []byte(text), slices.Contains(debug, true))
	}
	if err != nil {
		h.T.Fatal(err)
	}
}

// AddArtifact adds an artifact file to a job, as its runner would.
func (h *H) AddArtifact(j model.Job, u artifacts.Upload, content string) model.JobArtifact {
	h.T.Helper()
	a, err := artifacts.New(h.Store, h.blobs()).Put(h.T.Context(), j, u, strings.NewReader(content))
	if err != nil {
		h.T.Fatal(err)
	}
	return a
}
