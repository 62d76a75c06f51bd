package generate

import (
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// Host is a host that does not exist (RFC 2606): nothing that a generated request causes reaches anyone.
const Host = "fuzz.invalid"

// plain has ordinary texts, and strange has texts that programs get wrong. None of them mentions a user.
var (
	plain   = []string{"a", "main", "web", "Fix the roof", "v1.0.0", "docs/guide.md", "one two", "x-y_z.1", "2026-01-02", "true", "0"}
	strange = []string{
		"", " ", "ключ 鍵 🗝", "e\u0301\u0302\u0303", "\u202eabc\u202d", "a\u0000b",
		"\t\n\r", "../../etc/passwd", "%2e%2e%2f", "' OR '1'='1", `"`,
		"<script>alert(1)</script>", "null", "-1", "1e309", "\\", "a/b/c", ".", "..", "~", "^", "*", "$(id)", "{{7*7}}", "\ufeff", "\ufffd",
		"refs/heads/main", "--upload-pack=x", "HEAD", "a..b", "a@{1}",
	}
)

// text returns a text that follows the schema, if the schema can be followed.
func (s *Source) text(schema *openapi3.Schema) string {
	switch schema.Format {
	case "date":
		return s.day().Format(time.DateOnly)
	case "date-time":
		return s.day().Add(time.Duration(s.IntN(24*60)) * time.Minute).Format(time.RFC3339)
	case "uri":
		return "https://" + Host + "/" + s.letters(1+s.IntN(8))
	case "email":
		return s.letters(1+s.IntN(8)) + "@" + Host
	case "byte", "binary":
		return "aGVsbG8="
	}
	if example, ok := schema.Example.(string); ok && (schema.Pattern != "" || s.Chance(30)) {
		return example
	}
	text := plain[s.IntN(len(plain))]
	switch s.IntN(6) {
	case 0:
		text = strange[s.IntN(len(strange))]
	case 1:
		text = s.letters(1 + s.IntN(12))
	case 2:
		text = s.long(schema)
	}
	return fit(text, schema)
}

// long returns a text of the greatest length that is allowed, or of a length at which programs often break.
func (s *Source) long(schema *openapi3.Schema) string {
	most := []int{63, 64, 255, 256, 1024, 5000}[s.IntN(6)]
	if schema.MaxLength != nil {
		most = min(int(*schema.MaxLength), 20_000)
	}
	letter := []string{"a", "é", "鍵", "🗝"}[s.IntN(4)]
	return strings.Repeat(letter, most)
}

// fit makes a text as long as the schema wants it.
func fit(text string, schema *openapi3.Schema) string {
	letters := []rune(text)
	if schema.MaxLength != nil && uint64(len(letters)) > *schema.MaxLength {
		letters = letters[:*schema.MaxLength]
	}
	for uint64(len(letters)) < schema.MinLength {
		letters = append(letters, 'x')
	}
	return string(letters)
}

// day returns a day in this century.
func (s *Source) day() time.Time {
	return time.Date(2020+s.IntN(20), time.Month(1+s.IntN(12)), 1+s.IntN(28), 0, 0, 0, 0, time.UTC)
}

func (s *Source) letters(n int) string {
	letters := make([]byte, n)
	for i := range letters {
		letters[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[s.IntN(36)]
	}
	return string(letters)
}
