package conformance

import (
	"slices"
	"strings"
	"testing"

	"svc/server/cmd/svc/conformance/check"
)

// The lists of operations that may or may not be called with generated requests name operations that exist.
func TestTheListsOfGeneratedRequestsNameOperations(t *testing.T) {
	t.Parallel()
	var ids []string
	for _, r := range check.Routes() {
		ids = append(ids, r.Op.OperationID)
		whole := slices.Contains([]string{"/projects/{id}", "/groups/{id}", "/users/{id}"}, r.Path)
		if r.Method == "DELETE" && whole && mayFuzz(r) {
			t.Errorf("%s may be called", r.Op.OperationID)
		}
	}
	for _, id := range slices.Concat(neverFuzz, mayUpdate) {
		if !slices.Contains(ids, id) {
			t.Errorf("there is no operation %s", id)
		}
	}
}

// Generated requests name only things of the fuzzer, or nothing.
func TestGeneratedRequestsNameOnlyOwnThings(t *testing.T) {
	t.Parallel()
	s := &suite{values: newValues(nil), options: Options{Parallel: 1}}
	for name, id := range map[string]string{"fuzz_project": "7001", "fuzz_group": "7002", "fuzz_id": "7003", "guest_id": "7004"} {
		s.values.set(name, id)
	}
	z := newFuzzer(s, FuzzOptions{Seed: 1}, 0)
	if err := z.fillPool(); err != nil {
		t.Fatal(err)
	}
	projects := []string{"7001", noSuchID, "0", "-1", "9223372036854775807", "9223372036854775808", "x"}
	for range 20 {
		for _, r := range z.routes {
			g := z.generate(r)
			if strings.HasPrefix(r.Path, "/projects/{id}") && !slices.Contains(projects, strings.Split(g.path, "/")[2]) {
				t.Errorf("%s %s", r.Method, g.path)
			}
			for name, value := range g.body {
				if strings.HasSuffix(name, "_id") && !harmless(value) {
					t.Errorf("%s %s: %s is %v", r.Method, g.path, name, value)
				}
			}
		}
	}
}

// harmless reports whether a generated ID names a thing of the fuzzer, or nothing.
func harmless(value any) bool {
	id, number := value.(int64)
	return !number || (id >= 7001 && id <= 7004) || text(id) == noSuchID
}
