package wire

import "time"

// Date is a day without a time: YYYY-MM-DD.
type Date struct{ time.Time }

// NewDate shows the day of t in UTC.
func NewDate(t time.Time) Date { return Date{t.UTC()} }

// DatePtr shows the day of t in UTC, or null.
func DatePtr(t *time.Time) *Date {
	if t == nil {
		return nil
	}
	return &Date{t.UTC()}
}

// String is the form on the wire.
func (d Date) String() string { return d.Format(dateFormat) }

// MarshalText is the form on the wire.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// MarshalJSON is the form on the wire, quoted.
func (d Date) MarshalJSON() ([]byte, error) { return []byte(`"` + d.String() + `"`), nil }

// UnmarshalText reads a day; the day of a full timestamp is taken, too.
func (d *Date) UnmarshalText(text []byte) error {
	t, err := ParseTime(string(text))
	d.Time = time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	return err
}

// Bind reads a query parameter; without it the generated binding takes no timestamps.
func (d *Date) Bind(text string) error { return d.UnmarshalText([]byte(text)) }

// UnmarshalJSON reads a quoted day.
func (d *Date) UnmarshalJSON(data []byte) error {
	text, err := unquote(data)
	if err != nil {
		return err
	}
	return d.UnmarshalText(text)
}
