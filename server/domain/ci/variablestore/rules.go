package variablestore

import (
	"regexp"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/store/model"
)

const (
	maxKey         = 255
	maxValue       = 10000
	maxDescription = 255
	maxScope       = 255

	// AllScopes is the scope of a variable that all jobs get.
	AllScopes = "*"
)

var (
	keyFormat   = regexp.MustCompile(`\A[a-zA-Z0-9_]+\z`)
	scopeFormat = regexp.MustCompile(`\A[a-zA-Z0-9_/${}. *-]+\z`)
	// «one line, at least 8 characters, only Base64 characters plus @ : . ~»
	maskFormat = regexp.MustCompile(`\A[a-zA-Z0-9_+=/@:.~-]{8,}\z`)
)

func maskable(value string) bool { return maskFormat.MatchString(value) }

// checkKey validates a new key.
func checkKey(broken map[string][]string, key string) {
	if utf8.RuneCountInString(key) > maxKey {
		broken["key"] = append(broken["key"], "is too long (maximum is 255 characters)")
	}
	switch {
	case key == "":
		broken["key"] = append(broken["key"], "can't be blank")
	case !keyFormat.MatchString(key):
		broken["key"] = append(broken["key"], "can contain only letters, digits and '_'.")
	}
}

// checkValue validates the value and description of a variable.
func checkValue(broken map[string][]string, value string, description *string, masked bool) {
	if len(value) > maxValue && utf8.RuneCountInString(value) > maxValue {
		broken["value"] = append(broken["value"], "The value of the provided variable exceeds the 10000 character limit")
	}
	if masked && !maskable(value) {
		broken["value"] = append(broken["value"], "is invalid")
	}
	if description != nil && utf8.RuneCountInString(*description) > maxDescription {
		broken["description"] = append(broken["description"], "is too long (maximum is 255 characters)")
	}
}

// checkOwned validates a variable and returns all broken rules.
func checkOwned(broken map[string][]string, row model.OwnedVariable) error {
	checkValue(broken, row.Value, row.Description, row.Masked)
	switch {
	case row.EnvironmentScope == "":
		broken["environment_scope"] = []string{"can't be blank"}
	case utf8.RuneCountInString(row.EnvironmentScope) > maxScope:
		broken["environment_scope"] = []string{"is too long (maximum is 255 characters)"}
	case !scopeFormat.MatchString(row.EnvironmentScope):
		broken["environment_scope"] = []string{
			"can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces",
		}
	}
	return invalidOrNil(broken)
}

// invalidOrNil returns one error for all broken rules.
func invalidOrNil(broken map[string][]string) error {
	if len(broken) > 0 {
		return apierr.InvalidFields(broken)
	}
	return nil
}
