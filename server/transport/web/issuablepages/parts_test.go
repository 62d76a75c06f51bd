package issuablepages

import (
	"strings"
	"testing"
)

func TestTheTemplatesCanBeRead(t *testing.T) {
	t.Parallel()
	if err := ownTemplates.Check(); err != nil {
		t.Error(err)
	}
}

func TestTextsStayWithinThePage(t *testing.T) {
	t.Parallel()
	texts, total := NewTexts("a/b"), 0
	for _, source := range []string{
		strings.Repeat("#1 ", 4000), strings.Repeat("#\n", 6000), strings.Repeat("<\"&", 400000), strings.Repeat("word ", 200000),
		strings.Repeat("- x\n", 3000), strings.Repeat("text\n\n", 3000),
	} {
		for range 4 {
			text, err := texts.Render(source)
			if err != nil {
				t.Fatal(err)
			}
			if !text.Cut && len(source) > longText {
				t.Error("a long text is not marked as cut")
			}
			total += len(text.HTML)
		}
	}
	if total > textBytes+24*2*shortText {
		t.Errorf("the texts have %d bytes", total)
	}
	short, err := NewTexts("a/b").Render("**hello** #2 <script>")
	want := `<p><strong>hello</strong> <a href="/a/b/-/issues/2">#2</a> &lt;script&gt;</p>`
	if err != nil || strings.TrimSpace(string(short.HTML)) != want {
		t.Errorf("the text is %s, want %s (%v)", short.HTML, want, err)
	}
}
