package markdown

import (
	"html/template"
	"strings"
	"testing"
)

func TestReferencesOfAnEmbeddedTextBecomeLinks(t *testing.T) {
	t.Parallel()
	const sha = "0123456789abcdef0123456789abcdef01234567"
	for source, want := range map[string]string{
		"see #12, !3":            `<p>see <a href="/a/b/-/issues/12">#12</a>, <a href="/a/b/-/merge_requests/3">!3</a></p>`,
		"c/d#4 (#5)":             `<p><a href="/c/d/-/issues/4">c/d#4</a> (<a href="/a/b/-/issues/5">#5</a>)</p>`,
		"ask @ann-lee.":          `<p>ask <a href="/ann-lee">@ann-lee</a>.</p>`,
		"a@b.example, a#1, `#2`": `<p><a href="mailto:a@b.example">a@b.example</a>, a#1, <code>#2</code></p>`,
		"[#7](https://x.test)":   `<p><a href="https://x.test">#7</a></p>`,
		`"&#35;1" & <b>`:         `<p>&quot;<a href="/a/b/-/issues/1">#1</a>&quot; &amp; &lt;b&gt;</p>`,
		"in " + sha:              `<p>in <a href="/a/b/-/commit/` + sha + `">01234567</a></p>`,
		"# One\n\n[up](#one)":    "<h3 id=\"user-content-one\">One</h3>\n<p><a href=\"#user-content-one\">up</a></p>",
		"```\n#1 @ann\n```":      "<pre tabindex=\"0\"><code>#1 @ann\n</code></pre>",
	} {
		rendered, err := Render([]byte(source), Options{Below: 2})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(string(Embed(rendered.HTML, "a/b"))); got != want {
			t.Errorf("%q is shown as\n%s, want\n%s", source, got, want)
		}
	}
}

func TestATextWithManyReferencesStaysSmall(t *testing.T) {
	t.Parallel()
	got := Embed(template.HTML(strings.Repeat("#1 ", 5000)), "a/b")
	if n := strings.Count(string(got), "<a "); n != maxLinks {
		t.Errorf("the text has %d links, want %d", n, maxLinks)
	}
}
