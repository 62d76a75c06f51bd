package encode_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"svc/openapi/wire/encode"
)

type (
	base    struct{ ID, Name string }
	Shown   struct{ ID, Extra string }
	text    string
	zeroes  int
	pointed int
	asked   interface{ IsZero() bool }
)

func (z zeroes) IsZero() bool   { return z == 7 }
func (p *pointed) IsZero() bool { return *p == 7 }

func TestNamesOfMembers(t *testing.T) {
	t.Parallel()
	for _, value := range []any{
		struct{}{},
		struct{ a, b int }{1, 2},
		struct {
			Plain  int
			Named  int `json:"named"`
			Hidden int `json:"-"`
			Dash   int `json:"-,"` //nolint:staticcheck // encoding/json takes it
			Only   int `json:",omitempty"`
			Other  int `xml:"x"`
		}{1, 2, 3, 4, 5, 6},
		struct {
			A int `json:"a&b"`
		}{1},
		struct {
			A int `json:"<a>"`
		}{1},
		struct {
			A int `json:"a b"`
		}{1},
		struct {
			A int `json:"größe"`
			É int
		}{1, 2},
		struct {
			A int `json:"a\"b"` //nolint:staticcheck // encoding/json takes it
		}{1},
		struct {
			A int `json:"a'b"` //nolint:staticcheck // encoding/json takes it
		}{1},
		struct {
			A int `json:"@type"`
			B int `json:"$ref"`
			C int `json:"a.b/c:d-e_f"`
		}{1, 2, 3},
	} {
		same(t, value)
	}
}

// twice returns a struct with two fields of one name, which vet refuses in a literal.
func twice() any {
	number := reflect.TypeFor[int]()
	return reflect.Zero(reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: number, Tag: `json:"x"`}, {Name: "B", Type: number, Tag: `json:"x"`}, {Name: "C", Type: number},
	})).Interface()
}

func TestEmbeddedStructs(t *testing.T) {
	t.Parallel()
	for _, value := range []any{
		struct{ base }{base{"1", "a"}},
		struct {
			base
			Shown
		}{base{"1", "a"}, Shown{"2", "b"}},
		struct {
			base
			ID int
		}{base{"1", "a"}, 3},
		struct {
			*Shown
			B int
		}{},
		struct{ *Shown }{&Shown{"2", "b"}},
		struct {
			base `json:"base"`
		}{base{"1", "a"}},
		struct {
			text
			A int
		}{"a", 1},
		struct{ time.Time }{time.Unix(0, 0).UTC()},
		twice(),
		struct {
			A int `json:"B"`
			B int
		}{1, 2},
		struct{ A []struct{ base } }{[]struct{ base }{{}, {base{"1", "<"}}}},
	} {
		same(t, value)
	}
}

func TestOmittedMembers(t *testing.T) {
	t.Parallel()
	type empty struct {
		A int            `json:",omitempty"`
		B string         `json:",omitempty"`
		C *int           `json:",omitempty"`
		D []int          `json:",omitempty"`
		E map[string]int `json:",omitempty"`
		F any            `json:",omitempty"`
		G base           `json:",omitempty"`
		H [0]int         `json:",omitempty"`
		I [1]int         `json:",omitempty"`
		J float64        `json:",omitempty"`
		K bool           `json:",omitempty"`
		L time.Time      `json:",omitempty"`
		M func()         `json:",omitempty"`
		N uintptr        `json:",omitempty"`
	}
	type zero struct {
		A int            `json:",omitzero"`
		B base           `json:",omitzero"`
		C time.Time      `json:",omitzero"`
		D []int          `json:",omitzero"`
		E zeroes         `json:",omitzero"`
		F []int          `json:",omitempty,omitzero"`
		G map[string]int `json:",omitzero,omitempty"`
		H zeroes         `json:",omitempty,omitzero"`
		I [2]int         `json:",omitzero"`
	}
	type zeroPointer struct {
		A *zeroes  `json:",omitzero"`
		B pointed  `json:",omitzero"`
		C *pointed `json:",omitzero"`
		D asked    `json:",omitzero"`
		E any      `json:",omitzero"`
	}
	seven, six, pointedSeven := zeroes(7), zeroes(6), pointed(7)
	for _, value := range []any{
		empty{},
		empty{A: 1, B: "b", C: new(int), D: []int{}, E: map[string]int{}, F: 0, G: base{ID: "1"}, J: 1, K: true, N: 1},
		empty{D: []int{1}, E: map[string]int{"a": 1}, F: (*int)(nil), L: time.Unix(1, 0).UTC()},
		struct{ A empty }{},
		zero{},
		zero{A: 1, B: base{ID: "1"}, C: time.Unix(1, 0).UTC(), D: []int{}, E: 7, F: []int{}, G: map[string]int{}, H: 7},
		zero{E: 6, F: []int{1}, G: map[string]int{"a": 1}, H: 6, I: [2]int{1}},
		zeroPointer{},
		zeroPointer{&seven, 7, &pointedSeven, seven, 0},
		zeroPointer{&six, 6, new(pointed), six, nil},
		zeroPointer{D: (*zeroes)(nil), E: (*int)(nil)},
	} {
		same(t, value)
	}
}

func TestNumbersAsTexts(t *testing.T) {
	t.Parallel()
	type quoted struct {
		A int         `json:"a,string"`
		B *float64    `json:"b,string"`
		C string      `json:"c,string"`
		D bool        `json:",string,omitempty"`
		E []int       `json:"e,string"` //nolint:staticcheck // encoding/json takes it
		F json.Number `json:"f,string"`
	}
	number := 1.5
	same(t, quoted{})
	same(t, quoted{1, &number, `"<a>"`, true, []int{1}, "12"})
	same(t, struct{ A []quoted }{[]quoted{{}, {A: 1}}})
}

type (
	tree  struct{ Children []tree }
	left  struct{ Right *right }
	right struct{ Left map[string]left }
	self  []self
)

func TestTypesThatHoldThemselves(t *testing.T) {
	t.Parallel()
	same(t, tree{[]tree{{}, {[]tree{{}}}}})
	same(t, left{&right{map[string]left{"a": {}, "b": {&right{}}}}})
	same(t, self{{}, nil, {{}}})
}

// Many callers may ask for the plan of a type that nobody has asked for before.
func TestConcurrentPlans(t *testing.T) {
	t.Parallel()
	type leaf struct{ A, B int }
	type branch struct {
		Leaf     *leaf
		Branches []branch
	}
	const want = `{"Leaf":{"A":1,"B":2},"Branches":[{"Leaf":null,"Branches":null}]}`
	failed := make(chan string, 16)
	var all sync.WaitGroup
	for range cap(failed) {
		all.Go(func() {
			text, err := encode.Append(nil, branch{&leaf{1, 2}, []branch{{}}})
			if string(text) != want || err != nil {
				failed <- fmt.Sprint(string(text), err)
			}
		})
	}
	all.Wait()
	close(failed)
	for text := range failed {
		t.Errorf("JSON is %s, want %s", text, want)
	}
}
