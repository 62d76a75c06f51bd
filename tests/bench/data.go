package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"svc/store"

	_ "github.com/jackc/pgx/v5/stdlib" // registers pgx
)

const (
	sqlite   = "sqlite"
	postgres = "postgres"
)

func label(kind string) string {
	return map[string]string{sqlite: "SQLite", postgres: "PostgreSQL"}[kind]
}

// dataCopy is one copy of the measured data.
type dataCopy struct {
	folder string
	url    string // of PostgreSQL; empty means SQLite in the folder
}

func (c dataCopy) sqlitePath() string { return filepath.Join(c.folder, "svc.db") }

// options returns the store options that svc uses by default.
func (c dataCopy) options() store.Options {
	return store.Options{URL: c.url, SQLitePath: c.sqlitePath(), SQLiteFull: true, Pool: poolSize}
}

// data holds the same rows twice, so that svc and the floor give the same answers without waiting for each other's
// locks.
type data struct {
	svc, floor dataCopy
	databases  []string // to drop
}

// newData lets svc create the administrator, the token and the variables, and copies the result.
func newData(ctx context.Context, program, kind, folder string) (*data, error) {
	d := &data{}
	seed := dataCopy{folder: filepath.Join(folder, "seed")}
	var err error
	if kind == postgres {
		if seed.url, err = d.create(ctx, "seed", ""); err != nil {
			return nil, err
		}
	}
	if err := fill(ctx, program, seed); err != nil {
		return nil, errors.Join(err, d.remove())
	}
	for name, to := range map[string]*dataCopy{"svc": &d.svc, "floor": &d.floor} {
		to.folder = filepath.Join(folder, name)
		err = os.CopyFS(to.folder, os.DirFS(seed.folder)) // includes the secret key, without which svc does not serve the database
		if err == nil && kind == postgres {
			to.url, err = d.create(ctx, name, d.databases[0])
		}
		if err != nil {
			return nil, errors.Join(err, d.remove())
		}
	}
	return d, nil
}

// fill starts svc with empty data, creates the variables and stops svc.
func fill(ctx context.Context, program string, c dataCopy) error {
	p, err := startSvc(ctx, program, c)
	if err != nil {
		return err
	}
	defer p.stop()
	conn, err := dial(p.addr)
	if err != nil {
		return p.fail(err)
	}
	defer conn.close()
	for i := range variables {
		body := fmt.Sprintf(`{"key":%q,"value":"eu-central-1","description":"Where we deploy to"}`, variableKey(i))
		status, err := conn.do(rawRequest(http.MethodPost, listPath, body))
		if err != nil {
			return p.fail(err)
		}
		if status != http.StatusCreated {
			return p.fail(fmt.Errorf("answered %d to a new variable: %s", status, conn.body))
		}
	}
	return nil
}

// create creates a database and returns its URL. Unless from is empty, the database is a copy of from.
func (d *data) create(ctx context.Context, name, from string) (string, error) {
	u, err := url.Parse(os.Getenv(urlVariable))
	if err != nil || u.Scheme == "" {
		return "", fmt.Errorf(
			"%s names no PostgreSQL: run make bench, or bin/withpg -durable -- bin/bench, or use -database sqlite",
			urlVariable,
		)
	}
	name = fmt.Sprintf("bench_%d_%s", os.Getpid(), name)
	statement := "CREATE DATABASE " + name
	if from != "" {
		statement += " TEMPLATE " + from
	}
	if err := administer(ctx, statement); err != nil {
		return "", err
	}
	d.databases = append(d.databases, name)
	u.Path = "/" + name
	return u.String(), nil
}

func (d *data) remove() error {
	var errs []error
	for _, name := range d.databases {
		// Drop them even after an interrupt, because the PostgreSQL server may keep running.
		errs = append(errs, administer(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)"))
	}
	return errors.Join(errs...)
}

const urlVariable = "SVC_TEST_POSTGRES_URL"

func administer(ctx context.Context, statement string) error {
	db, err := sql.Open("pgx", os.Getenv(urlVariable))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, statement)
	return err
}
