// Package changelog builds the sections of changelogs from commits and inserts them into files: values in, text out. It
// uses no repository and no database.
//
//	changelog.go  versions, entries and the section of a version
//	config.go     the configuration file
//	pick.go       selects the commits of a section
//	template.go   parses templates
//	render.go     renders templates
//	strftime.go   formats dates
//	insert.go     inserts a section into a file
package changelog

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"
)

// Error is a reason, for the caller, why a changelog cannot be built.
type Error struct{ Reason string }

func (e *Error) Error() string { return e.Reason }

func failed(format string, args ...any) error { return &Error{Reason: fmt.Sprintf(format, args...)} }

// The errors whose texts the API documents.
var (
	ErrNoStart  = &Error{"The commit start range is unspecified, and no previous tag could be found to use instead"}
	ErrNoCommit = &Error{"Invalid or not found commit value in the given range"}
	ErrTooMany  = &Error{"The commits range exceeds 15000 elements."}
)

// MaxCommits is the maximum number of commits in a range.
const MaxCommits = 15000

const maxVersion = 255

// ParseVersion parses a semantic version. A leading v is allowed.
func ParseVersion(text string) (*semver.Version, bool) {
	if len(text) > maxVersion {
		return nil, false
	}
	v, err := semver.StrictNewVersion(strings.TrimPrefix(text, "v"))
	return v, err == nil
}

// Entry is one commit in a changelog.
type Entry struct {
	Title     string
	Category  string // the value of the trailer
	Reference string // of the commit
	WebURL    string // of the commit
	Trailers  map[string]string
	Author    *Author // nil if the author has no account
}

// Author is the user who wrote a commit.
type Author struct {
	Reference   string
	Contributor bool // not a member of the project
	Credit      bool // whether to name the author
}

// Section returns the section of a changelog about one version. It ends with an empty line.
func (c Config) Section(version string, date time.Time, entries []Entry) (string, error) {
	template := c.Template
	if template == nil {
		template = builtIn
	}
	body, err := template.render(map[string]any{"categories": c.categories(entries)})
	if err != nil {
		return "", err
	}
	// The template does not control the header, because Insert must find the section later.
	section := "## " + version + " (" + c.date(date) + ")\n\n"
	if body = strings.TrimSpace(body); body != "" {
		section += body + "\n\n"
	}
	return section, nil
}

func (c Config) date(at time.Time) string {
	format := c.DateFormat
	if format == "" {
		format = "%Y-%m-%d"
	}
	return oneLine.Replace(strftime(format, at))
}

var oneLine = strings.NewReplacer("\n", " ", "\r", " ")

// categories groups entries by category: first the configured categories, then the others in order of appearance.
func (c Config) categories(entries []Entry) []any {
	var titles []string
	titleOf := map[string]string{}
	for _, category := range c.Categories {
		titleOf[category.Value] = category.Title
		titles = append(titles, category.Title)
	}
	in := map[string][]any{}
	for _, e := range entries {
		title, named := titleOf[e.Category]
		if !named {
			title = e.Category
			titles = append(titles, title)
		}
		in[title] = append(in[title], e.value())
	}
	var categories []any
	for _, title := range titles {
		if found := in[title]; len(found) > 0 {
			delete(in, title)
			categories = append(
				categories,
				map[string]any{"title": title, "count": len(found), "single_change": len(found) == 1, "entries": found},
			)
		}
	}
	return categories
}

// value returns an entry as templates see it.
func (e Entry) value() map[string]any {
	trailers := make(map[string]any, len(e.Trailers))
	for key, value := range e.Trailers {
		trailers[key] = value
	}
	value := map[string]any{
		"title":  e.Title,
		"commit": map[string]any{"reference": e.Reference, "web_url": e.WebURL, "trailers": trailers},
	}
	if a := e.Author; a != nil {
		value["author"] = map[string]any{"reference": a.Reference, "contributor": a.Contributor, "credit": a.Credit}
	}
	return value
}

// Tag is a tag with the version in its name.
type Tag struct {
	Name    string
	Version *semver.Version
}

// Before returns the tags of stable versions below the given one, highest first.
func (c Config) Before(version string, names []string) []Tag {
	limit, ok := ParseVersion(version)
	if !ok {
		return nil
	}
	var tags []Tag
	for _, name := range names {
		if v, ok := c.tagVersion(name); ok && v.Prerelease() == "" && v.LessThan(limit) {
			tags = append(tags, Tag{Name: name, Version: v})
		}
	}
	slices.SortStableFunc(tags, func(a, b Tag) int { return b.Version.Compare(a.Version) })
	return tags
}
