package control

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"svc/server"
	"svc/server/domain/account"
	"svc/server/domain/fixture"
	"svc/server/domain/seed"
	"svc/store/clock"
	"svc/store/secret"
)

// source says what a world begins with: the demonstration data of a number, fixtures, or nothing.
type source struct {
	seed     int
	fixtures *fixture.Document
	key      string // equal for equal sources
}

var nothing = source{key: "nothing"}

// fromSeed returns the source of the demonstration data of a number; nothing for 0.
func fromSeed(number int) source {
	if number == 0 {
		return nothing
	}
	return source{seed: number, key: fmt.Sprintf("seed %d", number)}
}

// fromFixtures returns the source of fixtures.
func fromFixtures(doc *fixture.Document, text string) source {
	return source{fixtures: doc, key: "fixtures " + text}
}

// document returns what to load, and the users with a token.
func (s source) document() (*fixture.Document, []User) {
	if s.fixtures != nil {
		return s.fixtures, UsersOf(s.fixtures)
	}
	doc, made := seed.Document(uint64(s.seed), seed.Small)
	var users []User
	for _, u := range made.ExampleUsers {
		users = append(users, User{Username: u.Username, Token: u.Token, About: u.About})
	}
	return doc, users
}

// User is a user of the test data who has a token.
type User struct {
	Username string `json:"username"`
	Token    string `json:"token"`
	About    string `json:"about"`
}

// UsersOf returns the users of fixtures that have a token.
func UsersOf(doc *fixture.Document) (users []User) {
	tokens := doc.Tokens()
	for _, name := range slices.Sorted(maps.Keys(tokens)) {
		users = append(users, User{Username: name, Token: tokens[name]})
	}
	return users
}

// beginning is a prepared data folder, which is never changed. Worlds get copies of it, so that no world pays for
// migrations, the hash of a password or test data.
type beginning struct {
	source
	folder    string
	secretKey string
	root      account.Root
	tokenID   int64 // of the token of root
	users     []User

	once sync.Once
	err  error

	mu      sync.Mutex
	spare   string // a copy that no world has yet; empty if there is none
	copying bool   // a spare copy is being made
}

// copyOf returns a new folder with the data of a beginning. It makes the next copy in the background, so that a reset need
// not wait for it.
func (c *Control) copyOf(b *beginning) (folder string, err error) {
	b.mu.Lock()
	folder, b.spare = b.spare, ""
	makeNext := !b.copying
	b.copying = true
	b.mu.Unlock()
	if makeNext {
		defer c.inBackground(func() { c.makeSpare(b) })
	}
	if folder != "" {
		return folder, nil
	}
	return c.newCopy(b)
}

func (c *Control) newCopy(b *beginning) (folder string, err error) {
	if folder, err = c.newFolder("worlds"); err != nil {
		return "", err
	}
	return folder, copyFolder(b.folder, folder)
}

// makeSpare makes a spare copy.
func (c *Control) makeSpare(b *beginning) {
	folder, err := c.newCopy(b)
	if err != nil {
		folder = "" // the next world makes its copy itself, and reports the error
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spare, b.copying = folder, false
}

// begin returns the prepared data for a source. The first call for a source prepares it.
func (c *Control) begin(ctx context.Context, from source) (*beginning, error) {
	c.mu.Lock()
	b := c.beginnings[from.key]
	if b == nil {
		b = &beginning{source: from}
		c.beginnings[from.key] = b
	}
	c.mu.Unlock()
	b.once.Do(func() { b.err = c.prepare(ctx, b) })
	if b.err != nil {
		c.mu.Lock()
		delete(c.beginnings, from.key) // another call may try again
		c.mu.Unlock()
	}
	return b, b.err
}

// prepare fills the folder of a beginning: from the start, or as a copy of the one without data.
func (c *Control) prepare(ctx context.Context, b *beginning) (err error) {
	if b.folder, err = c.newFolder("beginnings"); err != nil {
		return err
	}
	if b.source.key == nothing.key {
		return c.inFolder(ctx, b, func(s *server.Server) error { return b.createAdministrator(ctx, c, s) })
	}
	if prepared, err := c.usePrepared(ctx, b); err != nil || prepared {
		return err
	}
	empty, err := c.begin(ctx, nothing)
	if err != nil {
		return err
	}
	b.secretKey, b.root, b.tokenID = empty.secretKey, empty.root, empty.tokenID
	if err := copyFolder(empty.folder, b.folder); err != nil {
		return err
	}
	doc, users := b.document()
	b.users = users
	return c.inFolder(ctx, b, func(s *server.Server) error {
		_, err := fixture.Load(clock.With(ctx, s.Fixtures().Store.Clock()), s.Fixtures(), doc, nil)
		return err
	})
}

// usePrepared takes the data of a seed from the program, if it has it. The secrets of the administrator are known then.
func (c *Control) usePrepared(ctx context.Context, b *beginning) (done bool, err error) {
	if b.seed == 0 || c.Prepared == nil {
		return false, nil
	}
	if b.secretKey, err = c.Prepared(b.seed, b.folder); err != nil || b.secretKey == "" {
		return false, err
	}
	_, b.users = b.document()
	b.root = account.Root{Username: "root", Password: fixture.RootPassword, Token: fixture.RootToken}
	return true, c.inFolder(ctx, b, func(s *server.Server) error { return b.findToken(ctx, s) })
}

// inFolder runs a function with a service on the folder of a beginning, which answers no requests and runs no jobs.
func (c *Control) inFolder(ctx context.Context, b *beginning, run func(s *server.Server) error) error {
	cfg := c.Config
	cfg.Data = b.folder
	if b.secretKey == "" {
		if b.secretKey = cfg.SecretKey; b.secretKey == "" {
			b.secretKey = secret.Random()
		}
	}
	cfg.SecretKey = b.secretKey
	st, err := openStore(ctx, cfg, &clock.Clock{})
	if err != nil {
		return err
	}
	defer st.Close()
	if _, err := st.Migrate(ctx); err != nil {
		return err
	}
	s, err := server.New(cfg, st, c.Operations, c.Logger) // it also marks the storages
	if err != nil {
		return err
	}
	return errors.Join(run(s), s.Shutdown(ctx))
}

// createAdministrator creates the administrator.
func (b *beginning) createAdministrator(ctx context.Context, c *Control, s *server.Server) error {
	st := s.Fixtures().Store
	root, err := account.CreateFirstAdmin(ctx, st, c.Config.RootPassword, c.Config.RootToken)
	if err != nil {
		return err
	}
	b.root = *root
	return b.findToken(ctx, s)
}

// findToken finds the token of the administrator, whose secret each world replaces.
func (b *beginning) findToken(ctx context.Context, s *server.Server) error {
	token, err := s.Fixtures().Store.Tokens.FindByDigest(ctx, secret.Digest(b.root.Token), nil)
	b.tokenID = token.ID
	return err
}
