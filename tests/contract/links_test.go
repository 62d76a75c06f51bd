package contract

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link       = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading    = regexp.MustCompile(`(?m)^#+ (.+)$`)
	fenced     = regexp.MustCompile("(?ms)^```.*?^```$")
	inlineCode = regexp.MustCompile("`[^`\n]+`") // a regular expression may look like a link
	notInSlug  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// slugs returns the anchors of the headings of a page, as Markdown renderers make them.
func slugs(page string) map[string]bool {
	found := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(page, ""), -1) {
		slug := strings.ToLower(strings.TrimSpace(m[1]))
		found[strings.ReplaceAll(notInSlug.ReplaceAllString(slug, ""), " ", "-")] = true
	}
	return found
}

// Every link in the documents leads to a page and a heading that exist.
func TestLinksOfTheDocumentsLeadSomewhere(t *testing.T) {
	t.Parallel()
	var pages []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	texts, anchors := map[string]string{}, map[string]map[string]bool{}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		texts[page], anchors[page] = string(data), slugs(string(data))
	}
	for page, text := range texts {
		prose := inlineCode.ReplaceAllString(fenced.ReplaceAllString(text, ""), "``")
		for _, m := range link.FindAllStringSubmatch(prose, -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			to := page
			if target != "" {
				to = filepath.Join(filepath.Dir(page), target)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, m[1])
				continue
			}
			if anchor != "" && !anchors[to][anchor] {
				t.Errorf("%s links to %s, but there is no such heading", page, m[1])
			}
		}
	}
}
