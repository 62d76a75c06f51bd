package wire

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var east = time.FixedZone("", 2*60*60)

func TestTimesAreWrittenWithMillisecondsInTheirZone(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		time Time
		want string
	}{
		{"whole second", NewTime(time.Date(2015, 12, 24, 15, 51, 21, 0, time.UTC)), "2015-12-24T15:51:21.000Z"},
		{"milliseconds", NewTime(time.Date(2015, 12, 24, 15, 51, 21, 880e6, time.UTC)), "2015-12-24T15:51:21.880Z"},
		{"finer is cut, not rounded", NewTime(time.Date(2015, 12, 24, 15, 51, 21, 999999999, time.UTC)), "2015-12-24T15:51:21.999Z"},
		{"another zone is shown in UTC", NewTime(time.Date(2015, 12, 24, 1, 0, 0, 0, east)), "2015-12-23T23:00:00.000Z"},
		{"a commit keeps its zone", Time{time.Date(2012, 9, 20, 11, 50, 22, 0, east)}, "2012-09-20T11:50:22.000+02:00"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := c.time.String(); got != c.want {
				t.Errorf("String is %s, want %s", got, c.want)
			}
			text, err := c.time.MarshalText()
			if string(text) != c.want || err != nil {
				t.Errorf("MarshalText is %s, %v, want %s", text, err, c.want)
			}
			appended, err := c.time.AppendText([]byte("at "))
			if string(appended) != "at "+c.want || err != nil {
				t.Errorf("AppendText is %s, %v, want at %s", appended, err, c.want)
			}
			data, err := json.Marshal(struct {
				Value Time            `json:"value"`
				Key   map[Time]string `json:"key"`
			}{c.time, map[Time]string{c.time: ""}})
			if want := `{"value":"` + c.want + `","key":{"` + c.want + `":""}}`; string(data) != want || err != nil {
				t.Errorf("JSON is %s, %v, want %s", data, err, want)
			}
		})
	}
}

func TestTimesSurviveARoundTrip(t *testing.T) {
	t.Parallel()
	for _, want := range []string{"2015-12-24T15:51:21.880Z", "0001-01-01T00:00:00.000Z", "2012-09-20T11:50:22.000+03:30"} {
		var read Time
		if err := json.Unmarshal([]byte(`"`+want+`"`), &read); err != nil {
			t.Fatal(err)
		}
		if got := read.String(); got != want {
			t.Errorf("%s came back as %s", want, got)
		}
	}
}

func TestParseTimeReadsWhatCallersWrite(t *testing.T) {
	t.Parallel()
	noon := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	cases := []struct {
		text string
		want time.Time
		ok   bool
	}{
		{"2024-02-29T12:00:00Z", noon, true},
		{"2024-02-29T12:00:00.5Z", noon.Add(500 * time.Millisecond), true},
		{"2024-02-29T12:00:00.123456789Z", noon.Add(123456789), true},
		{"2024-02-29T14:00:00+02:00", noon, true},
		{"2024-02-29T12:00:00", noon, true},
		{"2024-02-29 12:00:00", noon, true},
		{"2024-02-29", noon.Truncate(24 * time.Hour), true},
		{"2024-02-30", time.Time{}, false},
		{"2023-02-29", time.Time{}, false},
		{"2024-02-29T25:00:00Z", time.Time{}, false},
		{"2024-02-29T14:00:00 02:00", time.Time{}, false}, // a bare + in a query is a space
		{"29.02.2024", time.Time{}, false},
		{"1709208000", time.Time{}, false},
		{"now", time.Time{}, false},
		{"", time.Time{}, false},
	}
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			got, err := ParseTime(c.text)
			if (err == nil) != c.ok {
				t.Fatalf("error is %v", err)
			}
			if !got.Equal(c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if c.ok {
				return
			}
			if want := `"` + c.text + `" is not an ISO 8601 time`; err.Error() != want {
				t.Errorf("error is %q, want %q", err, want)
			}
		})
	}
}

func TestOnlyATextIsATimeOrADate(t *testing.T) {
	t.Parallel()
	for _, data := range []string{`1`, `true`, `{}`, `["2024-02-29"]`, `"`, `"x"`, `""`} {
		if err := new(Time).UnmarshalJSON([]byte(data)); err == nil {
			t.Errorf("%s is read as a time", data)
		}
		if err := new(Date).UnmarshalJSON([]byte(data)); err == nil {
			t.Errorf("%s is read as a date", data)
		}
	}
}

func TestDatesAreDaysInUTC(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		date Date
		want string
	}{
		{"midnight", NewDate(time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)), "2024-02-29"},
		{"late in the day", NewDate(time.Date(2024, 2, 29, 23, 59, 59, 999, time.UTC)), "2024-02-29"},
		{"another zone", NewDate(time.Date(2024, 3, 1, 1, 0, 0, 0, east)), "2024-02-29"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			data, err := json.Marshal(c.date)
			if string(data) != `"`+c.want+`"` || err != nil {
				t.Errorf("JSON is %s, %v, want %s", data, err, c.want)
			}
			text, err := c.date.MarshalText()
			if string(text) != c.want || err != nil {
				t.Errorf("text is %s, %v, want %s", text, err, c.want)
			}
		})
	}
}

func TestDatesAreReadFromDaysAndTimestamps(t *testing.T) {
	t.Parallel()
	want := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	for _, text := range []string{"2024-02-29", "2024-02-29T23:59:59Z", "2024-02-29T23:59:59+02:00"} {
		var d Date
		if err := json.Unmarshal([]byte(`"`+text+`"`), &d); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, d.Time); diff != "" {
			t.Errorf("%s is read as another day:\n%s", text, diff)
		}
	}
}

func TestNilPointersAreNull(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 2, 29, 12, 0, 0, 0, east)
	type row struct {
		Time *Time `json:"time"`
		Date *Date `json:"date"`
	}
	for want, shown := range map[string]row{
		`{"time":null,"date":null}`:                               {TimePtr(nil), DatePtr(nil)},
		`{"time":"2024-02-29T10:00:00.000Z","date":"2024-02-29"}`: {TimePtr(&at), DatePtr(&at)},
	} {
		data, err := json.Marshal(shown)
		if string(data) != want || err != nil {
			t.Errorf("JSON is %s, %v, want %s", data, err, want)
		}
	}
}

func TestQueryParametersAreReadLikeMembers(t *testing.T) {
	t.Parallel()
	var at Time
	var day Date
	if err := at.Bind("2024-02-29"); err != nil || at.String() != "2024-02-29T00:00:00.000Z" {
		t.Errorf("%s %v", at, err)
	}
	if err := day.Bind("2024-02-29T23:00:00Z"); err != nil || day.String() != "2024-02-29" {
		t.Errorf("%s %v", day, err)
	}
	if at.Bind("soon") == nil || day.Bind("2024-02-30") == nil {
		t.Error("what is no day was read")
	}
}

// What is written for UTC by itself is what the layout says.
func TestTimesFollowTheLayout(t *testing.T) {
	t.Parallel()
	days := []time.Time{
		{},
		time.Unix(0, 0), time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
		time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 2, 29, 4, 5, 6, 7_000_000, time.UTC),
	}
	for n := range 5000 {
		days = append(days, time.Unix(int64(n)*7_654_321, int64(n)*987_654))
	}
	for _, day := range days {
		for _, zone := range []*time.Location{time.UTC, east, time.FixedZone("", 0)} {
			one := Time{day.In(zone)}
			if got, want := one.String(), one.Format(timeFormat); got != want {
				t.Fatalf("%v is written as %s, want %s", day, got, want)
			}
		}
	}
}

func BenchmarkTime(b *testing.B) {
	one := NewTime(time.Date(2015, 12, 24, 15, 51, 21, 880e6, time.UTC))
	text := make([]byte, 0, len(timeFormat))
	for b.Loop() {
		text, _ = one.AppendText(text[:0])
	}
}
