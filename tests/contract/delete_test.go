package contract

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/tests/harness"
)

// unconditional lists the deletes without If-Unmodified-Since, each with its reason.
var unconditional = map[string]string{
	"deleteGroupBillableMember":               "it ends several memberships",
	"deleteGroupHookCustomHeader":             "the values of a hook have no times",
	"deleteGroupHookUrlVariable":              "the values of a hook have no times",
	"deleteHookCustomHeader":                  "the values of a hook have no times",
	"deleteHookUrlVariable":                   "the values of a hook have no times",
	"deleteOauthAuthorize":                    "it refuses a request for access; nothing is stored",
	"deleteProjectArtifacts":                  "it removes the files of many jobs, later",
	"deleteProjectHookCustomHeader":           "the values of a hook have no times",
	"deleteProjectHookUrlVariable":            "the values of a hook have no times",
	"deleteProjectJobArtifacts":               "it removes several files, which are never changed",
	"deleteProjectMergeRequestContextCommits": "it removes several commits, which are never changed",
	"deleteProjectPipelineScheduleVariable":   "the variable of a schedule has no times",
	"deleteProjectTerraformStateLock":         "it names the lock that it removes",
	"deleteProjectRepositoryMergedBranches":   "it removes many branches, later",
	"deleteProjectEnvironmentsReviewApps":     "it removes many environments, later",
}

// repeated has the statuses of a second delete of the same thing where they are not 404.
var repeated = map[string]int{
	"deleteFeature":                                  204, // a switch that was never set is deleted, too
	"deleteGroupIntegration":                         204, // the integration is shown as one that is not in use
	"deletePersonalAccessToken":                      400, // the token is shown as revoked, and this response says so
	"deletePersonalAccessTokenSelf":                  401, // the token is the credential
	"deleteProjectForkRelation":                      304, // the project stays
	"deleteProjectIntegration":                       204, // the integration is shown as one that is not in use
	"deleteProjectService":                           204, // the same
	"deleteProjectRepositoryFile":                    400, // the contract has this response for a missing file
	"unregisterRunner":                               403, // the token is the credential
	"deleteUser":                                     204, // the user exists until the background job is done
	"deleteUserImpersonationToken":                   204, // the token is shown as revoked
	"deleteGroupServiceAccountPersonalAccessToken":   400, // the token is shown as revoked
	"deleteProjectServiceAccountPersonalAccessToken": 400, // the same
}

// repeatable lists deletes that can succeed for several callers: the thing stays, and the second delete changes nothing.
var repeatable = map[string]bool{
	"deleteFeature": true, "deleteGroupIntegration": true, "deletePersonalAccessTokenSelf": true, "deleteProjectIntegration": true,
	"deleteProjectService": true,
	"deleteUser":           true, "deleteUserImpersonationToken": true,
	"deleteGroupServiceAccount": true, "deleteProjectServiceAccount": true, // the account exists until the background job is done
}

func deletes() []harness.Route {
	var all []harness.Route
	for _, r := range harness.Routes() {
		if r.Method == http.MethodDelete {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b harness.Route) int { return strings.Compare(a.Op.OperationID, b.Op.OperationID) })
	return all
}

// Every delete of one thing accepts If-Unmodified-Since and declares 412.
func TestEveryDeleteAcceptsACondition(t *testing.T) {
	t.Parallel()
	left := maps.Clone(unconditional)
	for _, r := range deletes() {
		id := r.Op.OperationID
		delete(left, id)
		header := r.Op.Parameters.GetByInAndName("header", "If-Unmodified-Since") != nil
		failure := r.Op.Responses.Status(http.StatusPreconditionFailed) != nil
		if want := unconditional[id] == ""; header != want || failure != want {
			t.Errorf("%s takes If-Unmodified-Since: %v, declares 412: %v; both should be %v", id, header, failure, want)
		}
		if _, known := things[id]; known == (unconditional[id] != "") {
			t.Errorf("%s: a thing to delete is known: %v", id, known)
		}
	}
	if len(left) > 0 {
		t.Errorf("there is no delete that is called %v", slices.Sorted(maps.Keys(left)))
	}
}

const conditionHeader = "If-Unmodified-Since"

// Only a date before the last change stops a delete, and then nothing is deleted.
func TestEveryConditionalDeleteRespectsItsCondition(t *testing.T) {
	t.Parallel()
	w := newDeletionFixture(t)
	before, later := "Mon, 01 Jan 2001 00:00:00 GMT", time.Now().UTC().Add(time.Hour).Format(http.TimeFormat)
	for _, r := range deletes() {
		id := r.Op.OperationID
		if things[id] == nil {
			continue
		}
		first := things[id](w)
		if got := first.delete(conditionHeader, before); got.Status != 412 || got.Body != `{"message":"412 Precondition Failed"}` {
			t.Errorf("%s, changed later: %d %s", id, got.Status, got.Body)
			continue
		}
		if got := first.delete(conditionHeader, later); !succeeded(got) {
			t.Errorf("%s, changed before: %d %s", id, got.Status, got.Body)
		}
		want := repeated[id]
		if want == 0 {
			want = 404
		}
		for _, header := range []string{later, before} {
			if header == before && want == 204 {
				continue // the thing still exists
			}
			if got := first.delete(conditionHeader, header); got.Status != want {
				t.Errorf("%s of what is gone, with the date %s: %d %s", id, header, got.Status, got.Body)
			}
		}
		if got := things[id](w).delete(conditionHeader, "soon"); !succeeded(got) {
			t.Errorf("%s, with a date that cannot be read: %d %s", id, got.Status, got.Body)
		}
	}
}

// Of several concurrent deletes one succeeds. The others get the response for a missing thing, with and without a
// condition.
func TestOneOfSeveralDeletesSucceeds(t *testing.T) {
	t.Parallel()
	w := newDeletionFixture(t)
	later := time.Now().UTC().Add(time.Hour).Format(http.TimeFormat)
	for _, r := range deletes() {
		id := r.Op.OperationID
		if things[id] == nil {
			continue
		}
		for _, headers := range [][]string{nil, {conditionHeader, later}} {
			race(t, id, things[id](w), headers)
		}
	}
}

func race(t *testing.T, id string, one deletable, headers []string) {
	t.Helper()
	const callers = 8
	answers := make([]harness.Answer, callers)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i] = one.delete(headers...) })
	}
	all.Wait()
	want, won := repeated[id], 0
	if want == 0 {
		want = 404
	}
	for _, got := range answers {
		switch {
		case succeeded(got):
			won++
		case got.Status != want:
			t.Errorf("%s at once with %v: %d %s", id, headers, got.Status, got.Body)
		}
	}
	if won != 1 && !repeatable[id] {
		t.Errorf("%s at once with %v: %d of %d succeeded", id, headers, won, callers)
	}
}

func succeeded(a harness.Answer) bool { return a.Status >= 200 && a.Status < 300 }
