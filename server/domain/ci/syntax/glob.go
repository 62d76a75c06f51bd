package syntax

import (
	"regexp"
	"strings"
)

// glob is a pattern for paths: * and ? do not match a slash, **/ matches any number of folders, [ab] matches one of the
// characters, and {a,b} matches either text. It is compiled to RE2, so no pattern takes long.
type glob struct {
	exact    string // for a pattern without special characters
	compiled *regexp.Regexp
}

const maxGlob = 1000 // bytes

// newGlob compiles a pattern. It returns false if the pattern is too long or invalid; such a pattern matches nothing.
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

// newIncludeGlob compiles a pattern of include:local, which has a simpler syntax: * does not match a slash, ** does,
// and everything else stands for itself. ci/**.yml matches files in ci and below, ci/**/*.yml only files below.
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

// globChars are the characters that turn a path into a pattern.
const globChars = `*?[{\`

func isGlob(source string) bool { return strings.ContainsAny(source, globChars) }

func (g glob) match(path string) bool {
	if g.compiled == nil {
		return g.exact != "" && g.exact == path
	}
	return g.compiled.MatchString(path)
}

// globSource translates the pattern to a regular expression.
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

// globEnds returns a prefix and a suffix that every matching path has.
func globEnds(source string) (prefix, suffix string) {
	first, last := strings.IndexAny(source, globChars), strings.LastIndexAny(source, globChars+"]}")
	if first < 0 {
		return source, source
	}
	prefix, suffix = source[:first], source[last+1:]
	if strings.HasSuffix(source[:last+1], "**") {
		suffix = strings.TrimPrefix(suffix, "/") // **/ may match no folder at all
	}
	if strings.Contains(prefix, ",") || strings.Contains(suffix, ",") {
		return "", "" // the comma may be inside braces
	}
	return prefix, suffix
}

// quoteByte does not quote the bytes of multi-byte characters. They appear in the same order in the pattern and in the
// path.
func quoteByte(c byte) string {
	if c >= 0x80 {
		return string([]byte{c})
	}
	return regexp.QuoteMeta(string(rune(c)))
}

// setLength returns the length of [ab] at the beginning of a text, or 0 if the set has no end.
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
