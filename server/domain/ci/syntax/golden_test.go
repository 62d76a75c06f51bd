package syntax

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGolden compares the pipeline of a file that uses every keyword. SVC_GOLDEN=write rewrites the golden file.
func TestGolden(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("testdata/full.yml")
	if err != nil {
		t.Fatal(err)
	}
	p := mustBuild(t, string(source))
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(prune(tree), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if os.Getenv("SVC_GOLDEN") == "write" {
		if err := os.WriteFile("testdata/full.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("testdata/full.json differs:\n%s", diff)
	}
}

// prune removes members that are false, 0, empty or null, to keep the golden file short. An empty list stays.
func prune(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			switch inner := prune(inner).(type) {
			case nil:
				delete(v, key)
			case map[string]any:
				if len(inner) == 0 {
					delete(v, key)
				}
			default:
				if inner == false || inner == float64(0) || inner == "" {
					delete(v, key)
				}
			}
		}
	case []any:
		for i := range v {
			v[i] = prune(v[i])
		}
	}
	return v
}
