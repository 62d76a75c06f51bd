package generate

import (
	"encoding/json"
	"reflect"
	"testing"

	"svc/server/cmd/svc/conformance/check"
)

// Generated bodies follow their schemas, except for patterns and rules that no schema says.
func TestGeneratedBodiesFollowTheirSchemas(t *testing.T) {
	t.Parallel()
	s := New(1, 1)
	made, wrong := 0, 0
	for _, r := range check.Routes() {
		if r.Op.RequestBody == nil || r.Op.RequestBody.Value.Content["application/json"] == nil {
			continue
		}
		schema := r.Op.RequestBody.Value.Content["application/json"].Schema.Value
		for range 5 {
			data, err := json.Marshal(s.Value(schema))
			if err != nil {
				t.Fatal(err)
			}
			var value any
			if err := json.Unmarshal(data, &value); err != nil {
				t.Fatal(err)
			}
			made++
			if schema.VisitJSON(value) != nil {
				wrong++
			}
		}
	}
	if made < 500 || wrong > made/10 {
		t.Errorf("%d of %d bodies do not follow their schemas", wrong, made)
	}
}

func TestTheSameSeedGivesTheSameValues(t *testing.T) {
	t.Parallel()
	values := func(seed uint64) []any {
		s := New(seed, 0)
		var all []any
		for _, name := range []string{"Project", "Issue", "Job"} {
			if schema := check.Doc().Components.Schemas[name]; schema != nil {
				all = append(all, s.Value(schema.Value))
			}
		}
		return all
	}
	if len(values(1)) == 0 || !reflect.DeepEqual(values(1), values(1)) || reflect.DeepEqual(values(1), values(2)) {
		t.Error("the values do not follow from the seed alone")
	}
}

func TestAMistakeBreaksTheSchema(t *testing.T) {
	t.Parallel()
	schema := check.Doc().Components.Schemas["InstanceVariableCreate"]
	if schema == nil {
		t.Fatal("there is no such schema")
	}
	s := New(3, 0)
	for range 50 {
		object, ok := s.Value(schema.Value).(map[string]any)
		if !ok {
			t.Fatal("not an object")
		}
		broken, what := s.Wrong(schema.Value, object)
		data, err := json.Marshal(broken)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(data, &value); err != nil {
			t.Fatal(err)
		}
		if what == "" || schema.Value.VisitJSON(value) == nil {
			t.Errorf("%q does not break %s", what, data)
		}
	}
}
