package token

import "strings"

// BrokenRule is a broken rule: the field that breaks it, and the message.
type BrokenRule struct{ Member, Text string }

// Sentence joins broken rules into one text: "Name can't be blank and Expires at must be in the future".
func Sentence(broken []BrokenRule) string {
	told := make([]string, len(broken))
	for i, b := range broken {
		words := strings.ReplaceAll(b.Member, "_", " ")
		told[i] = strings.ToUpper(words[:1]) + words[1:] + " " + b.Text
	}
	last := len(told) - 1
	if last == 0 {
		return told[0]
	}
	return strings.Join(told[:last], ", ") + " and " + told[last]
}

// ByField groups the messages of broken rules by field.
func ByField(broken []BrokenRule) map[string][]string {
	fields := map[string][]string{}
	for _, b := range broken {
		fields[b.Member] = append(fields[b.Member], b.Text)
	}
	return fields
}
