package settingspages

import (
	"slices"
	"unicode/utf8"

	"svc/server/transport/web/page"
)

// setting is a setting that is one column.
type setting struct {
	column, label, hint string
	options             []page.Option // of a choice; nil for a checkbox or a text
	most                int           // characters of a text; 0 for a checkbox
}

// fields returns the fields of settings. now has the values of choices and texts, and "1" for a box that is checked.
func fields(all []setting, now map[string]string) []page.Field {
	shown := make([]page.Field, len(all))
	for i, s := range all {
		f := page.Field{Name: s.column, Label: s.label, Hint: s.hint, Type: "checkbox", Checked: now[s.column] == "1"}
		switch {
		case s.options != nil:
			f.Type = "select"
			for _, o := range s.options {
				o.Chosen = o.Value == now[s.column]
				f.Options = append(f.Options, o)
			}
		case s.most > 0:
			f.Type, f.Value, f.Rows = "textarea", now[s.column], 3
		}
		shown[i] = f
	}
	return shown
}

// columns reads the settings of a form that was sent, by column.
func columns(v *page.Visit, all []setting) (map[string]any, error) {
	set, broken := map[string]any{}, map[string][]string{}
	for _, s := range all {
		value := v.Text(s.column)
		switch {
		case s.options != nil:
			if !slices.ContainsFunc(s.options, func(o page.Option) bool { return o.Value == value }) {
				broken[s.column] = []string{"is not in the list"}
			}
			set[s.column] = value
		case s.most > 0:
			if utf8.RuneCountInString(value) > s.most {
				broken[s.column] = []string{"is too long"}
			}
			set[s.column] = &value
			if value == "" {
				set[s.column] = (*string)(nil)
			}
		default:
			set[s.column] = value != ""
		}
	}
	return set, page.Broken(broken)
}

// checked returns the value of a box.
func checked(on bool) string {
	if on {
		return "1"
	}
	return ""
}
