package launch

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/store/model"
)

const (
	maxValue     = 10_000 // characters
	maxVariables = 1000   // variables
)

var keyFormat = regexp.MustCompile(`\A[a-zA-Z0-9_]{1,255}\z`)

// CheckVariable returns an error if the key or value of a pipeline variable is invalid.
func CheckVariable(key, value string) error {
	switch {
	case !keyFormat.MatchString(key):
		return apierr.Invalid("key", "can contain only letters, digits and '_', and is at most 255 characters long")
	case utf8.RuneCountInString(value) > maxValue:
		return apierr.Invalid("value", fmt.Sprintf("is too long (maximum is %d characters)", maxValue))
	}
	return nil
}

// MaySetVariables reports whether the user for whom the project row was read may pass variables to its pipelines and jobs.
// Developers may. If the project restricts user-defined variables, only maintainers may.
func MaySetVariables(row model.ProjectRow) bool {
	return !row.Project.RestrictUserDefinedVariables || row.Role() >= model.Maintainer
}

// CheckVariables returns an error if the variables for a new pipeline are invalid or not allowed. Launch checks the
// permission again.
func CheckVariables(row model.ProjectRow, given []model.PipelineVariable) error {
	if len(given) == 0 {
		return nil
	}
	if !MaySetVariables(row) {
		return apierr.Invalid("base", noVariables)
	}
	if len(given) > maxVariables {
		return apierr.Invalid("variables", fmt.Sprintf("are too many (maximum is %d)", maxVariables))
	}
	var keys []string
	for _, v := range given {
		if err := CheckVariable(v.Key, v.Value); err != nil {
			return err
		}
		keys = append(keys, v.Key)
	}
	slices.Sort(keys)
	for i := 1; i < len(keys); i++ {
		if keys[i] == keys[i-1] {
			return apierr.Invalid("variables", "have duplicate values ("+keys[i]+")")
		}
	}
	return nil
}

// APIError turns a *RefusedError into an API error.
func APIError(err error) error {
	var no *RefusedError
	if errors.As(err, &no) {
		return apierr.Invalid("base", no.Texts...)
	}
	return err
}
