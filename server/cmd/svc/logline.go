package main

import (
	"log/slog"
	"strconv"
	"time"
)

// formatSimple formats a simple line, such as the line of each request, exactly like slog's handlers, but with less work.
// It returns false for a line with anything else in it; the caller then leaves the line to slog.
func formatSimple(b []byte, r slog.Record, asJSON bool) ([]byte, bool) {
	if r.Level != slog.LevelInfo || r.Time.IsZero() || !needsNoQuoting(r.Message) {
		return b, false
	}
	line := quickFormat{b, asJSON, true}
	if asJSON {
		line.text = append(line.text, `{"time":"`...)
		line.text = r.Time.AppendFormat(line.text, time.RFC3339Nano)
		line.text = append(line.text, `","level":"INFO"`...)
	} else {
		line.text = append(line.text, "time="...)
		line.text = appendMillis(line.text, r.Time)
		line.text = append(line.text, " level=INFO"...)
	}
	line.attr(slog.String(slog.MessageKey, r.Message))
	r.Attrs(func(a slog.Attr) bool {
		line.attr(a)
		return line.good
	})
	if asJSON {
		line.text = append(line.text, '}')
	}
	return append(line.text, '\n'), line.good
}

type quickFormat struct {
	text   []byte
	asJSON bool
	good   bool
}

func (f *quickFormat) attr(a slog.Attr) {
	f.good = f.good && needsNoQuoting(a.Key)
	if f.asJSON {
		f.text = append(f.text, `,"`...)
		f.text = append(f.text, a.Key...)
		f.text = append(f.text, `":`...)
	} else {
		f.text = append(f.text, ' ')
		f.text = append(f.text, a.Key...)
		f.text = append(f.text, '=')
	}
	switch a.Value.Kind() {
	case slog.KindString:
		s := a.Value.String()
		f.good = f.good && needsNoQuoting(s)
		if f.asJSON {
			f.text = append(f.text, '"')
		}
		f.text = append(f.text, s...)
		if f.asJSON {
			f.text = append(f.text, '"')
		}
	case slog.KindInt64:
		f.text = strconv.AppendInt(f.text, a.Value.Int64(), 10)
	case slog.KindDuration:
		if f.asJSON {
			f.text = strconv.AppendInt(f.text, int64(a.Value.Duration()), 10)
		} else {
			f.text = append(f.text, a.Value.Duration().String()...)
		}
	default:
		f.good = false
	}
}

// needsNoQuoting reports whether a text is written unchanged: without quotes in a text line and without escapes in JSON.
func needsNoQuoting(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '=' {
			return false
		}
	}
	return s != ""
}

// appendMillis appends the time in RFC 3339 with milliseconds, the format of slog's text handler.
func appendMillis(b []byte, t time.Time) []byte {
	if _, offset := t.Zone(); offset != 0 || t.Year() < 1000 || t.Year() > 9999 {
		return t.AppendFormat(b, "2006-01-02T15:04:05.000Z07:00")
	}
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	b = strconv.AppendInt(b, int64(year), 10)
	b = append(b, '-', digit(int(month), 10), digit(int(month), 1), '-', digit(day, 10), digit(day, 1), 'T',
		digit(hour, 10), digit(hour, 1), ':', digit(minute, 10), digit(minute, 1), ':', digit(second, 10), digit(second, 1), '.')
	millis := t.Nanosecond() / 1e6
	return append(b, digit(millis, 100), digit(millis, 10), digit(millis, 1), 'Z')
}

func digit(n, unit int) byte { return byte('0' + n/unit%10) }
