package syntax

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCoverage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expression, line string
		want             float64
		found            bool
	}{
		{`total: (\d+\.\d+)%`, "total: 87.5%", 87.5, true},
		{`total: \d+%`, "total: 87%", 87, true},
		{`\d+%`, "10% 20% 30%", 30, true},
		{`(\d+) of (\d+)`, "7 of 9", 9, true},
		{`total: (\d+)%`, "\x1b[32mtotal: \x1b[0;1m87%\x1b[0m", 87, true},
		{`total`, "total", 0, false},
		{`total: (\d+)%`, "nothing", 0, false},
		{`(?i)TOTAL (\d+)`, "total 5", 5, true},
	} {
		coverage, ok := NewCoverage(c.expression)
		if !ok {
			t.Errorf("%s was refused", c.expression)
			continue
		}
		if got, found := coverage.In(c.line); got != c.want || found != c.found {
			t.Errorf("%s in %q: %v %v", c.expression, c.line, got, found)
		}
	}
	for _, expression := range []string{"", "("} {
		if _, ok := NewCoverage(expression); ok {
			t.Errorf("%q was taken", expression)
		}
	}
}

// Jobs are stored as JSON without loss, including the difference between no dependencies and all of them.
func TestJobsAsJSON(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("testdata/full.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range mustBuild(t, string(source)+"\nalone: {script: x, dependencies: [], needs: []}\n").Jobs {
		data, err := json.Marshal(job)
		if err != nil {
			t.Fatal(err)
		}
		var again Job
		if err := json.Unmarshal(data, &again); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(job, again); diff != "" {
			t.Errorf("%s:\n%s", job.Name, diff)
		}
	}
}
