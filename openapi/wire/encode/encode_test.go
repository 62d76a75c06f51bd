package encode_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"svc/openapi/wire/encode"
)

// same compares what is written with what encoding/json writes: of the value, and of the value where it is addressable, in an
// interface, in a list and in an object.
func same(t *testing.T, value any) {
	t.Helper()
	forms := []any{value, []any{value, value}, map[string]any{"<key>": value, "": value}, struct{ A any }{value}}
	if value != nil {
		pointer := reflect.New(reflect.TypeOf(value))
		pointer.Elem().Set(reflect.ValueOf(value))
		list := reflect.MakeSlice(reflect.SliceOf(pointer.Type().Elem()), 0, 2)
		list = reflect.Append(list, pointer.Elem(), pointer.Elem())
		forms = append(forms, pointer.Interface(), list.Interface())
	}
	for _, form := range forms {
		var want bytes.Buffer
		wantErr := json.NewEncoder(&want).Encode(form)
		got, err := encode.Append([]byte("before "), form)
		if wantErr != nil {
			if err == nil || err.Error() != wantErr.Error() {
				t.Errorf("%T: error is %v, want %v", form, err, wantErr)
			}
			continue
		}
		if err != nil || string(got)+"\n" != "before "+want.String() {
			t.Errorf("%T is written as\n%s, %v, want\n%s", form, got, err, want.String())
		}
	}
}

var texts = []string{
	"", "a", "a plain text of some length", `"quoted" \ text`, "<a href='x?a=1&b=2'>", "line\nand\ttab\r\b\f", "\x00\x01\x1f\x7f",
	"ümläut", "日本語のテキスト", "emoji 😀 and 👩‍👩‍👧", "a\u2028b\u2029c", "\u2027\u202a", "cut \xc3", "\xff\xfe", "\xed\xa0\x80", "�",
	"1234567\"", "12345678\"",
	"\xf0\x9f\x98", "1234567é", "12345678é", "</script>", strings.Repeat("x", 1000) + "\n", "&&&&&&&&", "\x80234567890",
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for _, text := range texts {
		same(t, text)
		same(t, map[string]string{text: text})
		same(t, []byte(text))
		same(t, struct {
			A string `json:"a,omitempty"`
		}{text})
	}
	for c := range 256 {
		for _, before := range []string{"", "a", "1234567", "12345678"} {
			same(t, before+string([]byte{byte(c)})+"after")
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, f := range []float64{
		0, math.Copysign(0, -1), 1, -1, 0.1, 98.2, 1e-6, 9.99e-7, 1e-7, -1e-9, 1e-10, 1e20, 1e21, 1.5e21, 1e100, 1e-100, 123456789.125,
		math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxFloat32, math.SmallestNonzeroFloat32, math.Inf(1), math.Inf(-1), math.NaN(),
	} {
		same(t, f)
		same(t, float32(f))
	}
	for _, i := range []int64{0, 1, -1, 99, math.MaxInt64, math.MinInt64} {
		same(t, i)
		same(t, int(i))
		same(t, int32(i))
		same(t, int16(i))
		same(t, int8(i))
		same(t, uint64(i))
		same(t, uint(i))
		same(t, uint32(i))
		same(t, uint16(i))
		same(t, uint8(i))
		same(t, uintptr(i))
		same(t, time.Duration(i))
	}
	for _, n := range []json.Number{"", "0", "-1.5e+7", "1.", "x", "01"} {
		same(t, n)
	}
	same(t, true)
	same(t, false)
}

func TestListsAndObjects(t *testing.T) {
	t.Parallel()
	one, text := 1, "<x>"
	var none *int
	for _, value := range []any{
		nil, none, &one, &none, []int(nil),
		[]int{},
		[]int{1, 2},
		[0]int{},
		[3]int8{1, 2, 3},
		[2]byte{1, 2},
		[]byte(nil),
		[]byte{},
		[]kept{1, 2},
		[]*string{nil, &text},
		[][]string{nil, {}, {"a"}},
		[][]byte{nil, []byte("a")},
		[]any{nil, 1, "a", 1.5, true, []any{}, map[string]any{}},
		map[string]int(nil),
		map[string]int{},
		map[string]int{"b": 1, "a": 2, "A": 3, "": 4, "<": 5},
		map[kind]int{"b": 1, "a": 2},
		map[int]string{10: "a", 9: "b", -1: "c"},
		map[uint8]bool{1: true},
		map[[1]int]int{{1}: 1},
		map[float64]int{1: 1},
		map[any]int{},
		map[day]int{1: 1, 2: 2},
		map[named]int{{"b"}: 1, {"a"}: 2},
		map[string]*int{"a": nil, "b": &one},
		map[string]loud{"a": {"x"}},
		map[string]shout{"a": {"x"}},
		map[bool]int{},
		map[broken]int{1: 1},
		map[string]any{"a": map[string]any{"b": []any{"<", nil}}},
	} {
		same(t, value)
	}
}

type (
	kept   byte
	kind   string
	day    int
	named  struct{ name string }
	broken int
)

func (d day) MarshalText() ([]byte, error)    { return fmt.Appendf(nil, "<day %d>", 10-int(d)), nil }
func (n named) MarshalText() ([]byte, error)  { return []byte(n.name), nil }
func (b broken) MarshalText() ([]byte, error) { return nil, errors.New("no text") }

// loud writes itself as a value, shout only where there is a pointer to it.
type (
	loud    struct{ Text string }
	shout   struct{ Text string }
	whisper struct{ Text string }
	octet   byte
	invalid struct{}
	failing struct{}
	form    interface{ MarshalJSON() ([]byte, error) }
)

func (l loud) MarshalJSON() ([]byte, error) {
	return []byte(`{ "loud" : "<` + l.Text + `>` + "\u2028" + `" }`), nil
}

func (s *shout) MarshalJSON() ([]byte, error) {
	if s == nil {
		return []byte(`"nobody <"`), nil
	}
	return []byte(` [ "` + s.Text + `" ] `), nil
}

func (w *whisper) MarshalText() ([]byte, error) { return []byte("&" + w.Text), nil }
func (o *octet) MarshalJSON() ([]byte, error)   { return []byte("8"), nil }
func (i invalid) MarshalJSON() ([]byte, error)  { return []byte(`{"a":}`), nil }
func (f failing) MarshalJSON() ([]byte, error)  { return nil, errors.New("no JSON") }

func TestTypesThatWriteThemselves(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 2, 29, 12, 0, 0, 123, time.FixedZone("", 7200))
	var noTime *time.Time
	var noForm form
	var noLoud *loud
	var noShout *shout
	for _, value := range []any{
		loud{"a"},
		&loud{"a"}, noLoud,
		shout{"a"},
		&shout{"a"},
		whisper{"a"},
		&whisper{"a"},
		[]octet{1, 2},
		[]kept{1},
		invalid{},
		failing{},
		[]loud{{"a"}, {"b"}},
		[]shout{{"a"}},
		[1]shout{{"a"}},
		[1]octet{1},
		map[string]whisper{"a": {"b"}},
		at, &at, noTime,
		json.RawMessage(nil), json.RawMessage(` { "a" : "<>&` + "\u2028" + `" } `), json.RawMessage(`{`),
		json.RawMessage{},
		struct{ A form }{noForm},
		struct{ A form }{loud{"a"}},
		struct{ A form }{&shout{"a"}},
		[]form{noForm, loud{}},
		struct{ A form }{noShout},
		struct{ A json.RawMessage }{},
		struct{ A *json.RawMessage }{},
		struct{ A shout }{},
		struct{ A *shout }{},
		struct{ A octet }{1},
		struct{ A, B any }{&shout{"a"}, shout{"b"}},
		make(chan int), func() {}, complex(1, 1),
		struct{ A chan int }{},
		struct{ A func() }{},
		[]chan int{},
		[]chan int{nil},
		map[string]func(){},
		struct{ A *func() }{},
	} {
		same(t, value)
	}
}

// own is an Appender; a struct that embeds it may write itself in another way.
type (
	own      struct{ text string }
	promoted struct{ own }
	other    struct{ own }
	another  struct{ *own }
	never    struct{}
)

func (o own) MarshalJSON() ([]byte, error)         { return o.AppendJSON(nil) }
func (o own) AppendJSON(to []byte) ([]byte, error) { return append(to, `"own `+o.text+`"`...), nil }
func (o other) MarshalJSON() ([]byte, error)       { return []byte(`"other"`), nil }
func (never) MarshalJSON() ([]byte, error)         { return nil, errors.New("never") }
func (n never) AppendJSON(to []byte) ([]byte, error) {
	return append(to, "half"...), errors.New("never")
}

func TestTypesThatAppendThemselves(t *testing.T) {
	t.Parallel()
	var none *own
	for _, value := range []any{
		own{"a"},
		&own{"a"}, none,
		[]own{{"a"}, {"b"}},
		[]*own{nil, {"a"}},
		map[string]own{"a": {"b"}},
		struct{ A own }{},
		struct{ A *own }{},
		promoted{},
		other{},
		another{&own{"a"}},
		[]other{{}, {}},
		never{},
		[]any{1, never{}},
		struct{ A any }{own{"a"}},
		struct {
			A own `json:",omitempty"`
			B own `json:",omitzero"`
		}{},
	} {
		same(t, value)
	}
}

// A value that holds itself is an error; one that is nested deeply is not.
func TestDepth(t *testing.T) {
	t.Parallel()
	type node struct {
		Next *node          `json:"next,omitempty"`
		All  []*node        `json:"all,omitempty"`
		Map  map[string]any `json:"map,omitempty"`
		Any  any            `json:"any,omitempty"`
	}
	for _, depth := range []int{1, 10, 999, 1000, 1001, 1002, 3000} {
		first := &node{}
		for range depth {
			first = &node{Next: first}
		}
		same(t, first)
		same(t, *first)
		list := any(1)
		for range depth {
			list = []any{list}
		}
		same(t, list)
		object := any(1)
		for range depth {
			object = map[string]any{"a": object}
		}
		same(t, object)
	}
	ring := &node{}
	ring.Next = ring
	same(t, ring)
	same(t, node{All: []*node{{}, ring}})
	same(t, node{Any: ring})
	loop := map[string]any{}
	loop["a"] = loop
	same(t, loop)
	list := make([]any, 1)
	list[0] = list
	same(t, list)
}
