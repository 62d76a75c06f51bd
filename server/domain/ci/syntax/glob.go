package syntax

import (
	"regexp"
	"strings"
)

// glob is a pattern of paths: * and ? stay inside of a folder, **/ goes through folders, [ab] is one of these characters,
// {a,b} is either. It is turned into RE2, so no pattern takes long.
type glob struct {
	exact    string // for a pattern without any of these
	compiled *regexp.Regexp
}

const maxGlob = 1000 // bytes

// newGlob reads a pattern; false if it is too long or makes no sense, then it matches nothing.
func newGlob(source string) (glob, bool) {
	source = strings.TrimPrefix(source, "./")
	if !isGlob(source) {
		return glob{exact: source}, true
	}
	if len(source) > maxGlob {
		return glob{}, false
	}
	compiled, err := regexp.Compile(`\A(?s:` + globSource(source) + `)\z`)
	return glob{compiled: compiled}, err == nil
}

// newIncludeGlob reads a pattern of include:local, which is simpler: * stays inside of a folder, ** does not, and everything
// else is itself. ci/**.yml finds files in ci and below, ci/**/*.yml below only.
func newIncludeGlob(source string) (glob, bool) {
	if len(source) > maxGlob {
		return glob{}, false
	}
	pattern := regexp.QuoteMeta(source)
	pattern = strings.ReplaceAll(pattern, `\*\*`, `.*`)
	pattern = strings.ReplaceAll(pattern, `\*`, `[^/]*`)
	compiled, err := regexp.Compile(`\A(?s:` + pattern + `)\z`)
	return glob{compiled: compiled}, err == nil
}

// globChars are the characters that make a path a pattern.
const globChars = `*?[{\`

func isGlob(source string) bool { return strings.ContainsAny(source, globChars) }

func (g glob) match(path string) bool {
	if g.compiled == nil {
		return g.exact != "" && g.exact == path
	}
	return g.compiled.MatchString(path)
}

// globSource writes the pattern as a regular expression.
func globSource(source string) string {
	var out strings.Builder
	braces := 0
	for i := 0; i < len(source); i++ {
		rest := source[i:]
		atStart := i == 0 || source[i-1] == '/' || source[i-1] == '{' || source[i-1] == ','
		switch c := source[i]; {
		case atStart && strings.HasPrefix(rest, "**/"):
			out.WriteString(`(?:[^/]+/)*`)
			i += 2
		case atStart && rest == "**":
			out.WriteString(`.*`)
			i++
		case c == '*':
			out.WriteString(`[^/]*`)
		case c == '?':
			out.WriteString(`[^/]`)
		case c == '[' && setLength(rest) > 0:
			n := setLength(rest)
			out.WriteString(setSource(rest[1 : n-1]))
			i += n - 1
		case c == '{' && strings.IndexByte(rest, '}') > 0:
			braces++
			out.WriteString(`(?:`)
		case c == '}' && braces > 0:
			braces--
			out.WriteString(`)`)
		case c == ',' && braces > 0:
			out.WriteString(`|`)
		case c == '\\' && i+1 < len(source):
			i++
			out.WriteString(regexp.QuoteMeta(source[i : i+1]))
		default:
			out.WriteString(quoteByte(c))
		}
	}
	out.WriteString(strings.Repeat(")", braces))
	return out.String()
}

// globEnds are the texts with which every path begins and ends that fits a pattern.
func globEnds(source string) (prefix, suffix string) {
	first, last := strings.IndexAny(source, globChars), strings.LastIndexAny(source, globChars+"]}")
	if first < 0 {
		return source, source
	}
	prefix, suffix = source[:first], source[last+1:]
	if strings.HasSuffix(source[:last+1], "**") {
		suffix = strings.TrimPrefix(suffix, "/") // **/ may stand for no folder at all
	}
	if strings.Contains(prefix, ",") || strings.Contains(suffix, ",") {
		return "", "" // perhaps inside of braces
	}
	return prefix, suffix
}

// quoteByte leaves the bytes of longer characters alone: they follow each other in the pattern as they do in the path.
func quoteByte(c byte) string {
	if c >= 0x80 {
		return string([]byte{c})
	}
	return regexp.QuoteMeta(string(rune(c)))
}

// setLength is the length of [ab] at the beginning, 0 if it has no end.
func setLength(rest string) int {
	for i := 2; i < len(rest); i++ {
		if rest[i] == ']' {
			return i + 1
		}
	}
	return 0
}

func setSource(inner string) string {
	negated := inner[0] == '!' || inner[0] == '^'
	if negated {
		inner = inner[1:]
	}
	inner = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `&`, `\&`, `^`, `\^`).Replace(inner)
	if negated {
		return `[^/` + inner + `]`
	}
	return `[` + inner + `]`
}
