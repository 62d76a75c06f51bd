package memberpages

import (
	"maps"
	"slices"
	"strings"

	"svc/server/transport/web/page"
	"svc/store/model"
)

// maxPeople is the number of people that one form can add, as in the API.
const maxPeople = 100

// addForm is the form that adds people.
func addForm(in source) page.Form {
	return page.Form{Action: in.Base + "/add", Submit: "Add", Fields: []page.Field{
		{
			Name: "people", Label: "People", Type: "text", Required: true, Autocomplete: "off",
			Hint: "Usernames or mail addresses, separated by commas. People who confirm such an address later become members then.",
		},
		page.RoleField("role", "Role", model.Developer, in.Role),
		{Name: "expires_at", Label: "Until", Type: "date", Hint: "Leave empty for a role that does not end"},
	}}
}

// add adds people by username, and invites mail addresses.
// POST …_members/add
func (p *Pages) add(v *page.Visit) error {
	in := sourceOf(v)
	if err := p.addPeople(v, in); err != nil {
		return p.show(v, err)
	}
	return v.Done(in.Base, "The people were added.")
}

func (p *Pages) addPeople(v *page.Visit, in source) error {
	ctx := v.Request().Context()
	names, addresses := people(v.Value("people"))
	switch n := len(names) + len(addresses); {
	case n == 0:
		return page.Broken(map[string][]string{"people": {"can't be blank"}})
	case n > maxPeople:
		return page.Broken(map[string][]string{"people": {"are too many, at most 100 are possible"}})
	}
	role, err := v.Role("role")
	if err != nil {
		return err
	}
	until, err := v.Day("expires_at")
	if err != nil {
		return err
	}
	row, err := in.NewMember(ctx, role, until)
	if err != nil {
		return err
	}
	known, err := p.Store.Users.ByUsername(ctx, names)
	if err != nil {
		return err
	}
	refused := map[string]string{}
	if err := p.Members.AddEach(ctx, in.Source, names, known, row, refused); err != nil {
		return err
	}
	if err := p.Members.InviteEach(ctx, in.Source, addresses, row, refused); err != nil {
		return err
	}
	return refusals(refused)
}

// people splits a text into usernames and mail addresses.
func people(text string) (names, addresses []string) {
	for _, one := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\n' }) {
		switch name := strings.TrimPrefix(one, "@"); {
		case name == "":
		case strings.Contains(name, "@"):
			addresses = append(addresses, name)
		default:
			names = append(names, name)
		}
	}
	return names, addresses
}

// refusals returns the people who were not added, with the reasons.
func refusals(refused map[string]string) error {
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		texts = append(texts, "do not include "+name+": "+refused[name]+".")
	}
	if len(texts) == 0 {
		return nil
	}
	return page.Broken(map[string][]string{"people": texts})
}
