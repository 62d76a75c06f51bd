package account

import (
	"strings"
	"testing"

	"svc/store/setting"
)

func TestUsernamesAreHeldToTheirRules(t *testing.T) {
	t.Parallel()
	for name, good := range map[string]bool{
		"jane": true, "Jane.Doe-1_x": true, "j": true, "root": true, "git": true, "a.b": true,
		"": false, "-jane": false, ".jane": false, "jane.": false, "jane.git": false, "jane.GIT": false,
		"jane.atom": false, "jane.json": false,
		"api": false, "API": false, "-": false, "users": false, "Oauth": false, "jane doe": false, "jane/doe": false, "jane\n": false,
		"jane\x00": false, "jаne": false, "ｊane": false, "jane\u200b": false, "jane%2f": false, "../etc": false,
		strings.Repeat("a", 255): true, strings.Repeat("a", 256): false,
	} {
		b := FieldErrors{}
		if CheckUsername(b, name); (len(b) == 0) != good {
			t.Errorf("%q: %v, want it good: %v", name, b, good)
		}
	}
}

func TestAddressesAreHeldToTheirRules(t *testing.T) {
	t.Parallel()
	for address, good := range map[string]bool{
		"jane@example.com": true, "jane+tag@sub.example.com": true, "o'neill@example.com": true,
		"": false, "jane": false, "jane@": false, "@example.com": false, "a@b@c": false, "jane@example.com\n": false,
		"jane\t@example.com":   false,
		"jane\x01@example.com": false, "Jane <jane@example.com>": false, `"jane doe"@example.com`: false, "jаne@example.com": false,
		"jane@exаmple.com": false, "jane@example.com\r\nBcc: x@y.z": false, "jane\u202e@example.com": false,
		strings.Repeat("a", 64) + "@" + strings.Repeat("b", 200) + ".com": false,
	} {
		b := FieldErrors{}
		if CheckEmail(b, "email", address); (len(b) == 0) != good {
			t.Errorf("%q: %v, want it good: %v", address, b, good)
		}
	}
}

func TestNamesAreHeldToTheirRules(t *testing.T) {
	t.Parallel()
	for name, good := range map[string]bool{
		"Jane": true, "Zoë O'Neill": true, "李小龍": true, "می\u200cخواهم": true,
		"": false, "  ": false, "Jane\nDoe": false, "Jane\x7f": false, "Jane\u202eeoD": false,
		strings.Repeat("ä", 255): true, strings.Repeat("ä", 256): false,
	} {
		b := FieldErrors{}
		if CheckName(b, name); (len(b) == 0) != good {
			t.Errorf("%q: %v, want it good: %v", name, b, good)
		}
	}
}

func TestPasswordsAreHeldToTheirRules(t *testing.T) {
	t.Parallel()
	for password, want := range map[string]string{
		"correct horse":          "",
		"":                       "can't be blank",
		"short7!":                "is too short (minimum is 8 characters)",
		"ÄÖÜäöüß":                "is too short (minimum is 8 characters)",
		strings.Repeat("x", 129): "is too long (maximum is 128 characters)",
		"Password123":            "must not contain commonly used combinations of words and letters",
		"my-JANEdoe-1":           "must not contain commonly used combinations of words and letters",
		"sidney-99-x":            "must not contain commonly used combinations of words and letters",
	} {
		b := FieldErrors{}
		rules := setting.Defaults()
		CheckPassword(b, &rules, password, "janedoe", "Sidney Li", "janedoe@example.com")
		if got := strings.Join(b["password"], "|"); got != want {
			t.Errorf("%q: %q, want %q", password, got, want)
		}
	}
}
