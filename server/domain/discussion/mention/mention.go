// Package mention finds the users, groups and issues that a text mentions. It never renders text.
package mention

import (
	"regexp"
	"strconv"
	"strings"
)

// MaxNames is the maximum number of names that are found in one text.
const MaxNames = 100

var (
	fence   = regexp.MustCompile("(?ms)^ {0,3}(```|~~~).*?(?:^ {0,3}(```|~~~)[ \t]*$|\\z)")
	quoted  = regexp.MustCompile(`(?m)^ {0,3}>.*$`)
	inline  = regexp.MustCompile("`[^`\n]*`")
	mention = regexp.MustCompile(`(?:^|[^\w/.@+-])@([A-Za-z0-9_][A-Za-z0-9_.-]{0,254})`)
	address = regexp.MustCompile(`^\s*((?:@[A-Za-z0-9_][A-Za-z0-9_.-]*[\s,:;]*(?:and\s+)?)+)`)
	issue   = regexp.MustCompile(`(?:^|[^\w/&#-])((?:[A-Za-z0-9_][\w.-]*(?:/[\w.-]+)+)?)#(\d{1,12})\b`)
	closing = regexp.MustCompile(`(?i)\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|` +
		`ed|ing)?)(?::?\s+(?:issues?\s+)?)` +
		`((?:(?:[A-Za-z0-9_][\w.-]*(?:/[\w.-]+)+)?#\d{1,12}(?:\s*,\s*(?:and\s+)?|\s+and\s+)?)+)`)
)

// plain returns a text without its code, because code mentions nobody.
func plain(text string) string {
	return inline.ReplaceAllString(fence.ReplaceAllString(text, ""), "")
}

// Mentions returns the names of users and groups that a text mentions with an @, each once, at most Most of them. Names
// in code and in quotes do not count.
func Mentions(text string) []string {
	if !strings.Contains(text, "@") {
		return nil
	}
	var names []string
	seen := map[string]bool{}
	for _, m := range mention.FindAllStringSubmatch(quoted.ReplaceAllString(plain(text), ""), 10*MaxNames) {
		name := strings.TrimRight(m[1], ".-")
		if key := strings.ToLower(name); name != "" && !seen[key] && len(names) < MaxNames {
			seen[key] = true
			names = append(names, name)
		}
	}
	return names
}

// Addressed returns the names, in lower case, that a text begins with. Such a text is addressed to them.
func Addressed(text string) map[string]bool {
	names := map[string]bool{}
	for _, name := range Mentions(address.FindString(text)) {
		names[strings.ToLower(name)] = true
	}
	return names
}

// Reference names an issue: the full path of its project, or "" for the project that the text belongs to, and its IID.
type Reference struct {
	Project string
	IID     int64
}

// AnyIssue reports whether a text may mention an issue.
func AnyIssue(text string) bool { return strings.Contains(text, "#") }

// Issues returns the issues that a text mentions, each once, at most Most of them, and which of them the text closes.
func Issues(text string) (named []Reference, closes map[Reference]bool) {
	closes = map[Reference]bool{}
	if !AnyIssue(text) {
		return nil, closes
	}
	text = plain(text)
	for _, m := range closing.FindAllStringSubmatch(text, MaxNames) {
		for _, ref := range references(m[1]) {
			closes[ref] = true
		}
	}
	return references(text), closes
}

func references(text string) []Reference {
	var all []Reference
	seen := map[Reference]bool{}
	// Double the separator between two names, because each match consumes one.
	for _, m := range issue.FindAllStringSubmatch(strings.NewReplacer(" ", "  ", ",", ", ").Replace(text), 10*MaxNames) {
		iid, err := strconv.ParseInt(m[2], 10, 64)
		ref := Reference{m[1], iid}
		if err == nil && iid > 0 && !seen[ref] && len(all) < MaxNames {
			seen[ref] = true
			all = append(all, ref)
		}
	}
	return all
}
