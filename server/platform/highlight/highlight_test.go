package highlight

import (
	"context"
	"html"
	"html/template"
	"regexp"
	"strings"
	"testing"
	"time"
)

var marks = regexp.MustCompile(`<span class="h[a-z]">|</span>`)

// shown returns the text that a reader sees.
func shown(lines []template.HTML) string {
	var all strings.Builder
	for _, line := range lines {
		all.WriteString(html.UnescapeString(marks.ReplaceAllString(string(line), "")) + "\n")
	}
	return all.String()
}

func TestWordsHaveClasses(t *testing.T) {
	t.Parallel()
	lines := Lines(t.Context(), "Go", "package a\n\n// A <b>.\nfunc F() string { return \"x\" + `y\nz` }\n")
	if len(lines) != 5 {
		t.Fatalf("there are %d lines", len(lines))
	}
	for i, want := range map[int]string{
		0: `<span class="hk">package</span> a`, 1: "", 2: `<span class="hc">// A &lt;b&gt;.</span>`,
		4: `<span class="hs">z` + "`</span> }",
	} {
		if string(lines[i]) != want {
			t.Errorf("line %d is %s, want %s", i+1, lines[i], want)
		}
	}
}

func TestEveryTextStaysAsItIs(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"", "x", "x\n", "\n\n", "<script>alert(1)</script>\n", "a\tb \u202e c\n", "\"<'&", "/* never closed", "\x00\x01",
		strings.Repeat("{", 5000), strings.Repeat("\"", 300) + "\n",
	} {
		for _, language := range []string{"", "Go", "HTML", "JavaScript", "Python", "YAML", "Bash", "markdown", "no such language"} {
			lines := Lines(t.Context(), language, source)
			want := strings.ReplaceAll(source, "\x00", "\ufffd")
			if got := shown(lines); strings.TrimSuffix(got, "\n") != strings.TrimSuffix(want, "\n") {
				t.Errorf("%s: %q is shown as %q", language, source, got)
			}
			for _, line := range lines {
				if strings.Contains(marks.ReplaceAllString(string(line), ""), "<") {
					t.Errorf("%s: %q has a tag: %s", language, source, line)
				}
			}
		}
	}
}

func TestLargeCodeHasNoClasses(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("var a = 1;\n", MaxBytes/11+1)
	long := "var a = \"" + strings.Repeat("x", maxLine) + "\"\n"
	for _, source := range []string{large, long} {
		if text := Lines(t.Context(), "JavaScript", source)[0]; strings.Contains(string(text), "<span") {
			t.Errorf("%d bytes have classes", len(source))
		}
	}
}

func TestALineStaysSmall(t *testing.T) {
	t.Parallel()
	for _, line := range Lines(t.Context(), "Go", "x = "+strings.Repeat("1,", 2000)+"\ny = 1\n") {
		if len(line) > maxHTML {
			t.Errorf("a line has %d bytes", len(line))
		}
	}
}

func TestAResultIsKept(t *testing.T) {
	t.Parallel()
	h := New()
	source := strings.Repeat("func a() { return \"b\" }\n", 20_000)
	begin := time.Now()
	first, err := h.File(t.Context(), "key", "a.go", source)
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(begin)
	begin = time.Now()
	again, err := h.File(t.Context(), "key", "a.go", source)
	if err != nil || &first[0] != &again[0] {
		t.Errorf("it is highlighted again: %v", err)
	}
	if second := time.Since(begin); second > took {
		t.Errorf("first %v, then %v", took, second)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.File(ended, "other", "a.go", source); err == nil {
		t.Error("an ended request is highlighted")
	}
}
