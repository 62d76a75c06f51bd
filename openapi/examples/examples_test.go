package examples

import (
	"runtime"
	"testing"
)

func TestExamplesAreReadAgainAfterACollection(t *testing.T) {
	t.Parallel()
	for range 2 {
		if e, ok := Of("getVersion"); !ok || e.Status != 200 || len(e.Response) == 0 {
			t.Fatalf("the example of getVersion is %+v, %v", e, ok)
		}
		runtime.GC()
		if cached.Value() != nil {
			t.Error("the examples are still in memory")
		}
	}
}
