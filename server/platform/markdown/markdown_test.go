package markdown

import (
	"html"
	"html/template"
	"regexp"
	"strings"
	"testing"
	"time"
)

func render(t *testing.T, source string, o Options) Page {
	t.Helper()
	page, err := Render([]byte(source), o)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestMarkdownBecomesHTML(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"a *b* **c** `d`":                 "<p>a <em>b</em> <strong>c</strong> <code>d</code></p>",
		"~~gone~~":                        "<p><del>gone</del></p>",
		"- [x] done":                      "<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> done</li>\n</ul>",
		"```json\n{\"a\": \"<b>\"}\n```":  "<pre tabindex=\"0\"><code class=\"language-json\">{\"a\": \"&lt;b&gt;\"}\n</code></pre>",
		"    indented &":                  "<pre tabindex=\"0\"><code>indented &amp;\n</code></pre>",
		"[a](b.md#c \"title\")":           `<p><a href="b.md#c">a</a></p>`,
		"see https://example.com/x?a=b&c": `<p>see <a href="https://example.com/x?a=b&amp;c">https://example.com/x?a=b&amp;c</a></p>`,
		"<me@example.com>":                `<p><a href="mailto:me@example.com">me@example.com</a></p>`,
		"before <!-- hidden --> after":    "<p>before  after</p>",
		"<!-- a whole block -->":          "",
	} {
		if got := strings.TrimSpace(string(render(t, source, Options{}).HTML)); got != want {
			t.Errorf("%q is rendered\n%s, want\n%s", source, got, want)
		}
	}
}

func TestTablesNeedNoStyles(t *testing.T) {
	t.Parallel()
	got := string(render(t, "| a | b |\n|---|--:|\n| `x\\|y` | 1 |\n", Options{}).HTML)
	for _, want := range []string{"<th>a</th>", `<th align="right">b</th>`, "<td><code>x|y</code></td>", `<td align="right">1</td>`} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in %s", want, got)
		}
	}
	if strings.Contains(got, "style") {
		t.Errorf("the table has a style: %s", got)
	}
}

func TestHeadingsHaveTheAnchorsOfGitHosts(t *testing.T) {
	t.Parallel()
	source := "# First `svc serve`, then *go*\n\n## What goes wrong?\n\n## What goes wrong?\n\n" +
		"### [A link](x.md) & more_words\n\n## 5. Öffne\n"
	want := []Heading{
		{1, "first-svc-serve-then-go", "First svc serve, then go"},
		{2, "what-goes-wrong", "What goes wrong?"},
		{2, "what-goes-wrong-1", "What goes wrong?"},
		{3, "a-link--more_words", "A link & more_words"},
		{2, "5-öffne", "5. Öffne"},
	}
	page := render(t, source, Options{})
	if len(page.Headings) != len(want) {
		t.Fatalf("the headings are %v", page.Headings)
	}
	for i, h := range page.Headings {
		if h != want[i] {
			t.Errorf("heading %d is %v, want %v", i, h, want[i])
		}
		if !strings.Contains(string(page.HTML), ` id="`+h.ID+`"`) {
			t.Errorf("%s is not an anchor", h.ID)
		}
	}
}

func TestLinksAreRewritten(t *testing.T) {
	t.Parallel()
	o := Options{Link: func(address string) string {
		if address == "../gone.md" {
			return ""
		}
		return "/-/docs/" + strings.Replace(address, ".md", "", 1)
	}}
	got := string(render(t, "[a](guide.md#x) [b `c`](../gone.md) [d][1]\n\n[1]: api/users.md#getuser\n", o).HTML)
	want := `<p><a href="/-/docs/guide#x">a</a> b <code>c</code> <a href="/-/docs/api/users#getuser">d</a></p>`
	if strings.TrimSpace(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// dangerous finds tags and attributes that a text must never make.
var dangerous = regexp.MustCompile(`(?i)<(script|img|iframe|svg|style|form|object|math|body|div)|\s(on[a-z]+|style|src)="`)

// runs finds addresses that a browser would not open as a page.
var runs = regexp.MustCompile(`(?i)^[\s\x00-\x20]*(j\s*a\s*v\s*a\s*s|data|vbscript|file)[^/?#&]*:`)

func TestNoTextMakesAPageUnsafe(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"<script>alert(1)</script>",
		"a <script>alert(1)</script> b",
		"<img src=x onerror=alert(1)>",
		"text <img src=x onerror=alert(1)> text",
		"<!-- --><script>alert(1)</script>",
		"<!-- x\n--> <img src=x onerror=alert(1)>",
		"<style>body{}</style>\n\n<div onclick=alert(1)>x</div>",
		"<?php <script>alert(1)</script> ?>",
		"<![CDATA[<script>alert(1)</script>]]>",
		"[a](javascript:alert(1))",
		"[a](JaVaScript:alert(1))",
		"[a]( javascript:alert(1))",
		"[a](<java\tscript:alert(1)>)",
		"[a](java&#10;script:alert(1))",
		"[a](javascript&colon;alert(1))",
		"[a](javascript&amp;colon;alert(1))",
		"[a](&#106;avascript:alert(1))",
		"[a](javascript\\:alert(1))",
		"[a](&#1;javascript:alert(1))",
		"[a](\u00a0javascript:alert(1))",
		"[a](data:text/html,<script>alert(1)</script>)",
		"[a](data:image/svg+xml;base64,PHN2Zz4=)",
		"[a](vbscript:x)",
		"[a](file:///etc/passwd)",
		"[a][x]\n\n[x]: javascript:alert(1)",
		"<javascript:alert(1)>",
		"<data:text/html,x>",
		"![x](javascript:alert(1))",
		"![x](https://example.com/track.png)",
		"[![x](https://example.com/track.png)](https://example.com/)",
		"[a](https://example.com/\"onmouseover=alert(1))",
		"[a](x 'y\" onmouseover=\"alert(1)')",
		"```\"onmouseover=\"alert(1)\n<script>\n```",
		"# a\" onclick=\"alert(1)\n",
		"| <img src=x onerror=alert(1)> |\n|---|\n| <script>x</script> |\n",
	} {
		got := string(render(t, source, Options{}).HTML)
		if dangerous.MatchString(got) {
			t.Errorf("%q becomes %s", source, got)
		}
		for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(got, -1) {
			if runs.MatchString(html.UnescapeString(m[1])) {
				t.Errorf("%q links to %s", source, m[1])
			}
		}
		if regexp.MustCompile(`<a href="[^"]*"[^>]*>[^<]*<a `).MatchString(got) {
			t.Errorf("%q has a link inside a link: %s", source, got)
		}
	}
}

func TestTheWordsOfARefusedLinkStay(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"[the *words*](javascript:x)":       "<p>the <em>words</em></p>",
		"![a picture](https://example.com)": `<p><a href="https://example.com">a picture</a></p>`,
		"<javascript:x>":                    "<p>javascript:x</p>",
	} {
		if got := strings.TrimSpace(string(render(t, source, Options{}).HTML)); got != want {
			t.Errorf("%q is rendered %s, want %s", source, got, want)
		}
	}
}

func TestPicturesAndCodeOfTheCaller(t *testing.T) {
	t.Parallel()
	o := Options{
		Image: func(address string) string {
			if strings.Contains(address, ":") {
				return ""
			}
			return "/-/raw/" + address
		},
		Code: func(language, code string) template.HTML {
			if language != "go" {
				return ""
			}
			return template.HTML("<b>" + html.EscapeString(code) + "</b>")
		},
	}
	for source, want := range map[string]string{
		`![a "b" &](x.png)`:                `<p><img src="/-/raw/x.png" alt="a &#34;b&#34; &amp;" loading="lazy"></p>`,
		"![a](https://example.com/t.png)":  `<p><a href="https://example.com/t.png">a</a></p>`,
		"![a](javascript:x)":               "<p>a</p>",
		"![a](data&colon;image/svg+xml,x)": "<p>a</p>",
		"```go\nx<y\n```":                  "<pre tabindex=\"0\"><code class=\"language-go\"><b>x&lt;y\n</b></code></pre>",
		"```c\nx<y\n```":                   "<pre tabindex=\"0\"><code class=\"language-c\">x&lt;y\n</code></pre>",
	} {
		if got := strings.TrimSpace(string(render(t, source, o).HTML)); got != want {
			t.Errorf("%q is rendered\n%s, want\n%s", source, got, want)
		}
	}
}

func TestATextOnAPageHasLabels(t *testing.T) {
	t.Parallel()
	got := strings.TrimSpace(string(render(t, "- [ ] a\n- [x] b\n", Options{Below: 1}).HTML))
	for _, want := range []string{`type="checkbox" aria-label="not done"> a`, `type="checkbox" aria-label="done"> b`} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in %s", want, got)
		}
	}
}

func TestHeadingsAreBelowThatOfThePage(t *testing.T) {
	t.Parallel()
	got := strings.TrimSpace(string(render(t, "# A\n\n###### B\n", Options{Below: 5}).HTML))
	if want := "<h6 id=\"a\">A</h6>\n<h6 id=\"b\">B</h6>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNoTextTakesLong(t *testing.T) {
	t.Parallel()
	nested := ""
	for i := range 300 {
		nested += strings.Repeat(" ", i) + "- x\n"
	}
	for name, source := range map[string]string{
		"quotes": strings.Repeat(">", 60_000), "lists": strings.Repeat("- ", 20_000) + "x", "numbers": strings.Repeat("1. ", 20_000) + "x",
		"table":        strings.Repeat("a|", 3000) + "\n" + strings.Repeat("-|", 3000) + "\n" + strings.Repeat("a\n", 20_000),
		"quoted table": "> " + strings.Repeat("a|", 3000) + "\n> " + strings.Repeat("-|", 3000) + "\n" + strings.Repeat("> a\n", 20_000),
		"links":        strings.Repeat("[a](", 15_000), "references": strings.Repeat("[a]: b\n", 8000) + strings.Repeat("[a]", 500),
		"nested lists": nested, "emphasis": strings.Repeat("**x", 20_000), "large": strings.Repeat("x\n", maxBytes),
	} {
		begin := time.Now()
		page := render(t, source, Options{})
		if took := time.Since(begin); took > 10*time.Second || len(page.HTML) > 10*len(source)+1000 {
			t.Errorf("%s: %v, %d bytes", name, took, len(page.HTML))
		}
	}
	for _, source := range []string{
		strings.Repeat("| a | b |\n", 2) + "|---|---|\n" + strings.Repeat("| 1 | 2 |\n", 5000),
		"> > > - 1. deep\n", strings.Repeat("[a](b) ", 2000),
	} {
		if got := string(render(t, source, Options{}).HTML); strings.HasPrefix(got, "<pre") {
			t.Errorf("%.40q is not rendered", source)
		}
	}
}

func TestNoLevelOfHeadingsIsLeftOutBelowAnother(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"## a\n#### b\n# c": "h2 h3 h2", "# a\n## b\n### c": "h2 h3 h4", "###### a": "h2",
	} {
		var levels []string
		for _, heading := range render(t, source, Options{Below: 1}).Headings {
			levels = append(levels, "h"+string(rune('0'+heading.Level)))
		}
		if got := strings.Join(levels, " "); got != want {
			t.Errorf("%q has %s, want %s", source, got, want)
		}
	}
}
