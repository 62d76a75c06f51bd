package account

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/server/platform/naming"
)

// Broken are the rules that input breaks: texts by field.
type Broken map[string][]string

// Add notes a broken rule of a field.
func (b Broken) Add(field, text string) { b[field] = append(b[field], text) }

const (
	maxName     = 255
	maxAddress  = 254 // RFC 5321 §4.5.3.1
	maxLocal    = 64
	maxPassword = 128
)

// CheckUsername holds a username to its rules. Only ASCII is allowed, so no two names look alike.
func CheckUsername(b Broken, username string) {
	lower := strings.ToLower(username)
	switch {
	case username == "":
		b.Add("username", "can't be blank")
	case utf8.RuneCountInString(username) > maxName:
		b.Add("username", "is too long (maximum is 255 characters)")
	case naming.Reserved(username):
		b.Add("username", username+" is a reserved name")
	case !usernameFormat.MatchString(username) || strings.HasSuffix(lower, ".git") || strings.HasSuffix(lower, ".atom"):
		b.Add("username", "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or '.', or end in '.', '.git' or '.atom'.")
	case strings.HasSuffix(lower, ".json"): // a path may end so without meaning it
		b.Add("username", "ending with a reserved file extension is not allowed.")
	}
}

// CheckName holds the name of a user to its rules: text on one line that does not turn the text around it.
func CheckName(b Broken, name string) {
	switch {
	case strings.TrimSpace(name) == "":
		b.Add("name", "can't be blank")
	case utf8.RuneCountInString(name) > maxName:
		b.Add("name", "is too long (maximum is 255 characters)")
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }):
		b.Add("name", "is invalid")
	}
}

// addressFormat is an address without quotes and comments, in ASCII, so that no two spellings only look alike.
var addressFormat = regexp.MustCompile("\\A[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+)*@" +
	`[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\z`)

// CheckEmail holds a mail address to its rules.
func CheckEmail(b Broken, field, address string) {
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

// CheckPassword holds a new password to its rules; words are what is known of the user and easily guessed.
func CheckPassword(b Broken, password string, words ...string) {
	length := utf8.RuneCountInString(password)
	switch {
	case length == 0:
		b.Add("password", "can't be blank")
	case length < MinPassword:
		b.Add("password", "is too short (minimum is 8 characters)")
	case length > maxPassword:
		b.Add("password", "is too long (maximum is 128 characters)")
	case guessable(password, words):
		b.Add("password", "must not contain commonly used combinations of words and letters")
	}
}

// common are parts of passwords that are tried first.
var common = []string{"password", "passw0rd", "12345678", "qwertyui", "qwerty123", "letmein", "iloveyou", "11111111", "abcd1234", "1q2w3e4r", "baseball", "football", "sunshine", "trustno1"}

const leastWord = 4 // shorter parts of a name are in too many good passwords

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
