package page

import (
	"maps"
	"strconv"
	"strings"
	"testing"

	"svc/store/git"
)

func TestEveryTemplateIsRead(t *testing.T) {
	t.Parallel()
	if err := NewTemplates(templates).Check(); err != nil {
		t.Error(err)
	}
}

func TestTheMostExactRouteIsFound(t *testing.T) {
	t.Parallel()
	var table routeTable
	for _, pattern := range []string{"", "issues", "issues/:iid", "issues/new", "tree/*", "tree/:ref/edit", "issues/:iid/:verb"} {
		table.add("GET", pattern, "", nil)
	}
	table.add("POST", "issues/:iid", "", nil)
	for _, c := range []struct {
		method, address, pattern string
		params                   map[string]string
	}{
		{"GET", "", "", nil},
		{"HEAD", "issues", "issues", nil},
		{"GET", "issues/", "-", nil},
		{"GET", "issues/7", "issues/:iid", map[string]string{"iid": "7"}},
		{"GET", "issues/new", "issues/new", nil},
		{"GET", "issues/7/close", "issues/:iid/:verb", map[string]string{"iid": "7", "verb": "close"}},
		{"GET", "tree/a%2Fb/c%20d", "tree/*", map[string]string{"*": "a/b/c d"}},
		{"GET", "tree/main/edit", "tree/:ref/edit", map[string]string{"ref": "main"}},
		{"GET", "tree", "-", nil},
		{"GET", "tree/%zz", "-", nil},
		{"POST", "issues/7", "issues/:iid", map[string]string{"iid": "7"}},
		{"POST", "issues", "-", nil},
		{"GET", "unknown", "-", nil},
	} {
		route, params := table.find(c.method, c.address)
		got := "-"
		if route != nil {
			got = route.path
		}
		if got != c.pattern || !maps.Equal(params, c.params) {
			t.Errorf("%s %q is %q %v, want %q %v", c.method, c.address, got, params, c.pattern, c.params)
		}
	}
}

func TestALongTextFitsAfterItIsEscaped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "roof": "roof", "roofs and walls": "roofs and …", "é123456789": "é12345678…", "<>": "<>", "<<<<": "…",
	} {
		if got := Fit(10, text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got := Fit(1000, strings.Repeat("<", 5000)); htmlSize(got) > 1003 || htmlSize(got) < 800 {
		t.Errorf("%d bytes", htmlSize(got))
	}
}

// The paths of 40 files take a part of the page, whatever they are.
func TestPathsOfChangedFilesNeverFillAPage(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"a.go", strings.Repeat("long/", 28), strings.Repeat("<", 400), strings.Repeat("é", 240), strings.Repeat("d", 4000),
	} {
		files, size := make([]git.FileDiff, 40), 0
		for i := range files {
			files[i] = git.FileDiff{OldPath: path, NewPath: path + strconv.Itoa(i), Status: 'M', Text: strings.Repeat("+<\n", 1000)}
		}
		link := func(path string) string { return "/roof/-/blob/main/" + EscapePath(path) }
		for _, f := range DiffFiles(files, DiffOptions{Browse: link, More: link}) {
			size += 400 + 4*htmlSize(f.New) + htmlSize(f.Old) + len(f.Browse) + len(f.More)
			for _, line := range f.Lines {
				size += 60 + htmlSize(line.Text)
			}
			if linked := f.Browse != ""; linked != (len(path) < 200) {
				t.Errorf("a file whose path has %d bytes is linked: %v", len(path), linked)
			}
		}
		if size > 100_000 {
			t.Errorf("40 files whose paths have %d bytes take %d bytes", len(path), size)
		}
	}
}

func TestWordsForNumbers(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		Size(0): "0 B", Size(1023): "1023 B", Size(1024): "1.0 KiB", Size(5 << 20): "5.0 MiB", Size(1 << 52): "4096.0 TiB",
		Count(1, "commit"): "1 commit", Count(0, "commit"): "0 commits", Count(int64(2), "branch"): "2 branches",
		Count(3, "entry"): "3 entries", EscapePath("a/b c#?"): "a/b%20c%23%3F", Short("0123456789"): "01234567", Short("01"): "01",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
