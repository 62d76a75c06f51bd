package seed

import "svc/store/model"

// exampleUsers are the first users: each represents one kind of caller.
var exampleUsers = []struct {
	name, family, about string
	role                model.Access
	edit                func(*model.User)
}{
	{"Ada", "Byron", "owner of every group", model.Owner, nil},
	{"Ben", "Okafor", "maintainer", model.Maintainer, nil},
	{"Cleo", "Marsh", "developer", model.Developer, nil},
	{"Dan", "Sato", "reporter", model.Reporter, nil},
	{"Eve", "Lind", "guest", model.Guest, nil},
	{"Finn", "Rossi", "external, without a role", model.NoAccess, func(u *model.User) { u.External = true }},
	{"Gil", "Novak", "blocked", model.Developer, func(u *model.User) { u.State = model.UserBlocked }},
	{"Hana", "Weber", "without a role", model.NoAccess, nil},
}

var (
	visibilities = []model.Visibility{model.Public, model.Internal, model.Private}
	roles        = []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer}

	firstNames = []string{
		"Amara", "Boris", "Chiara", "Diego", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kira", "Luca", "Mina", "Nils",
		"Olga", "Pavel", "Rosa", "Sven", "Tara", "Umar", "Vera", "Wanda", "Yusuf", "Zoe",
	}
	familyNames = []string{
		"Adler", "Bauer", "Castro", "Dubois", "Eriksen", "Fischer", "Garcia", "Haddad", "Ivanov", "Jansen", "Kowalski", "Larsen",
		"Moreau", "Nguyen", "Osei", "Petrov", "Quist", "Ramos", "Silva", "Tanaka", "Ueda", "Varga", "Wolf", "Zhang",
	}
	groupNames = []string{
		"Harbor", "Orchard", "Observatory", "Backend", "Frontend", "Platform", "Research", "Mobile", "Security", "Data",
		"Design", "Support",
	}
	projectNames = []string{
		"Anchor", "Beacon", "Compass", "Dockyard", "Ember", "Ferry", "Gauge", "Hinge", "Inkwell", "Jetty", "Kiln", "Lantern", "Mortar",
		"Needle", "Oar", "Pulley", "Quarry", "Rudder", "Sextant", "Trowel", "Urn", "Vane", "Winch", "Yoke", "Zephyr",
	}
	topics = []string{"", "go", "go,service", "web", "web,design", "data,python", "rust", "docs"}
)
