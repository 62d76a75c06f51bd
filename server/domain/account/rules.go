package account

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/server/platform/naming"
	"svc/store/setting"
)

// FieldErrors lists the rules that input breaks: messages by field.
type FieldErrors map[string][]string

// Add adds the message of a broken rule to a field.
func (b FieldErrors) Add(field, text string) { b[field] = append(b[field], text) }

const (
	maxName     = 255
	maxAddress  = 254 // RFC 5321 §4.5.3.1
	maxLocal    = 64
	maxPassword = 128
)

// CheckUsername checks a username. Only ASCII is allowed, so that no two names look alike.
func CheckUsername(b FieldErrors, username string) {
	lower := strings.ToLower(username)
	switch {
	case username == "":
		b.Add("username", "can't be blank")
	case utf8.RuneCountInString(username) > maxName:
		b.Add("username", "is too long (maximum is 255 characters)")
	case naming.Reserved(username):
		b.Add("username", username+" is a reserved name")
	case !usernameFormat.MatchString(username) || strings.HasSuffix(lower, ".git") || strings.HasSuffix(lower, ".atom"):
		b.Add(
			"username",
			"can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or '.', or end in '.', '.git' or '.atom'.",
		)
	case strings.HasSuffix(lower, ".json"): // a URL that ends with .json may mean something else than a user
		b.Add("username", "ending with a reserved file extension is not allowed.")
	}
}

// CheckName checks the display name of a user.
func CheckName(b FieldErrors, name string) {
	if text := naming.Person(name); text != "" {
		b.Add("name", text)
	}
}

// addressFormat matches an ASCII address without quotes and comments, so that no two different addresses look alike.
var addressFormat = regexp.MustCompile("\\A[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+)*@" +
	`[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\z`)

// CheckEmail checks a mail address.
func CheckEmail(b FieldErrors, field, address string) {
	local, _, _ := strings.Cut(address, "@")
	switch {
	case address == "":
		b.Add(field, "can't be blank")
	case len(address) > maxAddress:
		b.Add(field, "is too long (maximum is 254 characters)")
	case len(local) > maxLocal || !addressFormat.MatchString(address):
		b.Add(field, "is invalid")
	}
}

// CheckPassword checks a new password against the rules of the settings. It must not contain any of words, which are known
// facts about the user, such as names.
func CheckPassword(b FieldErrors, rules *setting.Values, password string, words ...string) {
	length := utf8.RuneCountInString(password)
	switch {
	case length == 0:
		b.Add("password", "can't be blank")
	case int64(length) < rules.MinimumPasswordLength:
		b.Add("password", fmt.Sprintf("is too short (minimum is %d characters)", rules.MinimumPasswordLength))
	case length > maxPassword:
		b.Add("password", "is too long (maximum is 128 characters)")
	case guessable(password, words):
		b.Add("password", "must not contain commonly used combinations of words and letters")
	default:
		checkCharacters(b, rules, password)
	}
}

// checkCharacters checks that a password contains the kinds of characters that the settings require.
func checkCharacters(b FieldErrors, rules *setting.Values, password string) {
	symbol := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, need := range []struct {
		required bool
		has      func(rune) bool
		text     string
	}{
		{rules.PasswordNumberRequired, unicode.IsDigit, "must contain at least one number"},
		{rules.PasswordLowercaseRequired, unicode.IsLower, "must contain at least one lowercase letter"},
		{rules.PasswordUppercaseRequired, unicode.IsUpper, "must contain at least one uppercase letter"},
		{rules.PasswordSymbolRequired, symbol, "must contain at least one symbol"},
	} {
		if need.required && !strings.ContainsFunc(password, need.has) {
			b.Add("password", need.text)
		}
	}
}

// PasswordHint describes the length of new passwords to people.
func PasswordHint(rules *setting.Values) string {
	return fmt.Sprintf("At least %d characters", rules.MinimumPasswordLength)
}

// common lists parts of passwords that attackers try first.
var common = []string{
	"password", "passw0rd", "12345678", "qwertyui", "qwerty123", "letmein", "iloveyou", "11111111", "abcd1234",
	"1q2w3e4r", "baseball", "football", "sunshine", "trustno1",
}

const leastWord = 4 // shorter parts of a name occur in too many good passwords

func guessable(password string, words []string) bool {
	lower := strings.ToLower(password)
	for _, word := range common {
		if strings.Contains(lower, word) {
			return true
		}
	}
	for _, known := range words {
		local, _, _ := strings.Cut(strings.ToLower(known), "@")
		for _, word := range append(strings.Fields(local), local) {
			if utf8.RuneCountInString(word) >= leastWord && strings.Contains(lower, word) {
				return true
			}
		}
	}
	return false
}
