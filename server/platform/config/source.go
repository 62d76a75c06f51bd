package config

import (
	"flag"
	"io"
	"reflect"
	"strings"
)

// given is one value as the user gave it, with a label that names its source.
type given struct{ label, text string }

// givens maps keys to values. A missing key means the default.
type givens map[string]given

func (g givens) label(key string) string {
	if value, ok := g[key]; ok {
		return value.label
	}
	return key + " (default)"
}

// fromEnviron treats an empty variable as missing, because container tools pass empty variables for unset values.
func fromEnviron(table []setting, environ []string) givens {
	present := make(map[string]string, len(environ))
	for _, entry := range environ {
		name, text, _ := strings.Cut(entry, "=")
		present[name] = text
	}
	values := givens{}
	for _, s := range table {
		if text := present[s.env]; text != "" {
			values[s.key] = given{label: s.env + " (environment)", text: text}
		}
	}
	return values
}

// flagReader walks the arguments itself: FlagSet.Parse stops at the first mistake, but the user should see all of them.
type flagReader struct {
	set    *flag.FlagSet
	values givens
	rest   []string
	wrong  Mistakes
	help   bool
}

func newFlagReader(table []setting, extra func(*flag.FlagSet)) *flagReader {
	r := &flagReader{set: flag.NewFlagSet("svc", flag.ContinueOnError), values: givens{}}
	r.set.SetOutput(io.Discard)
	for _, s := range table {
		r.set.Var(settingFlag{s, r.values}, s.key, s.help)
	}
	if extra != nil {
		extra(r.set)
	}
	return r
}

func (r *flagReader) read(args []string) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			r.rest = append(r.rest, args...)
			return
		case isFlag(arg):
			args = r.readFlag(arg, args)
		default:
			r.rest = append(r.rest, arg)
		}
	}
}

// readFlag reads one flag, and its value from args if it needs one. It returns the remaining args.
func (r *flagReader) readFlag(arg string, args []string) []string {
	name, text, hasText := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	known := r.set.Lookup(name)
	switch {
	case known == nil:
		return r.readUnknown(name, hasText, args)
	case !hasText && isBoolean(known):
		text = "true"
	case !hasText && bare(known) != "" && (len(args) == 0 || isFlag(args[0])):
		text = bare(known)
	case !hasText && (len(args) == 0 || strings.HasPrefix(args[0], "--")):
		r.wrong.add("--"+name, "the value is missing, write --%s=VALUE", name)
		return args
	case !hasText:
		text, args = args[0], args[1:]
	}
	if err := r.set.Set(name, text); err != nil {
		r.wrong.add("--"+name, "%q is not valid (%v)", text, err)
	}
	return args
}

// readUnknown reads a flag that is no setting: the request for help, or a mistake. It returns the remaining args.
func (r *flagReader) readUnknown(name string, hasText bool, args []string) []string {
	if name == "help" || name == "h" {
		r.help = true
		return args
	}
	r.wrong.add("--"+name, "unknown flag, --help lists all flags")
	if !hasText && len(args) > 0 && !isFlag(args[0]) {
		return args[1:] // most likely the value of the unknown flag; a second mistake would only confuse
	}
	return args
}

func isFlag(arg string) bool { return len(arg) > 1 && arg[0] == '-' }

func isBoolean(f *flag.Flag) bool {
	value, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && value.IsBoolFlag()
}

// bare returns the value of a flag that is given without one; empty if the flag needs a value.
func bare(f *flag.Flag) string {
	if s, ok := f.Value.(settingFlag); ok {
		return s.setting.bare
	}
	return ""
}

// settingFlag only stores the text. Values from all sources are parsed in one place.
type settingFlag struct {
	setting setting
	values  givens
}

func (f settingFlag) Set(text string) error {
	f.values[f.setting.key] = given{label: "--" + f.setting.key, text: text}
	return nil
}

func (f settingFlag) String() string   { return f.setting.def }
func (f settingFlag) IsBoolFlag() bool { return f.setting.kind == reflect.Bool }
