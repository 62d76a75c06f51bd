package format

import (
	"reflect"
	"testing"
)

func TestTheStackOfAnEventBeginsWithTheInnermostCall(t *testing.T) {
	t.Parallel()
	got := ReadStack([]byte(`{"exception":{"values":[{"type":"Cause","value":"first"},{"type":"Error","value":"<b>","stacktrace":{"frames":[
		{"filename":"main.go","function":"main","lineno":7,"in_app":true},{"module":"lib","function":"call","lineno":"x"}]}}]}}`))
	want := []Exception{
		{Type: "Error", Value: "<b>", Frames: []Frame{{Where: "lib", Function: "call"}, {Where: "main.go:7", Function: "main", Own: true}}},
		{Type: "Cause", Value: "first"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	for _, odd := range []string{"", "[]", `{"exception":7}`, `{"exception":{"values":[]}}`} {
		if got := ReadStack([]byte(odd)); len(got) != 0 {
			t.Errorf("%s has %+v", odd, got)
		}
	}
}
