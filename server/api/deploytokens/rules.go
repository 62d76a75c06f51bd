package deploytokens

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"svc/gen"
)

// maxText is the maximum length of the name and of the username of a token.
const maxText = 255

var usernameFormat = regexp.MustCompile(`\A[a-zA-Z0-9_.+-]+\z`)

// check returns the validation errors of a deploy token, by field.
func check(b gen.DeployTokenCreate) map[string][]string {
	broken := map[string][]string{}
	add := func(field, text string) { broken[field] = append(broken[field], text) }
	switch {
	case strings.TrimSpace(b.Name) == "":
		add("name", "can't be blank")
	case utf8.RuneCountInString(b.Name) > maxText:
		add("name", "is too long (maximum is 255 characters)")
	}
	if name := b.Username.Ptr(); name != nil && *name != "" {
		switch {
		case len(*name) > maxText:
			add("username", "is too long (maximum is 255 characters)")
		case !usernameFormat.MatchString(*name):
			add("username", "can contain only letters, digits, '_', '-', '+', and '.'")
		}
	}
	return broken
}
