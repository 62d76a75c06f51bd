// Package duration reads and writes working time the way people write it: 3h30m, 1w 2d. A month has four weeks, a week
// five days and a day eight hours.
package duration

import (
	"strconv"
	"strings"
)

var units = []struct {
	name    string
	seconds int64
}{{"mo", 4 * 5 * 8 * 3600}, {"w", 5 * 8 * 3600}, {"d", 8 * 3600}, {"h", 3600}, {"m", 60}, {"s", 1}}

// most is the longest accepted time in seconds: 100 years of work.
const most = 100 * 12 * 4 * 5 * 8 * 3600

// Parse returns the seconds of a time; false if the text is not a time. A leading minus makes it negative. A number
// without a unit counts hours.
func Parse(text string) (int64, bool) {
	text = strings.TrimSpace(text)
	sign := int64(1)
	if rest, minus := strings.CutPrefix(text, "-"); minus {
		sign, text = -1, strings.TrimSpace(rest)
	}
	if text == "" || len(text) > 100 {
		return 0, false
	}
	total := int64(0)
	for text != "" {
		end := 0
		for end < len(text) && (text[end] >= '0' && text[end] <= '9' || text[end] == '.') {
			end++
		}
		n, err := strconv.ParseFloat(text[:end], 64)
		if err != nil {
			return 0, false
		}
		text = strings.TrimLeft(text[end:], " ")
		name := strings.TrimRight(text[:len(text)-len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz"))], " ")
		size, known := unit(name)
		if !known {
			return 0, false
		}
		text = strings.TrimLeft(text[len(name):], " ")
		if n > most || total > most {
			return 0, false
		}
		total += int64(n * float64(size))
	}
	return sign * total, total <= most
}

// unit returns the seconds of a unit; false if there is no such unit. An empty name means an hour.
func unit(name string) (int64, bool) {
	switch name {
	case "", "hr", "hrs", "hour", "hours":
		name = "h"
	case "month", "months":
		name = "mo"
	case "week", "weeks":
		name = "w"
	case "day", "days":
		name = "d"
	case "min", "mins", "minute", "minutes":
		name = "m"
	case "sec", "secs", "second", "seconds":
		name = "s"
	}
	for _, u := range units {
		if u.name == name {
			return u.seconds, true
		}
	}
	return 0, false
}

// Human writes seconds the way people write working time; 0 gives an empty text.
func Human(seconds int64) string {
	var parts []string
	sign := ""
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	for _, u := range units {
		if n := seconds / u.seconds; n > 0 {
			parts = append(parts, strconv.FormatInt(n, 10)+u.name)
			seconds -= n * u.seconds
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return sign + strings.Join(parts, " ")
}
