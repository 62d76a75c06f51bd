package syntax

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// keywordRow is a row of the table of keywords.
type keywordRow struct {
	where    string
	keywords []string
	outcome  string
}

var (
	inBackticks = regexp.MustCompile("`([^`]+)`")
	inBrackets  = regexp.MustCompile(`\([^)]*\)`)
)

// keywordPage returns the page about keywords and the rows of its table. Keywords in brackets are details of others.
func keywordPage(t *testing.T) (string, []keywordRow) {
	t.Helper()
	data, err := os.ReadFile("../../../../docs/ci-keywords.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []keywordRow
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "| ") || len(cells) != 3 || strings.Contains(cells[0], "where") {
			continue
		}
		row := keywordRow{where: strings.Trim(strings.TrimSpace(cells[0]), "`"), outcome: strings.TrimSpace(cells[2])}
		for _, m := range inBackticks.FindAllStringSubmatch(inBrackets.ReplaceAllString(cells[1], ""), -1) {
			row.keywords = append(row.keywords, m[1])
		}
		rows = append(rows, row)
	}
	if len(rows) < 20 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	return string(data), rows
}

// The page about CI files names every keyword of a job, and says of each that is refused that it is.
func TestThePageOfKeywordsHasEveryKeywordOfAJob(t *testing.T) {
	t.Parallel()
	_, rows := keywordPage(t)
	outcome := map[string]string{}
	for _, row := range rows {
		if row.where == "job" || row.where == "pages" {
			for _, keyword := range append(row.keywords, row.where) {
				name, _, _ := strings.Cut(keyword, ":")
				outcome[name] += row.outcome + "; "
			}
		} else {
			for name := range strings.SplitSeq(row.where, "`, `") {
				outcome[name] += " " // it has a row of its own, which is about what it contains
			}
		}
	}
	for keyword := range jobKeys {
		_, refused := refusedKeys[keyword]
		switch said, ok := outcome[keyword]; {
		case !ok:
			t.Errorf("docs/ci-keywords.md does not have %s", keyword)
		case refused && !strings.Contains(said, "refused"):
			t.Errorf("docs/ci-keywords.md does not say that %s is refused", keyword)
		case strings.Contains(said, "unknown"):
			t.Errorf("docs/ci-keywords.md says that %s is unknown", keyword)
		}
	}
	for _, row := range rows {
		if row.where != "job" {
			continue
		}
		for _, keyword := range row.keywords {
			name, _, _ := strings.Cut(keyword, ":")
			if _, known := jobKeys[name]; known == strings.Contains(row.outcome, "unknown") && name != "extends" && name != "!reference" {
				t.Errorf("docs/ci-keywords.md is wrong about %s: a job has it: %v", keyword, known)
			}
		}
	}
}

func TestThePageOfKeywordsHasTheDefaults(t *testing.T) {
	t.Parallel()
	_, rows := keywordPage(t)
	var shown []string
	for _, row := range rows {
		if row.where == "default" {
			shown = append(shown, row.keywords...)
		}
	}
	slices.Sort(shown)
	if !slices.Equal(shown, slices.Sorted(slices.Values(defaultKeys))) {
		t.Errorf("docs/ci-keywords.md has %v for default, the program %v", shown, defaultKeys)
	}
}

// Keywords inside others are in the code as literals of the type fields. The page names each of them.
func TestThePageOfKeywordsHasEveryInnerKeyword(t *testing.T) {
	t.Parallel()
	page, _ := keywordPage(t)
	named := map[string]bool{}
	for _, m := range inBackticks.FindAllStringSubmatch(page, -1) {
		for part := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return r == ':' || r == ' ' }) {
			named[part] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(innerKeys(t))) {
		if !named[key] {
			t.Errorf("docs/ci-keywords.md does not have %s", key)
		}
	}
}

// innerKeys returns the keys of all literals of the type fields, except of keywords that are refused as a whole.
func innerKeys(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			literal, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if kind, ok := literal.Type.(*ast.Ident); !ok || kind.Name != "fields" {
				return true
			}
			for _, element := range literal.Elts {
				pair, _ := element.(*ast.KeyValueExpr)
				if text, ok := pair.Key.(*ast.BasicLit); ok {
					key, _ := strconv.Unquote(text.Value)
					keys[key] = true
				}
			}
			return true
		})
	}
	if len(keys) < 50 {
		t.Fatalf("only %d keys were found", len(keys))
	}
	return keys
}
