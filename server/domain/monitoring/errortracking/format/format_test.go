package format

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func TestEnvelopes(t *testing.T) {
	t.Parallel()
	event := `{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","message":"a\nb"}`
	size := strconv.Itoa(len(event))
	for name, c := range map[string]struct {
		text   string
		events int
		bad    bool
	}{
		"with a length": {
			`{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}` + "\n" + `{"type":"event","length":` + size + "}\n" + event + "\n",
			1, false,
		},
		"with no length": {"{}\n" + `{"type":"event"}` + "\n" + event, 1, false},
		"with more items": {
			"{}\n" + `{"type":"session"}` + "\n{}\n" + `{"type":"attachment","length":3}` +
				"\n\n\n\n\n" + `{"type":"event"}` + "\n" + event + "\n\n",
			1, false,
		},
		"empty":                      {"{}", 0, false},
		"an item with no bytes":      {"{}\n" + `{"type":"attachment","length":0}` + "\n", 0, false},
		"a length behind the end":    {"{}\n" + `{"type":"event","length":9999}` + "\n" + event, 0, true},
		"a length below zero":        {"{}\n" + `{"type":"event","length":-1}` + "\n" + event, 0, true},
		"a length that is too small": {"{}\n" + `{"type":"event","length":5}` + "\n" + event, 0, true},
		"a huge length":              {"{}\n" + `{"type":"event","length":99999999999999999999}` + "\n" + event, 0, true},
		"no JSON":                    {"hello\n", 0, true},
		"an item that is no JSON":    {"{}\nhello\n", 0, true},
		"nothing":                    {"", 0, true},
		"too many items":             {"{}\n" + strings.Repeat(`{"type":"session"}`+"\n{}\n", 101), 0, true},
	} {
		got, err := ReadEnvelope([]byte(c.text))
		if (err != nil) != c.bad || len(got.Events) != c.events {
			t.Errorf("%s: %d events, %v", name, len(got.Events), err)
		}
	}
}

func read(t *testing.T, text string) Event {
	t.Helper()
	e, err := ReadEvent([]byte(text), now)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}

func TestEvents(t *testing.T) {
	t.Parallel()
	e := read(
		t,
		`{"event_id":"9EC79C33-EC99-42AB-8353-589FCB2E04DC","timestamp":1700000000.5,"platform":"go","level":"fatal",
			"environment":"prod","release":"1.0",
		"exception":{"values":[{"type":"inner","value":"x"},{"type":"*errors.errorString","value":"boom 17","stacktrace":{"frames":[
		{"function":"main","filename":"main.go","in_app":true},{"function":"pay","filename":"cart.go","in_app":true},
		{"function":"do","filename":"lib.go"}]}}]}}`,
	)
	if e.ID != "9ec79c33ec9942ab8353589fcb2e04dc" || e.Title != "*errors.errorString" || e.Description != "boom 17" ||
		e.Culprit != "cart.go in pay" ||
		e.Level != "fatal" || e.Environment != "prod" || e.Release != "1.0" || e.Platform != "go" ||
		!e.At.Equal(time.UnixMilli(1700000000500)) {
		t.Errorf("%+v", e)
	}
}

func TestEventsWithoutAnException(t *testing.T) {
	t.Parallel()
	m := read(t, `{"message":"hello\nworld","timestamp":"2024-05-06T07:08:09.5Z"}`)
	if m.Title != "hello" || m.Description != "hello\nworld" || m.Level != "error" || m.ID != "" || m.At.Year() != 2024 {
		t.Errorf("%+v", m)
	}
	if odd := read(
		t, `{"timestamp":9e99,"level":7,"exception":17,"message":{"formatted":"f"},"fingerprint":"x"}`,
	); odd.Title != "f" || !odd.At.Equal(now) {
		t.Errorf("%+v", odd)
	}
	if none := read(t, `{}`); none.Title == "" || none.Fingerprint == "" {
		t.Errorf("%+v", none)
	}
}

func TestWhatIsNoEventIsRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"", "17", "[]", "null", `{"a":`, `{"a":"` + "\\u0000" + `"}`, "{\"a\":\"\xff\"}",
		strings.Repeat(`{"a":`, 101) + "1" + strings.Repeat("}", 101),
		`{"a":"` + strings.Repeat("x", maxPayload) + `"}`,
	} {
		if _, err := ReadEvent([]byte(bad), now); err == nil {
			t.Errorf("%.40q is taken for an event", bad)
		}
	}
}

func TestWhatIsTheSameError(t *testing.T) {
	t.Parallel()
	thrown := func(value, function string) string {
		return read(
			t, `{"exception":[{"type":"E","value":"`+value+`","stacktrace":{"frames":[{"function":"`+function+
				`","module":"m","in_app":true},{"function":"x`+value+`"}]}}]}`,
		).Fingerprint
	}
	if thrown("order 1", "f") != thrown("order 2", "f") || thrown("order 1", "f") == thrown("order 1", "g") {
		t.Error("an error is the code that it passed")
	}
	plain := func(value string) string {
		return read(t, `{"exception":{"type":"E","value":"`+value+`"}}`).Fingerprint
	}
	if plain("order 17 at 0xdeadbeef") != plain("order 18 at 0xcafe") || plain("order 17") == plain("invoice 17") {
		t.Error("without code it is what it says, but for numbers")
	}
	if read(t, `{"message":"a","fingerprint":["x"]}`).Fingerprint != read(t, `{"message":"b","fingerprint":["x"]}`).Fingerprint {
		t.Error("what the client says belongs together does")
	}
	if read(t, `{"message":"a","fingerprint":["{{ default }}","x"]}`).Fingerprint ==
		read(t, `{"message":"b","fingerprint":["{{ default }}","x"]}`).Fingerprint {
		t.Error("the default is not ours")
	}
}

func TestClientKeys(t *testing.T) {
	t.Parallel()
	header, query := "Sentry sentry_version=7, sentry_client=x/1, sentry_key=abc", "def"
	for want, got := range map[string]string{
		"abc": Key(&header, &query, "http://ghi@host/1"), "def": Key(nil, &query, ""),
		"ghi": Key(nil, nil, "http://ghi@host/1"), "": Key(nil, nil, ":"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func FuzzEnvelope(f *testing.F) {
	f.Add([]byte("{}\n{\"type\":\"event\",\"length\":2}\n{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := ReadEnvelope(data)
		if err != nil {
			return
		}
		for _, item := range e.Events {
			if _, err := ReadEvent(item, now); err == nil && len(item) == 0 {
				t.Error("an event out of nothing")
			}
		}
	})
}
