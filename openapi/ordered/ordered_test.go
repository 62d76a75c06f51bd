package ordered

import "testing"

func TestMembersKeepTheirOrder(t *testing.T) {
	t.Parallel()
	const text = `{"b":1,"a":[true,null,{"z":"<&>","y":1.50}],"c":{}}`
	value, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Marshal(value)
	if err != nil || string(got) != text {
		t.Errorf("%s %v", got, err)
	}
	o, _ := value.(*Object)
	o.Drop("b")
	o.Set("c", New("x", 1))
	o.Set("d", "new")
	if got, err := Marshal(o); err != nil || string(got) != `{"a":[true,null,{"z":"<&>","y":1.50}],"c":{"x":1},"d":"new"}` {
		t.Errorf("%s %v", got, err)
	}
	objects := 0
	Walk(o, func(*Object) { objects++ })
	if objects != 3 {
		t.Errorf("%d objects", objects)
	}
	for _, broken := range []string{"", "{", `{"a"`, `[1,`, `{"a":}`} {
		if _, err := Parse([]byte(broken)); err == nil {
			t.Errorf("%s is read", broken)
		}
	}
}
