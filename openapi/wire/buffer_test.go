package wire

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func TestABodyIsWrittenIntoABuffer(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "a", strings.Repeat("long ", 1000), "short again"} {
		b := TakeBuffer()
		if err := Encode(b, map[string]Optional[string]{"<": Some(text)}); err != nil {
			t.Fatal(err)
		}
		if want := `{"\u003c":"` + text + "\"}\n"; b.String() != want {
			t.Errorf("the buffer holds %s, want %s", b, want)
		}
		ReturnBuffer(b)
	}
}

func TestABodyThatCannotBeWrittenLeavesTheBufferEmpty(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	err := Encode(&b, []any{"a", UnionOf(math.NaN())})
	if err == nil || !strings.Contains(err.Error(), "json: unsupported value: NaN") || b.Len() > 0 {
		t.Errorf("error is %v, and the buffer holds %q", err, &b)
	}
}

func TestAUnionIsWrittenAsItsForm(t *testing.T) {
	t.Parallel()
	for want, form := range map[string]any{"null\n": nil, "[1]\n": []int{1}, `{"bio":null}` + "\n": &member{Null[string]()}} {
		var b bytes.Buffer
		if err := Encode(&b, UnionOf(form)); err != nil || b.String() != want {
			t.Errorf("%v is written as %s, %v, want %s", form, &b, err, want)
		}
	}
}
