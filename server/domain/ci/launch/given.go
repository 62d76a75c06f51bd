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
	maxValue = 10_000 // characters
	maxGiven = 1000   // variables
)

var keyFormat = regexp.MustCompile(`\A[a-zA-Z0-9_]{1,255}\z`)

// CheckVariable tells what is wrong with a variable that somebody gives to pipelines.
func CheckVariable(key, value string) error {
	switch {
	case !keyFormat.MatchString(key):
		return apierr.Invalid("key", "can contain only letters, digits and '_', and is at most 255 characters long")
	case utf8.RuneCountInString(value) > maxValue:
		return apierr.Invalid("value", fmt.Sprintf("is too long (maximum is %d characters)", maxValue))
	}
	return nil
}

// MayGive returns whether the user who the project was read for may give variables to its pipelines and jobs: developers, and
// only maintainers where the project restricts it.
func MayGive(row model.ProjectRow) bool {
	return !row.Project.RestrictUserDefinedVariables || row.Role() >= model.Maintainer
}

// CheckGiven returns what is wrong with the variables that a user runs a pipeline with. Launch judges their role once more.
func CheckGiven(row model.ProjectRow, given []model.PipelineVariable) error {
	if len(given) == 0 {
		return nil
	}
	if !MayGive(row) {
		return apierr.Invalid("base", noGiving)
	}
	if len(given) > maxGiven {
		return apierr.Invalid("variables", fmt.Sprintf("are too many (maximum is %d)", maxGiven))
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

// Answer is what a caller is told who wanted a pipeline.
func Answer(err error) error {
	var no *RefusedError
	if errors.As(err, &no) {
		return apierr.Invalid("base", no.Texts...)
	}
	return err
}
