package harness

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

var (
	exampleTime   = regexp.MustCompile(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)`)
	exampleDate   = regexp.MustCompile(`\b20\d{2}-\d{2}-\d{2}\b`)
	exampleUnix   = regexp.MustCompile(`\b1[78]\d{8}\b`)
	exampleFloat  = regexp.MustCompile(`\b\d+\.\d{4,}\b`)
	exampleHex    = regexp.MustCompile(`\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})\b`)
	exampleUUID   = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
	exampleSecret = regexp.MustCompile(`\b((?:gl|svc|sik)[a-z]{0,8}-)[A-Za-z0-9_.-]{16,}`)
	exampleFolder = regexp.MustCompile(`/tmp/[A-Za-z0-9_./-]*`)
	exampleHost   = regexp.MustCompile(`127\.0\.0\.1:\d+|\[::1\]:\d+`)
	exampleName   = regexp.MustCompile(`\b([Uu]ser|[Pp]roject|[Gg]roup)[ -]?\d+\b`)
)

// The names of the users, projects and groups that tests number.
var exampleNames = map[string][]string{
	"user":    {"jane", "omar", "lin", "sofia", "kofi", "anna", "raj"},
	"project": {"web", "api", "docs", "tools", "site"},
	"group":   {"acme", "platform", "design", "research", "support"},
}

// The day on which all examples happen.
var exampleDay = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)

// clean replaces what differs in each run: the URL, times, commits and secrets.
func (h *H) clean(text string) string {
	host := strings.TrimPrefix(h.URL, "http://")
	text = strings.ReplaceAll(text, h.URL, "https://svc.example.com")
	text = strings.ReplaceAll(text, host, "svc.example.com")
	text = exampleHost.ReplaceAllString(text, "svc.example.com")
	text = strings.ReplaceAll(text, "@127.0.0.1", "@svc.example.com")
	text = exampleFolder.ReplaceAllString(text, "/srv/svc")
	text = exampleTime.ReplaceAllStringFunc(text, func(found string) string {
		day, clock := moveDay(found[:10]), "T03:04:05Z"
		if strings.Contains(found, ".") {
			clock = "T03:04:05.678Z"
		}
		return day + clock
	})
	text = exampleDate.ReplaceAllStringFunc(text, moveDay)
	text = exampleUnix.ReplaceAllString(text, strconv.FormatInt(exampleDay.Unix(), 10))
	text = exampleFloat.ReplaceAllString(text, "0.25")
	text = withNames(text)
	text = numbered(text, exampleUUID, func(hash string) string {
		return hash[:8] + "-" + hash[8:12] + "-4" + hash[13:16] + "-8" + hash[17:20] + "-" + hash[20:32]
	})
	text = numbered(text, exampleHex, func(hash string) string { return hash })
	text = strings.TrimSuffix(text, "?")
	return exampleSecret.ReplaceAllString(text, "${1}EXAMPLE-qTx1kZtN3cJ7yVbR5sWd")
}

// moveDay moves a day near today so that it is as far from the day of the examples.
func moveDay(day string) string {
	const near = 800 * 24 * time.Hour
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	away := at.Sub(time.Now().UTC().Truncate(24 * time.Hour))
	if away.Abs() > near {
		return day
	}
	return exampleDay.Add(away).Format(time.DateOnly)
}

// numbered replaces each different match by a hash of its number in the text, so that equal ones stay equal.
func numbered(text string, pattern *regexp.Regexp, form func(hash string) string) string {
	seen := map[string]string{}
	text = pattern.ReplaceAllStringFunc(text, func(found string) string {
		if seen[found] == "" {
			sum := sha256.Sum256([]byte(strconv.Itoa(len(seen))))
			seen[found] = form(hex.EncodeToString(sum[:]))[:len(found)]
		}
		return seen[found]
	})
	for found, shown := range seen {
		text = strings.ReplaceAll(text, `"`+found[:8]+`"`, `"`+shown[:8]+`"`) // the short id of a commit
	}
	return text
}

// withNames replaces the numbers of users, projects and groups, which count across all tests, by names.
func withNames(text string) string {
	numbers := map[string][]string{}
	return exampleName.ReplaceAllStringFunc(text, func(found string) string {
		digits := strings.IndexFunc(found, unicode.IsDigit)
		kind := strings.ToLower(strings.TrimRight(found[:digits], " -"))
		i := slices.Index(numbers[kind], found[digits:])
		if i < 0 {
			i = len(numbers[kind])
			numbers[kind] = append(numbers[kind], found[digits:])
		}
		names := exampleNames[kind]
		name := names[i%len(names)]
		if unicode.IsUpper(rune(found[0])) {
			name = strings.ToUpper(name[:1]) + name[1:]
		}
		return name
	})
}
