package contract

import (
	"maps"
	"slices"
	"testing"

	"svc/server/transport/middleware/limit"
	"svc/tests/harness"
)

// A client reads in the document which operations have a limit of their own.
func TestEveryNamedLimitIsInTheDocument(t *testing.T) {
	t.Parallel()
	users := map[string][]string{}
	for _, r := range harness.Routes() {
		if name, ok := r.Op.Extensions["x-limit"].(string); ok {
			users[name] = append(users[name], r.Op.OperationID)
		}
	}
	if got, want := slices.Sorted(maps.Keys(users)), slices.Sorted(maps.Keys(limit.Named)); !slices.Equal(got, want) {
		t.Errorf("the document names the limits %v, the service has %v", got, want)
	}
	for name, want := range map[string][]string{
		"export_download": {"getGroupExportDownload", "getProjectExportDownload"},
		"large_blob":      {"getProjectRepositoryBlob", "getProjectRepositoryBlobRaw", "getProjectRepositoryFile"},
	} {
		slices.Sort(users[name])
		if !slices.Equal(users[name], want) {
			t.Errorf("%s is the limit of %v, want %v", name, users[name], want)
		}
	}
}
