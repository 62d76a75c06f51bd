// Package seed fills an instance with demonstration data: users, nested groups, projects, roles and tokens. The same
// number produces the same data, including the tokens, so use it only for instances that nobody else can reach.
package seed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// Size is how much data to create.
type Size struct{ Users, Groups, Projects int }

// Small is enough to show every kind of object, and takes only a moment.
var Small = Size{Users: 20, Groups: 12, Projects: 36}

// Person is a user with the generated token.
type Person struct{ Username, About, Token string }

// Result describes the created data.
type Result struct {
	Size
	Password     string   // of every user
	ExampleUsers []Person // the users to show
}

// Progress is called from time to time with the number of created objects of a kind.
type Progress func(kind string, done, of int)

// Fill creates the data in one transaction. It refuses an instance that has more than the first user.
func Fill(ctx context.Context, st *store.Store, number uint64, size Size, progress Progress) (Result, error) {
	f := &filler{
		st: st, number: number, size: size, progress: progress,
		random: rand.New(rand.NewPCG(number, 0x5eed)), //nolint:gosec // it is meant to be repeatable
		begin:  time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC),
	}
	f.password = "demo-" + f.digest("password")[:16]
	hash, err := secret.HashPassword(ctx, f.password)
	if err != nil {
		return Result{}, err
	}
	f.hash = hash
	err = st.Tx(ctx, func(ctx context.Context) error {
		_, total, err := st.Users.List(ctx, store.UserFilter{ExcludeInternal: true}, store.UserOrder{Column: "id"}, store.Page{Limit: 2})
		if err != nil {
			return err
		}
		if total.Count > 1 {
			return errors.New("this instance already has users; demonstration data can only be generated in a new instance")
		}
		for _, step := range []func(context.Context) error{f.users, f.groups, f.projects} {
			if err := step(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	return Result{Size: size, Password: f.password, ExampleUsers: f.shown}, nil
}

type filler struct {
	st       *store.Store
	number   uint64
	size     Size
	progress Progress
	random   *rand.Rand
	begin    time.Time
	password string
	hash     string
	people   []model.User
	places   []model.Namespace
	shown    []Person
}

// digest derives a text from the number and a purpose.
func (f *filler) digest(purpose string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "svc seed %d %s", f.number, purpose))
	return hex.EncodeToString(sum[:])
}

// at returns the creation time of the n-th object of a kind.
func (f *filler) at(n int) time.Time { return f.begin.Add(time.Duration(n) * 17 * time.Minute) }

func (f *filler) report(kind string, done, of int) {
	if f.progress != nil && (done == of || done%1000 == 0) {
		f.progress(kind, done, of)
	}
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// users creates the cast, who get the roles, and then other users.
func (f *filler) users(ctx context.Context) error {
	taken := map[string]bool{}
	for i := range f.size.Users {
		u := model.DefaultUser()
		about := ""
		if i < len(exampleUsers) {
			c := exampleUsers[i]
			u.Username, u.Name, about = strings.ToLower(c.name), c.name+" "+c.family, c.about
			if c.edit != nil {
				c.edit(&u)
			}
		} else {
			first, family := pick(f.random, firstNames), pick(f.random, familyNames)
			u.Name, u.Username = first+" "+family, strings.ToLower(first+"."+family)
			if taken[u.Username] {
				u.Username += fmt.Sprint(i)
			}
		}
		taken[u.Username] = true
		made := f.at(i)
		u.Email, u.PasswordHash = u.Username+"@example.com", f.hash
		u.CreatedAt, u.UpdatedAt, u.ConfirmedAt = made, made, &made
		if err := f.st.Users.Create(ctx, &u); err != nil {
			return fmt.Errorf("create user %s: %w", u.Username, err)
		}
		if err := f.token(ctx, u, about); err != nil {
			return err
		}
		f.people = append(f.people, u)
		f.report("users", i+1, f.size.Users)
	}
	return nil
}

// token creates a personal access token for a user, with scopes for the API and repositories.
func (f *filler) token(ctx context.Context, u model.User, about string) error {
	token := secret.TokenPrefix + f.digest("token of " + u.Username)[:40]
	expires := clock.Now(ctx).UTC().Truncate(24*time.Hour).AddDate(1, 0, 0)
	err := f.st.Tokens.Create(ctx, &model.PersonalAccessToken{
		UserID: u.ID, Name: "demonstration", Digest: secret.Digest(token),
		Scopes: "api read_user read_repository write_repository", ExpiresAt: &expires,
	})
	if about != "" {
		f.shown = append(f.shown, Person{Username: u.Username, About: about, Token: token})
	}
	return err
}

// groups creates a few top-level groups, and the others below existing ones, so that some are deeply nested.
func (f *filler) groups(ctx context.Context) error {
	for i := range f.size.Groups {
		g := model.DefaultNamespace(model.NamespaceGroup)
		g.Name, g.Visibility = f.name(i, groupNames), visibilities[i%len(visibilities)]
		g.CreatedAt, g.UpdatedAt = f.at(i), f.at(i)
		if i >= 3 && i%4 != 0 {
			parent := f.places[f.random.IntN(len(f.places))]
			if strings.Count(parent.FullPath, "/") < store.MaxDepth-2 {
				g.ParentID, g.Visibility = &parent.ID, min(g.Visibility, parent.Visibility)
			}
		}
		g.Path = slug(g.Name)
		g.Description = "Everything about " + strings.ToLower(g.Name) + "."
		if err := f.st.Namespaces.Create(ctx, &g); err != nil {
			return fmt.Errorf("create group %s: %w", g.Path, err)
		}
		if err := f.roles(ctx, model.SourceGroup, g.ID); err != nil {
			return err
		}
		f.places = append(f.places, g)
		f.report("groups", i+1, f.size.Groups)
	}
	return nil
}

// roles gives each member of the cast their role, and a few other users a random one.
func (f *filler) roles(ctx context.Context, kind string, id int64) error {
	given := map[int64]bool{}
	add := func(u model.User, role model.Access) error {
		if given[u.ID] {
			return nil
		}
		given[u.ID] = true
		return f.st.Members.Add(
			ctx,
			&model.Member{SourceType: kind, SourceID: id, UserID: u.ID, AccessLevel: role, CreatedByID: &f.people[0].ID},
		)
	}
	for i, c := range exampleUsers {
		if i >= len(f.people) || c.role == model.NoAccess {
			continue
		}
		if err := add(f.people[i], c.role); err != nil {
			return err
		}
	}
	others := len(f.people) - len(exampleUsers)
	for range min(3, max(0, others)) {
		if err := add(f.people[len(exampleUsers)+f.random.IntN(others)], pick(f.random, roles)); err != nil {
			return err
		}
	}
	return nil
}

// projects creates projects in groups and in users' own namespaces, with every visibility that is allowed there.
func (f *filler) projects(ctx context.Context) error {
	for i := range f.size.Projects {
		p := model.DefaultProject()
		p.Name = f.name(i, projectNames)
		p.Path, p.Visibility = slug(p.Name), visibilities[i%len(visibilities)]
		if len(f.places) > 0 && (i%5 != 0 || len(f.people) == 0) {
			in := f.places[f.random.IntN(len(f.places))]
			p.NamespaceID, p.Visibility = in.ID, min(p.Visibility, in.Visibility)
			p.CreatorID = &f.people[0].ID
		} else {
			owner := f.people[f.random.IntN(len(f.people))]
			p.NamespaceID, p.CreatorID = *owner.NamespaceID, &owner.ID
		}
		about := "A demonstration of " + strings.ToLower(p.Name) + "."
		p.Description, p.Topics = &about, pick(f.random, topics)
		p.Archived = i%13 == 12
		p.CreatedAt, p.UpdatedAt = f.at(i), f.at(i)
		if err := f.st.Projects.Create(ctx, &p, nil); err != nil {
			return fmt.Errorf("create project %s: %w", p.Path, err)
		}
		f.report("projects", i+1, f.size.Projects)
	}
	return nil
}

// name returns a word of a list, with a number once all words are used.
func (f *filler) name(n int, words []string) string {
	if n < len(words) {
		return words[n]
	}
	return fmt.Sprintf("%s %d", words[n%len(words)], n/len(words)+1)
}

func slug(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }
