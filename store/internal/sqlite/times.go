package sqlite

import (
	"fmt"
	"strings"
	"time"
)

// timeLayout is how times are stored, in UTC. Texts compare like times because all are in the same zone.
const timeLayout = "2006-01-02 15:04:05.999999999-07:00"

// otherLayouts are further forms of times that SQLite's own functions and other programs write.
var otherLayouts = []string{
	timeLayout, "2006-01-02T15:04:05.999999999-07:00", "2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999",
	"2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly,
}

// appendTime appends a time as it is stored.
func appendTime(b []byte, t time.Time) []byte { return t.UTC().AppendFormat(b, timeLayout) }

// ParseTime reads a time as it is stored.
func ParseTime(text string) (time.Time, error) {
	if t, ok := parseUTC(text); ok {
		return t, nil
	}
	for _, layout := range otherLayouts {
		if t, err := time.Parse(layout, strings.TrimSuffix(text, "Z")); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time", text)
}

// parseUTC reads a time that was stored by this program, without time.Parse, which takes ten times as long.
func parseUTC(text string) (time.Time, bool) {
	const whole, digits = "0000-00-00 00:00:00", 9
	rest, utc := strings.CutSuffix(text, "+00:00")
	if !utc || len(rest) < len(whole) || len(rest) > len(whole)+1+digits {
		return time.Time{}, false
	}
	var parts [7]int // year, month, day, hour, minute, second, nanosecond
	part := 0
	for i := range len(rest) {
		digit := rest[i] - '0'
		switch {
		case digit <= 9:
			parts[part] = parts[part]*10 + int(digit)
		case i < len(whole) && rest[i] == whole[i], i == len(whole) && rest[i] == '.':
			part++
		default:
			return time.Time{}, false
		}
	}
	if part < 5 {
		return time.Time{}, false
	}
	for range len(whole) + 1 + digits - max(len(rest), len(whole)+1) {
		parts[6] *= 10
	}
	return time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], parts[6], time.UTC), true
}
