package featureflag

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/store/model"
)

// The strategies.
const (
	everybody    = "default"
	gradual      = "gradualRolloutUserId"
	flexible     = "flexibleRollout"
	withUserIDs  = "userWithId"
	withUserList = "gitlabUserList"
)

const (
	minName = 2
	maxName = 63
	maxText = 255
	maxUser = 256 // characters of the ID of a user
)

var (
	nameFormat  = regexp.MustCompile(`\A[a-z]([a-z0-9_-]*[a-z0-9])?\z`)
	groupFormat = regexp.MustCompile(`\A[a-zA-Z0-9_.-]{1,64}\z`)
	scopeFormat = regexp.MustCompile(`\A[a-zA-Z0-9_/${}. *-]+\z`)
)

// Strategies returns the names of the strategies, for forms.
func Strategies() []string { return []string{everybody, flexible, gradual, withUserIDs, withUserList} }

// parametersOf lists the parameters that each strategy must have.
var parametersOf = map[string][]string{
	everybody: {}, gradual: {"groupId", "percentage"}, flexible: {"groupId", "rollout", "stickiness"},
	withUserIDs: {"userIds"}, withUserList: {},
}

// broken collects the rules that a change breaks.
type broken []string

func (b *broken) add(text string) {
	if !slices.Contains(*b, text) {
		*b = append(*b, text)
	}
}

// err returns one error for all broken rules.
func (b *broken) err() error {
	if len(*b) == 0 {
		return nil
	}
	return apierr.RefusedAll(*b...)
}

// checkFlag checks the name and the description of a flag.
func (b *broken) checkFlag(f model.FeatureFlag) {
	switch n := utf8.RuneCountInString(f.Name); {
	case n < minName:
		b.add(fmt.Sprintf("Name is too short (minimum is %d characters)", minName))
	case n > maxName:
		b.add(fmt.Sprintf("Name is too long (maximum is %d characters)", maxName))
	case !nameFormat.MatchString(f.Name):
		b.add("Name can contain only lowercase letters, digits, '_' and '-'. Must start with a letter, and cannot end with '-' or '_'")
	}
	if f.Description != nil && utf8.RuneCountInString(*f.Description) > maxText {
		b.add(fmt.Sprintf("Description is too long (maximum is %d characters)", maxText))
	}
}

// checkStrategy checks the name, the parameters, the user list and the scopes of a strategy.
func (b *broken) checkStrategy(row model.FeatureFlagStrategyRow) error {
	names, known := parametersOf[row.Name]
	if !known {
		b.add("Strategies name is invalid")
		return nil
	}
	var given map[string]any
	if err := json.Unmarshal([]byte(row.Parameters), &given); err != nil {
		return err
	}
	b.checkParameters(names, given)
	if row.Name == withUserList && row.UserListID == nil {
		b.add("Strategies user list can't be blank")
	}
	if len(row.Scopes) > maxScopes {
		b.add(fmt.Sprintf("Strategies scopes are too many (maximum is %d)", maxScopes))
	}
	seen := map[string]bool{}
	for _, scope := range row.Scopes {
		b.checkScope(scope.EnvironmentScope)
		if seen[scope.EnvironmentScope] {
			b.add("Strategies scopes environment scope has already been taken")
		}
		seen[scope.EnvironmentScope] = true
	}
	return nil
}

// checkParameters checks that a strategy has exactly its parameters, and that their values fit.
func (b *broken) checkParameters(names []string, given map[string]any) {
	for name := range given {
		if !slices.Contains(names, name) {
			b.add("Strategies parameters are invalid")
		}
	}
	for _, name := range names {
		value, isText := given[name].(string)
		if text := wrongParameter(name, value, isText); text != "" {
			b.add("Strategies parameters " + text)
		}
	}
}

// wrongParameter says what is wrong with a parameter, or nothing.
func wrongParameter(name, value string, isText bool) string {
	switch name {
	case "percentage", "rollout":
		n, err := strconv.Atoi(value)
		if !isText || err != nil || n < 0 || n > 100 || strconv.Itoa(n) != value {
			return name + " must be a string between 0 and 100 inclusive"
		}
	case "groupId":
		if !groupFormat.MatchString(value) {
			return "groupId parameter is invalid"
		}
	case "stickiness":
		if !slices.Contains([]string{"default", "userId", "sessionId", "random"}, value) {
			return "stickiness parameter must be default, userId, sessionId, or random"
		}
	case "userIds":
		if !isText || value == "" || slices.ContainsFunc(strings.Split(value, ","), wrongUser) {
			return "userIds must be a string of comma separated values each 256 characters or less"
		}
	}
	return ""
}

// wrongUser reports whether a text cannot be the ID of a user.
func wrongUser(id string) bool {
	return id == "" || strings.TrimSpace(id) != id || utf8.RuneCountInString(id) > maxUser
}

// checkScope checks the environments of a scope.
func (b *broken) checkScope(scope string) {
	switch {
	case scope == "":
		b.add("Strategies scopes environment scope can't be blank")
	case utf8.RuneCountInString(scope) > maxText:
		b.add(fmt.Sprintf("Strategies scopes environment scope is too long (maximum is %d characters)", maxText))
	case !scopeFormat.MatchString(scope):
		b.add("Strategies scopes environment scope can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces")
	}
}
