package events

import (
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"
)

// maxTextLength is the number of characters of a text that an audit event keeps.
const maxTextLength = 255

// omittedFields lists fields that change by themselves, that are reported in another way, or that nobody may read.
var omittedFields = map[string]bool{
	"ID": true, "CreatedAt": true, "UpdatedAt": true, "LastActivityAt": true, "Version": true, "PasswordHash": true,
	"PasswordExpiresAt": true, "Value": true, "Digest": true, "SecretDigest": true,
	"Avatar": true, "FullPath": true, "FullName": true,
}

// Differences compares a row before and after a change; both must have the same type. It returns a copy of the given
// change for each field that differs, with the field's name and its values before and after.
func Differences(before, after any, like Change) []Change {
	a, b := reflect.ValueOf(before), reflect.ValueOf(after)
	var changes []Change
	for i := range a.NumField() {
		field := a.Type().Field(i)
		if omittedFields[field.Name] || field.Anonymous {
			continue
		}
		from, to := auditValue(a.Field(i)), auditValue(b.Field(i))
		if reflect.DeepEqual(from, to) {
			continue
		}
		c := like
		c.Field, c.From, c.To = column(field.Name), from, to
		if c.Message == "" {
			c.Message = "Changed " + strings.ReplaceAll(c.Field, "_", " ")
		}
		changes = append(changes, c)
	}
	return changes
}

// auditValue returns a value in the form in which an audit event stores it.
func auditValue(v reflect.Value) any {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch value := v.Interface().(type) {
	case time.Time:
		return value.UTC().Format(time.RFC3339)
	case fmt.Stringer:
		return value.String()
	}
	switch v.Kind() {
	case reflect.String:
		return short(v.String())
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int64:
		return v.Int()
	}
	return short(fmt.Sprint(v.Interface()))
}

func short(text string) string {
	if runes := []rune(text); len(runes) > maxTextLength {
		return string(runes[:maxTextLength]) + "…"
	}
	return text
}

// column returns the name of a Go field in the spelling of the API.
func column(name string) string {
	var out strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
