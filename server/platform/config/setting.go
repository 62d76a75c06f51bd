package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// setting describes one field of Config: the values of its tags and its help text.
type setting struct {
	index    int
	key, env string
	def      string
	bare     string
	help     string
	kind     reflect.Kind
	secret   bool
	reload   bool // it may change while the service runs
	oneOf    []string
	min, max string
}

// settings returns the settings in the order of the fields of Config.
func settings() []setting {
	fields := reflect.TypeFor[Config]()
	table := make([]setting, 0, fields.NumField())
	for i := range fields.NumField() {
		field := fields.Field(i)
		key := field.Tag.Get("key")
		s := setting{
			index:  i,
			key:    key,
			env:    "SVC_" + strings.ToUpper(strings.ReplaceAll(key, "-", "_")),
			def:    field.Tag.Get("default"),
			bare:   field.Tag.Get("bare"),
			help:   help[key],
			kind:   field.Type.Kind(),
			secret: field.Tag.Get("secret") == "true",
			reload: field.Tag.Get("reload") == "true",
			min:    field.Tag.Get("min"),
			max:    field.Tag.Get("max"),
		}
		if names := field.Tag.Get("oneof"); names != "" {
			s.oneOf = strings.Split(names, ",")
		}
		table = append(table, s)
	}
	return table
}

// set parses text into the field and checks the limits of the tags. The error never contains a secret.
func (s setting) set(field reflect.Value, text string) error {
	switch into := field.Addr().Interface().(type) {
	case *string:
		*into = text
		return s.checkText(text)
	case *int:
		return setNumber(s, into, text, parseInt)
	case *float64:
		return setNumber(s, into, text, parseFloat)
	case *time.Duration:
		return setNumber(s, into, text, parseDuration)
	case *bool:
		value, err := parseBool(text)
		*into = value
		return err
	case *[]netip.Prefix:
		value, err := parsePrefixes(text)
		*into = value
		return err
	case *[]string:
		*into = parseNames(text)
		return nil
	case *[]Storage:
		value, err := parseStorages(text)
		*into = value
		return err
	default:
		panic("config: the type of " + s.key + " is not supported")
	}
}

func (s setting) checkText(text string) error {
	if len(s.oneOf) > 0 && !slices.Contains(s.oneOf, text) {
		return fmt.Errorf("%q is not one of %s", text, strings.Join(s.oneOf, ", "))
	}
	if s.min == "" || text == "" {
		return nil
	}
	if least := mustParse(parseInt, s.min); utf8.RuneCountInString(text) < least {
		return fmt.Errorf("the value is too short, use at least %d characters", least)
	}
	return nil
}

func setNumber[T cmp.Ordered](s setting, into *T, text string, parse func(string) (T, error)) error {
	value, err := parse(text)
	if err != nil {
		return err
	}
	*into = value
	small := s.min != "" && value < mustParse(parse, s.min)
	large := s.max != "" && value > mustParse(parse, s.max)
	if small || large {
		return fmt.Errorf("%q is out of range, use %s", text, s.limits())
	}
	return nil
}

// limits describes in words which values the tags allow; empty if they allow any.
func (s setting) limits() string {
	switch {
	case len(s.oneOf) > 0:
		return "one of " + strings.Join(s.oneOf, ", ")
	case s.min != "" && s.max != "":
		return s.min + " to " + s.max
	case s.min != "" && s.kind == reflect.String:
		return "at least " + s.min + " characters"
	case s.min != "":
		return s.min + " or more"
	default:
		return ""
	}
}

func mustParse[T any](parse func(string) (T, error), tag string) T {
	value, err := parse(tag)
	if err != nil {
		panic("config: a tag of Config is wrong: " + err.Error())
	}
	return value
}

func parseInt(text string) (int, error) {
	value, err := strconv.Atoi(strings.TrimSpace(text))
	if errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is too large a number", text)
	}
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", text)
	}
	return value, nil
}

func parseFloat(text string) (float64, error) {
	value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(value) {
		return 0, fmt.Errorf("%q is not a number, write it like 0.1", text)
	}
	return value, nil
}

func parseDuration(text string) (time.Duration, error) {
	value, err := time.ParseDuration(strings.TrimSpace(text))
	if err != nil {
		return 0, fmt.Errorf("%q is not a duration, write it like 90s, 5m or 1h30m", text)
	}
	return value, nil
}

// parseBool also accepts yes, no, on and off, because many users of YAML write booleans this way.
func parseBool(text string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "on", "1":
		return true, nil
	case "false", "no", "off", "0":
		return false, nil
	default:
		return false, fmt.Errorf("%q is neither true nor false", text)
	}
}

// parseNames splits a list at its commas.
func parseNames(text string) []string {
	var names []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			names = append(names, part)
		}
	}
	return names
}

func parsePrefixes(text string) ([]netip.Prefix, error) {
	var prefixes []netip.Prefix
	var wrong []string
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		prefix, ok := parsePrefix(part)
		if !ok {
			wrong = append(wrong, strconv.Quote(part))
			continue
		}
		prefixes = append(prefixes, prefix)
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("%s: not an address like 10.0.0.1 or a range like 10.0.0.0/8", strings.Join(wrong, ", "))
	}
	return prefixes, nil
}

// parsePrefix refuses zones, and ranges of IPv4 addresses written as IPv6, because such a range would match no client.
func parsePrefix(text string) (netip.Prefix, bool) {
	if prefix, err := netip.ParsePrefix(text); err == nil {
		return prefix.Masked(), !prefix.Addr().Is4In6()
	}
	addr, err := netip.ParseAddr(text)
	if err != nil || addr.Zone() != "" {
		return netip.Prefix{}, false
	}
	addr = addr.Unmap()
	return netip.PrefixFrom(addr, addr.BitLen()), true
}

func parseStorages(text string) ([]Storage, error) {
	var all []Storage
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		name, folder, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || name == "" || folder == "" {
			return nil, fmt.Errorf("%q does not have the form name=folder", part)
		}
		if strings.Contains(name, "@") {
			return nil, fmt.Errorf("the name %q contains an @", name)
		}
		all = append(all, Storage{Name: name, Folder: folder})
	}
	return all, nil
}
