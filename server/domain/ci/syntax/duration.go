package syntax

import (
	"strconv"
	"strings"
	"time"
)

const (
	day   = 24 * time.Hour
	week  = 7 * day
	month = 30 * day
	year  = 365*day + 6*time.Hour
)

// maxDuration is longer than any useful duration. Sums below it cannot overflow.
const maxDuration = 100 * year

var units = map[string]time.Duration{
	"s": time.Second, "sec": time.Second, "secs": time.Second, "second": time.Second, "seconds": time.Second,
	"m": time.Minute, "min": time.Minute, "mins": time.Minute, "minute": time.Minute, "minutes": time.Minute,
	"h": time.Hour, "hr": time.Hour, "hrs": time.Hour, "hour": time.Hour, "hours": time.Hour,
	"d": day, "day": day, "days": day,
	"w": week, "wk": week, "wks": week, "week": week, "weeks": week,
	"mo": month, "mos": month, "month": month, "months": month,
	"y": year, "yr": year, "yrs": year, "year": year, "years": year,
}

// ParseDuration reads a duration in the format of CI files: "1h 30m", "3 hours and 5 minutes", "2 weeks", "1:30:00", or
// a number of seconds. A day has 24 hours, and a month has 30 days.
func ParseDuration(source string) (time.Duration, bool) {
	source = strings.ToLower(strings.TrimSpace(source))
	if source == "" || len(source) > 100 {
		return 0, false
	}
	if strings.Contains(source, ":") {
		return clockDuration(source)
	}
	var total time.Duration
	found := false
	for rest := source; ; {
		rest = strings.TrimLeft(rest, " \t,")
		if rest == "" {
			return total, found
		}
		if after, ok := strings.CutPrefix(rest, "and "); ok && found {
			rest = after
			continue
		}
		number, unit, after := durationPart(rest)
		amount, err := strconv.ParseFloat(number, 64)
		length := units[unit]
		if unit == "" && number == source {
			length = time.Second
		}
		if err != nil || length == 0 || amount*float64(length) > float64(maxDuration-total) {
			return 0, false
		}
		total += time.Duration(amount * float64(length))
		found = true
		rest = after
	}
}

// durationPart splits a number and its unit from the beginning of a text.
func durationPart(rest string) (number, unit, after string) {
	n := 0
	for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] == '.') {
		n++
	}
	number, rest = rest[:n], strings.TrimLeft(rest[n:], " \t")
	n = 0
	for n < len(rest) && rest[n] >= 'a' && rest[n] <= 'z' {
		n++
	}
	return number, rest[:n], rest[n:]
}

// clockDuration reads 1:30 (minutes and seconds) and 1:30:00.
func clockDuration(source string) (time.Duration, bool) {
	parts := strings.Split(source, ":")
	if len(parts) > 3 {
		return 0, false
	}
	var seconds int
	for _, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > 100_000 || len(part) > 6 {
			return 0, false
		}
		seconds = seconds*60 + n
	}
	return time.Duration(seconds) * time.Second, true
}
