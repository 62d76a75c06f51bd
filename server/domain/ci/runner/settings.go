package runner

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/store/model"
)

const (
	maxTags        = 50
	maxTag         = 255
	maxDescription = 1024
	minTimeout     = 600
)

// Settings are the settings of a new runner.
type Settings struct {
	Description     *string
	MaintenanceNote *string
	Paused          bool
	Locked          bool
	RunUntagged     *bool // nil: only a runner without tags runs untagged jobs
	Tags            []string
	AccessLevel     string // empty for not_protected
	MaximumTimeout  *int64
}

// runner returns a row with the settings.
func (s Settings) runner() (model.Runner, error) {
	r := model.Runner{
		Description: s.Description, MaintenanceNote: s.MaintenanceNote, Paused: s.Paused, Locked: s.Locked,
		AccessLevel: "not_protected", MaximumTimeout: s.MaximumTimeout,
	}
	tags, err := tagList(s.Tags)
	if err != nil {
		return r, err
	}
	r.RunUntagged = len(tags) == 0
	if s.RunUntagged != nil {
		r.RunUntagged = *s.RunUntagged
	}
	if s.AccessLevel != "" {
		r.AccessLevel = s.AccessLevel
	}
	r.Tags = tagText(tags)
	return r, check(r, tags)
}

// check refuses a runner that could not run any job, and values out of bounds.
func check(r model.Runner, tags []string) error {
	switch {
	case len(tags) == 0 && !r.RunUntagged:
		return apierr.Invalid("tags_list", "can not be empty when runner is not allowed to pick untagged jobs")
	case r.Description != nil && utf8.RuneCountInString(*r.Description) > maxDescription:
		return apierr.Invalid("description", "is too long (maximum is 1024 characters)")
	case r.MaximumTimeout != nil && *r.MaximumTimeout < minTimeout:
		return apierr.Invalid("maximum_timeout", "needs to be at least 10 minutes")
	}
	return nil
}

// tagList returns the trimmed tags, sorted and without duplicates.
func tagList(given []string) ([]string, error) {
	tags := []string{}
	for _, tag := range given {
		if tag = strings.TrimSpace(tag); tag != "" {
			tags = append(tags, tag)
		}
		if utf8.RuneCountInString(tag) > maxTag {
			return nil, apierr.Invalid("tags", "is too long (maximum is 255 characters)")
		}
	}
	slices.Sort(tags)
	tags = slices.Compact(tags)
	if len(tags) > maxTags {
		return nil, apierr.Invalid("tags_list", "Too many tags specified. Please limit the number of tags to 50")
	}
	return tags, nil
}

// tagText returns tags as they are stored.
func tagText(tags []string) string {
	text, _ := json.Marshal(tags) // strings can always be marshaled
	return string(text)
}
