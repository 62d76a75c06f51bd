package changelog

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// field is one part of a formatted date: its text, default width and padding.
type field struct {
	text  string
	width int
	pad   byte
}

func number(n, width int) field { return field{strconv.Itoa(n), width, '0'} }

func blank(n, width int) field { return field{strconv.Itoa(n), width, ' '} }

func word(text string) field { return field{text, 0, ' '} }

// composed maps directives to the patterns that they abbreviate.
var composed = map[byte]string{
	'D': "%m/%d/%y", 'x': "%m/%d/%y", 'F': "%Y-%m-%d", 'T': "%H:%M:%S", 'X': "%H:%M:%S", 'R': "%H:%M", 'r': "%I:%M:%S %p",
	'c': "%a %b %e %H:%M:%S %Y", 'v': "%e-%^b-%Y", '+': "%a %b %e %H:%M:%S %Z %Y",
}

const maxWidth = 50

// strftime formats a time by a pattern with % directives, flags and widths. Unknown directives stay as they are.
func strftime(format string, t time.Time) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		end := i + 1
		for end < len(format) && strings.IndexByte("-0^#_:", format[end]) >= 0 {
			end++
		}
		flags := format[i+1 : end]
		digits := end
		for end < len(format) && format[end] >= '0' && format[end] <= '9' {
			end++
		}
		width, err := strconv.Atoi(format[digits:end])
		if digits == end {
			width, err = -1, nil
		}
		if end >= len(format) || err != nil || width > maxWidth {
			b.WriteString(format[i:min(end+1, len(format))])
			i = end
			continue
		}
		f, known := directive(format[end], flags, t)
		if !known {
			b.WriteString(format[i : end+1])
		} else {
			b.WriteString(f.with(flags, width))
		}
		i = end
	}
	return b.String()
}

// with applies flags and a width.
func (f field) with(flags string, width int) string {
	text := f.text
	if width < 0 {
		width = f.width
	}
	for _, flag := range []byte(flags) {
		switch flag {
		case '-':
			width = 0
		case '0':
			f.pad = '0'
		case '_':
			f.pad = ' '
		case '^':
			text = strings.ToUpper(text)
		case '#':
			if text == strings.ToUpper(text) {
				text = strings.ToLower(text)
			} else {
				text = strings.ToUpper(text)
			}
		}
	}
	if missing := width - len(text); missing > 0 {
		text = strings.Repeat(string(f.pad), missing) + text
	}
	return text
}

func directive(letter byte, flags string, t time.Time) (field, bool) {
	if pattern, ok := composed[letter]; ok {
		return word(strftime(pattern, t)), true
	}
	if f, ok := dayField(letter, t); ok {
		return f, true
	}
	return clockField(letter, flags, t)
}

func dayField(letter byte, t time.Time) (field, bool) {
	switch letter {
	case 'Y':
		return number(t.Year(), 4), true
	case 'C':
		return number(t.Year()/100, 2), true
	case 'y':
		return number(t.Year()%100, 2), true
	case 'm':
		return number(int(t.Month()), 2), true
	case 'B':
		return word(t.Month().String()), true
	case 'b', 'h':
		return word(t.Month().String()[:3]), true
	case 'd':
		return number(t.Day(), 2), true
	case 'e':
		return blank(t.Day(), 2), true
	case 'j':
		return number(t.YearDay(), 3), true
	}
	return weekField(letter, t)
}

// weekField returns a field about weeks and their days.
func weekField(letter byte, t time.Time) (field, bool) {
	isoYear, isoWeek := t.ISOWeek()
	switch letter {
	case 'A':
		return word(t.Weekday().String()), true
	case 'a':
		return word(t.Weekday().String()[:3]), true
	case 'u':
		return number((int(t.Weekday())+6)%7+1, 1), true
	case 'w':
		return number(int(t.Weekday()), 1), true
	case 'G':
		return number(isoYear, 4), true
	case 'g':
		return number(isoYear%100, 2), true
	case 'V':
		return number(isoWeek, 2), true
	case 'U':
		return number((t.YearDay()+6-int(t.Weekday()))/7, 2), true
	case 'W':
		return number((t.YearDay()+6-(int(t.Weekday())+6)%7)/7, 2), true
	}
	return field{}, false
}

func clockField(letter byte, flags string, t time.Time) (field, bool) {
	hour := (t.Hour()+11)%12 + 1
	switch letter {
	case 'H':
		return number(t.Hour(), 2), true
	case 'k':
		return blank(t.Hour(), 2), true
	case 'I':
		return number(hour, 2), true
	case 'l':
		return blank(hour, 2), true
	case 'M':
		return number(t.Minute(), 2), true
	case 'S':
		return number(t.Second(), 2), true
	case 'L':
		return word(fmt.Sprintf("%03d", t.Nanosecond()/int(time.Millisecond))), true
	case 'N':
		return word(fmt.Sprintf("%09d", t.Nanosecond())), true
	case 'p':
		return word(t.Format("PM")), true
	case 'P':
		return word(t.Format("pm")), true
	case 's':
		return number(int(t.Unix()), 1), true
	}
	return zoneField(letter, flags, t)
}

// zoneField returns a field about the time zone, or a literal character.
func zoneField(letter byte, flags string, t time.Time) (field, bool) {
	switch letter {
	case 'z':
		if strings.Contains(flags, ":") {
			return word(t.Format("-07:00")), true
		}
		return word(t.Format("-0700")), true
	case 'Z':
		return word(t.Format("MST")), true
	case 'n':
		return word("\n"), true
	case 't':
		return word("\t"), true
	case '%':
		return word("%"), true
	}
	return field{}, false
}
