package main

import (
	"context"
	"crypto/sha256"
	"fmt"
)

const (
	fewPeople     = 20_000 // more than the 10,000 rows that svc counts for a page
	manyPeople    = 100_000
	millionPeople = 1_000_000
	personToken   = "bench-person-0123456789abcdef" // of an ordinary user
	personID      = 77                              // the user with that token
	fillAtOnce    = 100_000
)

// userDatabase is a database with many users. svc and the floor only read it.
type userDatabase struct {
	*filledDatabase
	users int
}

// newUserDatabase creates a database for so many users, which are not there yet.
func newUserDatabase(ctx context.Context, o options, kind, folder, name string, users int) (*userDatabase, error) {
	at, err := newFilledDatabase(ctx, o, kind, folder, name)
	if err != nil {
		return nil, err
	}
	return &userDatabase{filledDatabase: at, users: users}, nil
}

// fillPeople adds the users, and as many projects if they are measured.
func (c *userDatabase) fillPeople(ctx context.Context, o options) error {
	if err := c.fill(ctx); err != nil {
		return fmt.Errorf("fill in %d users: %w", c.users, err)
	}
	if o.rows["projects"] {
		if err := c.fillProjects(ctx, o.svc); err != nil {
			return fmt.Errorf("fill in %d projects: %w", c.users, err)
		}
	}
	return c.analyse(ctx)
}

// Names have about 1,200 forms. All usernames begin alike, and one name in a thousand has a rare part. The first names
// are cut from one text, because both databases can do that.
const (
	personName = "substr('Anna AndreBobbyCarlaDora Eric FrankGretaHannaIvan JuliaKarl Lisa MariaNina OskarPaulaRosa " +
		"SamueTilda', 1 + n % 20 * 5, 5) || ' ' || " +
		"substr('SchmidtMeierJanssenFischerWeberMullerBeckerHoffmannKochRichterKleinWolf', 1 + (n * 13) % 60, 7) || " +
		"CASE WHEN n % 1000 = 0 THEN ' Quixote' ELSE '' END"
	insertPeople = "INSERT INTO users (username, name, email, confirmed_at, created_at, updated_at) SELECT 'user.' || n, " + personName +
		", 'user.' || n || '@example.com', '2026-01-02 03:04:05', '2026-01-02 03:04:05', '2026-01-02 03:04:05' FROM "
)

// fill adds the users with statements of many rows, and then a token of an ordinary user.
func (c *userDatabase) fill(ctx context.Context) error {
	var statements []string
	for from := 1; from <= c.users; from += fillAtOnce {
		statements = append(statements, insertPeople+c.numberRows(from, min(from+fillAtOnce-1, c.users)))
	}
	digest := sha256.Sum256([]byte(personToken))
	statements = append(statements, insertToken(personID, c.bytesLiteral(digest[:])))
	if c.kind == postgres {
		var err error
		if statements, err = c.withoutIndexes(ctx, statements, "user_search_part"); err != nil {
			return err
		}
		statements = append(statements, "VACUUM (ANALYZE) users", "VACUUM (ANALYZE) user_search")
	}
	return c.run(ctx, statements)
}

func insertToken(user int, digest string) string {
	return fmt.Sprintf("INSERT INTO personal_access_tokens (user_id, name, digest, scopes, created_at, updated_at) "+
		"VALUES (%d, 'bench', %s, 'api', '2026-01-02 03:04:05', '2026-01-02 03:04:05')", user, digest)
}
