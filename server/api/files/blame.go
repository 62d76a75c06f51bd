package files

import (
	"context"
	"encoding/json"
	"net/http"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
)

// maxBlameSize is the maximum size of a file for blame, in bytes.
const maxBlameSize = 10 << 20

// ListProjectRepositoryFileBlame lists the lines of a file with their commits.
// GET /projects/{id}/repository/files/{file_path}/blame
func (f *Files) ListProjectRepositoryFileBlame(
	ctx context.Context, req gen.ListProjectRepositoryFileBlameRequestObject,
) (gen.ListProjectRepositoryFileBlameResponseObject, error) {
	row, err := f.access.Project(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	var first, last int64
	if r := req.Params.Range; r != nil {
		if first, last = r.Start, r.End; first > last {
			return nil, apierr.BadParameter("range[start] must be less than or equal to range[end]")
		}
	}
	found, err := f.find(ctx, row, req.FilePath, req.Params.Ref)
	if err != nil {
		return nil, err
	}
	if found.size > maxBlameSize {
		return nil, apierr.Refused("The file is too large for blame")
	}
	groups, err := found.repo.Blame(ctx, found.commit, found.path, first, last)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(groups))
	for i, g := range groups {
		ids[i] = g.Commit
	}
	commits, err := found.repo.Commits(ctx, ids)
	if err != nil {
		return nil, err
	}
	shown := make([]gen.Blame, len(groups))
	for i, g := range groups {
		shown[i] = present.Blame(g, commits[i])
	}
	return blameResponse{found, shown}, nil
}

// blameResponse is the response with the lines of a file and their commits.
type blameResponse struct {
	file  file
	lines []gen.Blame
}

// VisitListProjectRepositoryFileBlameResponse writes the response.
func (a blameResponse) VisitListProjectRepositoryFileBlameResponse(w http.ResponseWriter) error {
	a.file.headers(w.Header())
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	return json.NewEncoder(w).Encode(a.lines)
}
