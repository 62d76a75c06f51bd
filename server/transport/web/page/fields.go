package page

import (
	"strconv"
	"strings"
	"time"

	"svc/store/model"
)

// fieldVisibility is the field of VisibilityField.
const fieldVisibility = "visibility"

// VisibilityField lets a person choose the visibility of a project or group.
func VisibilityField(now model.Visibility) Field {
	return Field{Name: fieldVisibility, Label: "Visible to", Type: "select", Options: []Option{
		{Value: "private", Label: "Private: members", Chosen: now == model.Private},
		{Value: "internal", Label: "Internal: everybody who is signed in", Chosen: now == model.Internal},
		{Value: "public", Label: "Public: everybody", Chosen: now == model.Public},
	}}
}

// Visibility reads VisibilityField.
func (v *Visit) Visibility() (model.Visibility, error) {
	for _, known := range []model.Visibility{model.Private, model.Internal, model.Public} {
		if v.Value(fieldVisibility) == known.String() {
			return known, nil
		}
	}
	return model.Private, Broken(map[string][]string{fieldVisibility: {"is not in the list"}})
}

// Text returns a field of several lines, with the line ends of git instead of those of forms.
func (v *Visit) Text(name string) string { return strings.ReplaceAll(v.Value(name), "\r\n", "\n") }

// Roles are the roles that members can have, from the least to a limit.
func Roles(most model.Access) []model.Access {
	var all []model.Access
	for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer, model.Owner} {
		if role <= most {
			all = append(all, role)
		}
	}
	return all
}

// RoleField is the choice of a role, up to a limit.
func RoleField(name, label string, now, most model.Access) Field {
	f := Field{Name: name, Label: label, Type: "select"}
	for _, role := range Roles(most) {
		f.Options = append(f.Options, Option{Value: strconv.FormatInt(int64(role), 10), Label: role.String(), Chosen: role == now})
	}
	return f
}

// Role reads a choice of a role. Whether the caller may give the role is for the domain to decide.
func (v *Visit) Role(name string) (model.Access, error) {
	n, err := strconv.ParseInt(v.Value(name), 10, 64)
	if role := model.Access(n); err == nil && (role == model.NoAccess || role.String() != model.NoAccess.String()) {
		return role, nil
	}
	return model.NoAccess, Broken(map[string][]string{name: {"is not in the list"}})
}

// Day reads a field of type date; nil if it is empty.
func (v *Visit) Day(name string) (*time.Time, error) {
	text := v.Value(name)
	if text == "" {
		return nil, nil
	}
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return nil, Broken(map[string][]string{name: {"is not a date"}})
	}
	return &at, nil
}

// ConfirmPath is the field of a form that cannot be undone: a person must type the path of what it is about. The names
// distinguish the fields of several such forms on one page.
func ConfirmPath(name, path string) Field {
	f := ConfirmField(path)
	f.Name = name
	return f
}

// ConfirmedPath refuses a form whose ConfirmPath has another text.
func (v *Visit) ConfirmedPath(name, path string) error {
	if strings.TrimSpace(v.Value(name)) == path {
		return nil
	}
	return Broken(map[string][]string{name: {"must be " + path}})
}
