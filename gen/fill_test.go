package gen

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"time"
)

// filler gives values something by chance, so that every member of an answer is there, absent, null, empty or unusual at some time.
type filler struct{ *rand.Rand }

// maxDepth is the depth from which on pointers are nil, and lists and objects empty.
const maxDepth = 6

var parts = []string{
	"", "main", "Mend the roof\n\nIt leaked.\n", `say "hi" \o/`, "<b>&amp;</b>", "\x00\x1f\x7f\t\r\b\f", "naïve ümläut", "日本語", "😀",
	"a\u2028b\u2029c", "\xff\xfe", "cut \xe2\x82", "https://svc.example.com/acme/web/-/jobs/8?a=1&b=2", "5feceb66ffc86f38d952786c6d696c79",
}

var zones = []*time.Location{
	time.UTC, time.UTC, time.Local, time.FixedZone("", 0), time.FixedZone("", 5*3600+1800), time.FixedZone("x", -7200),
}

func (f filler) text() string { return parts[f.IntN(len(parts))] + parts[f.IntN(len(parts))] }

func (f filler) time() time.Time {
	at := time.Unix(f.Int64N(8e9)-2e9, f.Int64N(1e9))
	switch f.IntN(10) {
	case 0:
		at = time.Time{}
	case 1:
		at = at.AddDate(7000, 0, 0) // not above 9999, which is not read again
	}
	return at.In(zones[f.IntN(len(zones))])
}

func (f filler) number() float64 {
	return []float64{
		0, math.Copysign(0, -1), float64(f.IntN(1000)), f.Float64(), f.NormFloat64() * 1e5, f.ExpFloat64() * 1e-8, f.NormFloat64() * 1e22,
		98.2, 1e21, 1e-6,
	}[f.IntN(10)]
}

// value returns what any JSON could hold.
func (f filler) value(depth int) any {
	kinds := []reflect.Type{
		reflect.TypeFor[string](), reflect.TypeFor[float64](), reflect.TypeFor[int](), reflect.TypeFor[bool](), reflect.TypeFor[[]any](),
		reflect.TypeFor[map[string]any](), reflect.TypeFor[[]string](), reflect.TypeFor[map[string]string](), reflect.TypeFor[*string](),
		reflect.TypeFor[json.RawMessage](), reflect.TypeFor[*Job](), reflect.TypeFor[UserPublic](),
		reflect.TypeFor[map[string]json.RawMessage](),
	}
	i := f.IntN(len(kinds) + 1)
	if i == len(kinds) {
		return nil
	}
	v := reflect.New(kinds[i]).Elem()
	f.fill(v, depth+1)
	return v.Interface()
}

// fill fills an addressable value.
func (f filler) fill(v reflect.Value, depth int) {
	if at, ok := reflect.TypeAssert[*time.Time](v.Addr()); ok {
		*at = f.time()
		return
	}
	if read, ok := reflect.TypeAssert[json.Unmarshaler](v.Addr()); ok && isClosed(v.Type()) {
		f.read(read, v, depth)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(int32(f.Uint32())) >> f.IntN(32))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(f.number())
	case reflect.String:
		v.SetString(f.text())
	case reflect.Uint8:
		v.SetUint(uint64(f.IntN(256)))
	case reflect.Interface:
		if made := f.value(depth); made != nil {
			v.Set(reflect.ValueOf(made))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.fill(v.Field(i), depth)
			}
		}
	default:
		f.fillMany(v, depth+1)
	}
}

// fillMany fills what can be nil or empty.
func (f filler) fillMany(v reflect.Value, depth int) {
	if f.IntN(4) == 0 {
		return
	}
	n := f.IntN(4)
	if depth > maxDepth {
		n = 0
	}
	switch v.Kind() {
	case reflect.Pointer:
		if depth <= maxDepth {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			f.fill(v.Index(i), depth)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range n {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.fill(key, depth)
			f.fill(value, depth)
			v.SetMapIndex(key, value)
		}
	default:
		panic(fmt.Sprintf("no values are made of %s", v.Type()))
	}
}

// isClosed reports whether a value can be filled only with JSON.
func isClosed(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return t == reflect.TypeFor[json.RawMessage]()
	}
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return false
		}
	}
	return true
}

// read fills a value with JSON: of its own value if it is an optional member, else of anything.
func (f filler) read(into json.Unmarshaler, v reflect.Value, depth int) {
	if f.IntN(4) == 0 {
		return // absent
	}
	made, space := f.value(depth), " "
	if optional, ok := v.Type().MethodByName("Ptr"); ok {
		own := reflect.New(optional.Type.Out(0)).Elem() // a pointer
		f.fill(own, depth)
		made, space = own.Interface(), ""
	}
	text, err := json.Marshal(made)
	if err == nil {
		err = into.UnmarshalJSON(append([]byte(space), text...))
	}
	if err != nil {
		panic(fmt.Sprintf("%s cannot be filled: %v", v.Type(), err))
	}
}
