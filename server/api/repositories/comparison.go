package repositories

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"svc/server/platform/present"
	"svc/server/platform/respond"
	"svc/store/git"
)

const (
	comparedBytes = 32 << 20 // all cached comparisons together
	comparedMost  = 4 << 20  // one cached comparison
)

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
