package wire

import "time"

// Date is a day without a time: YYYY-MM-DD.
type Date struct{ time.Time }

// NewDate returns the day of t in UTC.
func NewDate(t time.Time) Date { return Date{t.UTC()} }

// DatePtr returns the day of t in UTC, or nil.
func DatePtr(t *time.Time) *Date {
	if t == nil {
		return nil
	}
	return &Date{t.UTC()}
}

// String returns the day as YYYY-MM-DD.
func (d Date) String() string { return d.Format(dateFormat) }

// MarshalText returns the day as YYYY-MM-DD.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// MarshalJSON returns the day as YYYY-MM-DD, quoted.
func (d Date) MarshalJSON() ([]byte, error) { return d.AppendJSON(make([]byte, 0, len(dateFormat)+2)) }

// AppendJSON appends the day as YYYY-MM-DD, quoted.
func (d Date) AppendJSON(b []byte) ([]byte, error) {
	return append(d.AppendFormat(append(b, '"'), dateFormat), '"'), nil
}

// UnmarshalText parses a day, or the day of a full timestamp.
func (d *Date) UnmarshalText(text []byte) error {
	t, err := ParseTime(string(text))
	d.Time = time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	return err
}

// Bind parses a query parameter; without it the generated code would accept no timestamps.
func (d *Date) Bind(text string) error { return d.UnmarshalText([]byte(text)) }

// UnmarshalJSON parses a quoted day.
func (d *Date) UnmarshalJSON(data []byte) error {
	text, err := unquote(data)
	if err != nil {
		return err
	}
	return d.UnmarshalText(text)
}
