package integration

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The tables of the guide and of the document say which settings each integration needs.
func TestTheGuideAndTheDocumentListEveryIntegration(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"../../../../docs/integrations.md", "../../../../openapi/paths/integrations.yaml"} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range Kinds {
			row := tableRow(string(content), k.Slug)
			if len(row) < 4 {
				t.Errorf("%s does not list %s", file, k.Slug)
				continue
			}
			for _, f := range k.Fields {
				if f.Required != strings.Contains(row[2], "`"+f.Name+"`") {
					t.Errorf("%s: %s of %s is required: %v", file, f.Name, k.Slug, f.Required)
				}
			}
		}
	}
}

// tableRow returns the cells of the row of a table that names an integration first.
func tableRow(content, slug string) []string {
	for line := range strings.Lines(content) {
		cells := strings.Split(line, "|")
		if len(cells) > 3 && strings.Contains(cells[1], "`"+slug+"`") {
			return cells
		}
	}
	return nil
}

// The parameter slug of the document has exactly the integrations that there are.
func TestTheDocumentKnowsEverySlug(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../../../openapi/parameters/integrations.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(content), "enum:\n")
	list, _, _ = strings.Cut(list, "]")
	listed := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune("[], \n", r) })
	var known []string
	for _, k := range Kinds {
		known = append(known, k.Slug)
		if slices.Contains(unoffered, k.Slug) {
			t.Error(k.Slug, "is offered")
		}
	}
	if !slices.Equal(listed, known) {
		t.Errorf("the document lists %q, want %q", listed, known)
	}
}
