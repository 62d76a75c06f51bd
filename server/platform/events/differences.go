package events

import (
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"
)

// longest is how much of a text is told of a change.
const longest = 255

// unsaid are fields that change by themselves, that are told of in another way, or that nobody is to read.
var unsaid = map[string]bool{
	"ID": true, "CreatedAt": true, "UpdatedAt": true, "LastActivityAt": true, "Version": true, "PasswordHash": true, "PasswordExpiresAt": true, "Value": true, "Digest": true, "SecretDigest": true,
	"Avatar": true, "FullPath": true, "FullName": true,
}

// Differences tells what differs between a row before and after a change, each as a change like the one given: its field, and the
// values from and to. Both are of one type.
func Differences(before, after any, like Change) []Change {
	a, b := reflect.ValueOf(before), reflect.ValueOf(after)
	var changes []Change
	for i := range a.NumField() {
		field := a.Type().Field(i)
		if unsaid[field.Name] || field.Anonymous {
			continue
		}
		from, to := told(a.Field(i)), told(b.Field(i))
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

// told is a value as a change tells it.
func told(v reflect.Value) any {
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
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}

// column is the name of a field as the API writes it.
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
