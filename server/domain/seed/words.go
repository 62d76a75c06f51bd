package seed

import "svc/store/model"

// exampleUsers are the first users: each represents one kind of caller.
var exampleUsers = []struct {
	name, family, about string
	role                model.Access
	external            bool
	state               string
}{
	{"Ada", "Byron", "owner of every group", model.Owner, false, ""},
	{"Ben", "Okafor", "maintainer", model.Maintainer, false, ""},
	{"Cleo", "Marsh", "developer", model.Developer, false, ""},
	{"Dan", "Sato", "reporter", model.Reporter, false, ""},
	{"Eve", "Lind", "guest", model.Guest, false, ""},
	{"Finn", "Rossi", "external, without a role", model.NoAccess, true, ""},
	{"Gil", "Novak", "blocked", model.Developer, false, "blocked"},
	{"Hana", "Weber", "without a role", model.NoAccess, false, ""},
}

var (
	visibilities = []model.Visibility{model.Public, model.Internal, model.Private}
	someRoles    = []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer}

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
	issueTitles = []string{
		"A timeout is too short", "A link leads nowhere", "The start takes long", "An error message is unclear",
		"A test fails from time to time", "The log repeats itself",
	}
	issueTexts = []string{
		"It happens every day at nine.", "I could see it twice, then no more.", "Here is how to repeat it:\n\n1. start\n2. wait\n",
		"The older version did not do that.",
	}
	comments = []string{
		"I can see it, too.", "Thank you, that helps.", "Can you try the newest version?", "Let us talk about it on Monday.",
		"This is **important** for us.", "Looks good to me.",
	}
	topics = []string{"", "go", "go,service", "web", "web,design", "data,python", "rust", "docs"}
)
