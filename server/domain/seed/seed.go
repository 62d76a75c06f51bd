// Package seed fills an instance with demonstration data: users, nested groups, projects, roles and tokens. The first
// projects have everything that a project can have: a repository with history, issues, merge requests in every state,
// pipelines, releases and packages. The same number produces the same data, including the tokens, so use it only for
// instances that nobody else can reach.
//
//	seed.go      the document of a number: users, groups, projects
//	content.go   what is in the first projects
//	history.go   their repositories
//	pipelines.go their pipelines
//	words.go     names and texts
package seed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"svc/server/domain/fixture"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// Size is how much data to create.
type Size struct {
	Users    int `json:"users"`
	Groups   int `json:"groups"`
	Projects int `json:"projects"`
}

// Small is enough to show every kind of object, and takes only a moment.
var Small = Size{Users: 20, Groups: 12, Projects: 36}

// Person is a user with the generated token.
type Person struct {
	Username string `json:"username"`
	About    string `json:"about"`
	Token    string `json:"token"`
}

// Result describes the created data.
type Result struct {
	Size
	Password     string   `json:"password"`      // of every user
	ExampleUsers []Person `json:"example_users"` // the users to show
}

// Fill creates the data in one transaction. It refuses an instance that has more than the first user.
func Fill(ctx context.Context, to fixture.Target, number uint64, size Size, progress fixture.Progress) (Result, error) {
	doc, made := Document(number, size)
	_, err := fixture.Load(ctx, to, doc, progress)
	return made, err
}

// Document returns the data of a number.
func Document(number uint64, size Size) (*fixture.Document, Result) {
	f := &filler{
		number: number, size: size,
		random: rand.New(rand.NewPCG(number, 0x5eed)), //nolint:gosec // it is meant to be repeatable
		begin:  fixture.FirstClock,
		doc:    &fixture.Document{Version: fixture.Version, Clock: fixture.At(fixture.FirstClock)},
	}
	f.password = "demo-" + f.digest("password")[:16]
	f.users()
	f.groups()
	f.projects()
	f.fillProjects()
	return f.doc, Result{Size: size, Password: f.password, ExampleUsers: f.shown}
}

type filler struct {
	number   uint64
	size     Size
	random   *rand.Rand
	begin    time.Time
	password string
	doc      *fixture.Document
	shown    []Person
}

// digest derives a text from the number and a purpose.
func (f *filler) digest(purpose string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "svc seed %d %s", f.number, purpose))
	return hex.EncodeToString(sum[:])
}

// at returns the creation time of the n-th object of a kind.
func (f *filler) at(n int) fixture.Time {
	return fixture.At(f.begin.Add(time.Duration(n) * 17 * time.Minute))
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// tokensEnd is the day on which the tokens expire. It does not depend on the day of the start, so that two starts give
// the same data.
var tokensEnd = fixture.Date{Time: time.Date(2036, 1, 1, 0, 0, 0, 0, time.UTC)}

// users declares the cast, who get the roles, and then other users.
func (f *filler) users() {
	taken := map[string]bool{}
	for i := range f.size.Users {
		u := fixture.User{Password: f.password, CreatedAt: f.at(i)}
		about := ""
		if i < len(exampleUsers) {
			c := exampleUsers[i]
			u.Username, u.Name, about = strings.ToLower(c.name), c.name+" "+c.family, c.about
			u.External, u.State = c.external, c.state
		} else {
			first, family := pick(f.random, firstNames), pick(f.random, familyNames)
			u.Name, u.Username = first+" "+family, strings.ToLower(first+"."+family)
			if taken[u.Username] {
				u.Username += fmt.Sprint(i)
			}
		}
		taken[u.Username] = true
		token := secret.TokenPrefix + f.digest("token of " + u.Username)[:40]
		u.Tokens = []fixture.Token{{
			Name: "demonstration", Token: token, Scopes: []string{"api", "read_user", "read_repository", "write_repository"},
			ExpiresAt: tokensEnd, CreatedAt: u.CreatedAt,
		}}
		if about != "" {
			f.shown = append(f.shown, Person{Username: u.Username, About: about, Token: token})
		}
		f.doc.Users = append(f.doc.Users, u)
	}
}

// groups declares a few top-level groups, and the others below existing ones, so that some are deeply nested.
func (f *filler) groups() {
	for i := range f.size.Groups {
		name := wordAt(i, groupNames)
		g := fixture.Group{
			Path: slug(name), Name: name, Visibility: visibilities[i%len(visibilities)].String(), CreatedAt: f.at(i),
			Description: "Everything about " + strings.ToLower(name) + ".",
		}
		if i >= 3 && i%4 != 0 {
			parent := f.doc.Groups[f.random.IntN(len(f.doc.Groups))]
			if strings.Count(parent.Path, "/") < store.MaxDepth-2 {
				g.Path = parent.Path + "/" + g.Path
				g.Visibility = lessVisible(g.Visibility, parent.Visibility)
			}
		}
		g.Members = f.roles()
		f.doc.Groups = append(f.doc.Groups, g)
	}
}

// lessVisible returns the lower of two visibilities.
func lessVisible(a, b string) string {
	order := []string{model.Private.String(), model.Internal.String(), model.Public.String()}
	return order[min(slices.Index(order, a), slices.Index(order, b))]
}

// roles gives each member of the cast their role, and a few other users a random one.
func (f *filler) roles() []fixture.Member {
	var members []fixture.Member
	given := map[string]bool{}
	add := func(username string, role model.Access) {
		if !given[username] {
			given[username] = true
			members = append(members, fixture.Member{User: username, Role: fixture.RoleName(role)})
		}
	}
	people := f.doc.Users
	for i, c := range exampleUsers {
		if i < len(people) && c.role != model.NoAccess {
			add(people[i].Username, c.role)
		}
	}
	others := len(people) - len(exampleUsers)
	for range min(3, max(0, others)) {
		add(people[len(exampleUsers)+f.random.IntN(others)].Username, pick(f.random, someRoles))
	}
	return members
}

// projects declares projects in groups and in users' own namespaces, with every visibility that is allowed there.
func (f *filler) projects() {
	people, groups := f.doc.Users, f.doc.Groups
	for i := range f.size.Projects {
		name := wordAt(i, projectNames)
		p := fixture.Project{Name: name, Path: slug(name), Visibility: visibilities[i%len(visibilities)].String(), CreatedAt: f.at(i)}
		if len(groups) > 0 && (i%5 != 0 || len(people) == 0) {
			in := groups[f.random.IntN(len(groups))]
			p.Path, p.Visibility = in.Path+"/"+p.Path, lessVisible(p.Visibility, in.Visibility)
			p.Creator = people[0].Username
		} else {
			owner := people[f.random.IntN(len(people))]
			p.Path, p.Creator = owner.Username+"/"+p.Path, owner.Username
		}
		p.Description = "A demonstration of " + strings.ToLower(p.Name) + "."
		if topics := pick(f.random, topics); topics != "" {
			p.Topics = strings.Split(topics, ",")
		}
		p.Archived = i%13 == 12
		f.doc.Projects = append(f.doc.Projects, p)
	}
}

// wordAt returns a word of a list, with a number once all words are used.
func wordAt(n int, words []string) string {
	if n < len(words) {
		return words[n]
	}
	return fmt.Sprintf("%s %d", words[n%len(words)], n/len(words)+1)
}

func slug(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }
