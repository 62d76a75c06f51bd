package mergerequests

import (
	"context"
	"errors"
	"net/http"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/store/git"
)

// GetProjectMergeRequestRawDiffs returns the diff of a merge request as git prints it.
// GET /projects/{id}/merge_requests/{merge_request_iid}/raw_diffs
func (m *MergeRequests) GetProjectMergeRequestRawDiffs(
	ctx context.Context, req gen.GetProjectMergeRequestRawDiffsRequestObject,
) (gen.GetProjectMergeRequestRawDiffsResponseObject, error) {
	s, err := m.open(ctx, req.ID, req.MergeRequestIid)
	if err != nil {
		return nil, err
	}
	text, err := s.Repo.RawDiff(ctx, s.From, s.Head)
	if errors.Is(err, git.ErrTooLarge) {
		return nil, apierr.Unprocessable("The diff is too large")
	}
	return rawDiffs(text), err
}

// rawDiffs is the response with the diff as git prints it.
type rawDiffs []byte

// VisitGetProjectMergeRequestRawDiffsResponse writes the bytes unchanged.
func (r rawDiffs) VisitGetProjectMergeRequestRawDiffsResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(r)
	return err
}
