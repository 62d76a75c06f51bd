package config

import (
	"errors"
	"flag"
	"reflect"
)

// InForce is one setting with its value and its source.
type InForce struct {
	Key    string `json:"key"`
	Value  string `json:"value"`  // "(hidden)" for a secret
	Source string `json:"source"` // as in messages: the flag, the variable, or the file and its line; "default" for none
}

// Explanation says how the settings were understood.
type Explanation struct {
	Config   Config    // only if there are no mistakes
	Settings []InForce // in the order of svc serve --help
	Mistakes Mistakes
	Warnings []string // variables that look like settings and are none
}

// fromDefault is the source of a setting that nobody has given.
const fromDefault = "default"

// Explain reads the settings as Load does, and returns them with their sources and all mistakes. extra adds the flags of
// the command. The error is flag.ErrHelp if args ask for help.
func Explain(args, environ []string, extra func(*flag.FlagSet)) (Explanation, error) {
	l := load(args, environ, extra, false)
	if errors.Is(l.err, flag.ErrHelp) {
		return Explanation{}, l.err
	}
	e := Explanation{Config: l.config, Warnings: Unknown(environ)}
	if l.err != nil && !errors.As(l.err, &e.Mistakes) {
		return e, l.err
	}
	for i, attr := range l.partial.attrs() {
		setting := InForce{Key: attr.Key, Value: attr.Value.String(), Source: fromDefault}
		if given, ok := l.values[attr.Key]; ok {
			setting.Source = given.label
		} else if differs(l.partial, i) {
			setting.Source = "derived from other settings"
		}
		e.Settings = append(e.Settings, setting)
	}
	return e, nil
}

// differs reports whether a setting that nobody gave has another value than its default.
func differs(c Config, index int) bool {
	s := settings()[index]
	usual := reflect.New(reflect.TypeFor[Config]().Field(s.index).Type).Elem()
	if err := s.set(usual, s.def); err != nil {
		return false
	}
	return !reflect.DeepEqual(usual.Interface(), reflect.ValueOf(c).Field(s.index).Interface())
}
