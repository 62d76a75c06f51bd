package encode

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strconv"
)

var (
	appenderType      = reflect.TypeFor[Appender]()
	marshalerType     = reflect.TypeFor[json.Marshaler]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
	numberType        = reflect.TypeFor[json.Number]()
)

func newPlan(t reflect.Type) plan {
	switch {
	case t.Kind() == reflect.Pointer:
		return pointerPlan(t)
	case t.Kind() != reflect.Interface && t.Implements(appenderType) && !embedsAppender(t):
		return appendOwn
	case marshals(t), t == numberType:
		return appendOther
	}
	switch t.Kind() {
	case reflect.Bool:
		return appendBool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return appendInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return appendUint
	case reflect.Float32, reflect.Float64:
		return floatPlan(t)
	case reflect.String:
		return appendString
	case reflect.Interface:
		return appendDynamic
	case reflect.Struct:
		return structPlan(t)
	case reflect.Map:
		return mapPlan(t)
	case reflect.Slice:
		return slicePlan(t)
	case reflect.Array:
		return elementsPlan(t)
	default:
		return appendOther
	}
}

// marshals reports whether values of a type, or pointers to them, write their JSON themselves.
func marshals(t reflect.Type) bool {
	for _, form := range []reflect.Type{t, reflect.PointerTo(t)} {
		if form.Implements(marshalerType) || form.Implements(textMarshalerType) {
			return true
		}
	}
	return false
}

// embedsAppender reports whether AppendJSON could be the method of an embedded field, and MarshalJSON another type's.
func embedsAppender(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && (f.Type.Implements(appenderType) || reflect.PointerTo(f.Type).Implements(appenderType)) {
			return true
		}
	}
	return false
}

// appendOther leaves a value to encoding/json, addressable if it is: methods of pointers are called only then.
func appendOther(to []byte, v reflect.Value, _ int) ([]byte, error) {
	if v.Kind() == reflect.Interface && !v.CanAddr() {
		kept := reflect.New(v.Type()).Elem() // Interface would return what is in it
		kept.Set(v)
		v = kept
	}
	if v.CanAddr() {
		v = v.Addr()
	}
	return appendStandard(to, v.Interface())
}

// appendOwn appends an Appender. The pointer to an addressable one is taken, because an interface of it needs no memory.
func appendOwn(to []byte, v reflect.Value, _ int) ([]byte, error) {
	if v.CanAddr() {
		v = v.Addr()
	}
	own, _ := reflect.TypeAssert[Appender](v)
	return own.AppendJSON(to)
}

func appendBool(to []byte, v reflect.Value, _ int) ([]byte, error) {
	return strconv.AppendBool(to, v.Bool()), nil
}

func appendInt(to []byte, v reflect.Value, _ int) ([]byte, error) {
	return strconv.AppendInt(to, v.Int(), 10), nil
}

func appendUint(to []byte, v reflect.Value, _ int) ([]byte, error) {
	return strconv.AppendUint(to, v.Uint(), 10), nil
}

func appendString(to []byte, v reflect.Value, _ int) ([]byte, error) {
	return appendText(to, v.String()), nil
}

func appendBytes(to []byte, v reflect.Value, _ int) ([]byte, error) {
	if v.IsNil() {
		return append(to, "null"...), nil
	}
	to = base64.StdEncoding.AppendEncode(append(to, '"'), v.Bytes())
	return append(to, '"'), nil
}

// appendDynamic appends what is in an interface.
func appendDynamic(to []byte, v reflect.Value, depth int) ([]byte, error) {
	if v.IsNil() {
		return append(to, "null"...), nil
	}
	v = v.Elem()
	return planOf(v.Type())(to, v, depth)
}

func pointerPlan(t reflect.Type) plan {
	element := planOf(t.Elem())
	return func(to []byte, v reflect.Value, depth int) ([]byte, error) {
		if v.IsNil() {
			return append(to, "null"...), nil
		}
		if depth > maxDepth {
			return to, errTooDeep
		}
		return element(to, v.Elem(), depth+1)
	}
}
