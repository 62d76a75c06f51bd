package search

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestConditionsForFilesAreReadFromTheText(t *testing.T) {
	t.Parallel()
	term, err := readFileTerm("  mon  day filename:PROCESS.md -path:doc/** extension:go path:ü")
	want := []pathFilter{{"filename", "process.md", false}, {"path", "doc/*", true}, {"extension", "go", false}, {"path", "ü", false}}
	if err != nil || term.text != "mon  day" || !slices.Equal(term.filters, want) {
		t.Errorf("%q %+v, %v", term.text, term.filters, err)
	}
	for _, bad := range []string{
		"a\nb", strings.Repeat(" path:a", maxFilters+1), "path:" + strings.Repeat("a", maxFilter+1), "path:a*a*a*a*a*b",
	} {
		if _, err := readFileTerm(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestFilesMeetTheConditions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		term, file string
		keeps      bool
	}{
		{"filename:process.md", "docs/PROCESS.md", true},
		{"filename:process.md", "docs/process.md/x", false},
		{"filename:pro*", "docs/process.md", true},
		{"filename:*.md", "process.md.go", false},
		{"path:docs/pro", "a/Docs/process.md", true},
		{"path:a*md", "a/docs/process.md", true},
		{"-path:docs", "a/docs/process.md", false},
		{"extension:md", "a.md", true},
		{"extension:md", "amd", false},
		{"extension:md -filename:a*", "b.md", true},
		{"extension:md -filename:a*", "a.md", false},
		{"filename:a*a", "a", false},
		{"filename:[x]?.go", "[x]?.go", true},
		{"filename:ä.go", "Ä.go", true},
	} {
		term, err := readFileTerm(c.term)
		if err != nil || term.keeps(c.file) != c.keeps {
			t.Errorf("%s %s: %t, %v", c.term, c.file, !c.keeps, err)
		}
	}
}

func TestAPatternThatMatchesNothingIsComparedQuickly(t *testing.T) {
	t.Parallel()
	began := time.Now()
	for range 1000 {
		if matchWildcards("*a*a*a*b", strings.Repeat("a", 4096)) {
			t.Fatal("it matches")
		}
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}
