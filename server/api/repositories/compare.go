package repositories

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/respond"
	"svc/store/git"
	"svc/store/model"
)

const (
	comparedBytes = 32 << 20 // all cached comparisons together
	comparedMost  = 4 << 20  // one cached comparison
)

// GetProjectRepositoryCompare compares two branches, tags or commits.
// GET /projects/{id}/repository/compare
func (r *Repositories) GetProjectRepositoryCompare(
	ctx context.Context, req gen.GetProjectRepositoryCompareRequestObject,
) (gen.GetProjectRepositoryCompareResponseObject, error) {
	project, repo, err := r.read(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	other := repo
	if id := req.Params.FromProjectID; id != nil && *id != project.ID {
		origin, err := r.origin(ctx, project, req.ID, *id)
		if err != nil {
			return nil, err
		}
		if other, err = r.open(origin); err != nil {
			return nil, err
		}
	}
	from, err := other.Resolve(ctx, req.Params.From)
	if err != nil {
		return nil, orNotFound(err, "Ref")
	}
	to, err := repo.Resolve(ctx, req.Params.To)
	if err != nil {
		return nil, orNotFound(err, "Ref")
	}
	of := present.ComparisonInput{
		Project: project, From: req.Params.From, To: req.Params.To, Straight: wire.Value(req.Params.Straight),
		Unified: wire.Value(req.Params.Unidiff),
		Same:    from == to,
	}
	return r.compare(ctx, resolvedComparison{repo: repo, other: other, from: from, to: to, project: project.ID, of: of})
}

// origin returns another project of the same fork network, if the caller can read its code.
func (r *Repositories) origin(ctx context.Context, project model.Project, ref string, id int64) (model.Project, error) {
	row, err := r.access.Project(ctx, strconv.FormatInt(id, 10), access.ReadCode)
	var refused *apierr.Error
	if errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		return model.Project{}, noFork(ref, id)
	}
	same, err2 := r.store.Projects.SameNetwork(ctx, project.ID, id)
	switch {
	case err2 != nil:
		return model.Project{}, err2
	case !same:
		return model.Project{}, noFork(ref, id)
	case refused != nil && refused.Status == http.StatusForbidden:
		return model.Project{}, apierr.Forbidden("You don't have access to this fork's parent project")
	}
	return row.Project, err
}

func noFork(ref string, id int64) error {
	return apierr.Refused(fmt.Sprintf("Target project id:%d is not a fork of project id:%s", id, ref))
}

// resolvedComparison is a comparison whose refs are resolved to commits.
type resolvedComparison struct {
	repo, other git.Repo
	from, to    string
	project     int64
	of          present.ComparisonInput
}

// key hashes everything that the answer depends on.
func (c resolvedComparison) key() string {
	parts := []string{
		strconv.FormatInt(c.project, 10), c.from, c.to, c.of.Project.FullPath, c.of.From, c.of.To,
		strconv.FormatBool(c.of.Straight), strconv.FormatBool(c.of.Unified),
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// compare answers from the cache, or runs the comparison. A comparison that was cut by the time limit is not cached.
func (r *Repositories) compare(ctx context.Context, c resolvedComparison) (comparisonResponse, error) {
	key := c.key()
	if body, ok := r.compared.Get(key); ok {
		return newComparisonResponse(ctx, key, body), nil
	}
	between, err := c.repo.Compare(ctx, c.other, c.from, c.to, c.of.Straight)
	if err != nil {
		return comparisonResponse{}, orNotFound(err, "Ref")
	}
	body, err := json.Marshal(r.show.Comparison(c.of, between))
	if err != nil {
		return comparisonResponse{}, err
	}
	if !between.Cut && len(body) <= comparedMost {
		r.compared.Set(key, body)
	}
	if between.Cut {
		key += "-" + strconv.Itoa(len(body)) // another time the comparison may be longer
	}
	return newComparisonResponse(ctx, key, body), nil
}

// comparisonResponse is the JSON of a comparison as a response.
type comparisonResponse struct{ respond.Stream }

func newComparisonResponse(ctx context.Context, version string, body []byte) comparisonResponse {
	return comparisonResponse{respond.Stream{
		Context: ctx, Type: "application/json", CacheControl: respond.Revalidate, ETag: `W/"` + version + `"`,
		Size: int64(len(body)), Write: respond.Bytes(body),
	}}
}

// VisitGetProjectRepositoryCompareResponse writes the comparison.
func (c comparisonResponse) VisitGetProjectRepositoryCompareResponse(w http.ResponseWriter) error {
	return c.Send(w)
}
