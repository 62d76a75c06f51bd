package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// firstRolling is the first migration that processes of the version before must survive.
const firstRolling = 65

// stopFirst are migrations before which all processes have to be stopped, with the reason.
var stopFirst = map[string]string{}

// breaking are statements that can break the queries of the version before.
var breaking = []struct{ what, pattern string }{
	{"removes a table", `(?i)\bDROP\s+TABLE\b`},
	{"removes a column", `(?i)\bDROP\s+COLUMN\b`},
	{"renames a table or column", `(?i)\bRENAME\s+(TO|COLUMN)\b`},
	{"changes the type of a column", `(?i)\bALTER\s+COLUMN\s+\w+\s+(SET\s+DATA\s+)?TYPE\b`},
	{"makes a column mandatory", `(?i)\bSET\s+NOT\s+NULL\b`},
	{"adds a condition to an existing table", `(?i)\bALTER\s+TABLE\s+\w+\s+ADD\s+(CONSTRAINT|CHECK|UNIQUE|FOREIGN)\b`},
}

var (
	addedColumn = regexp.MustCompile(`(?i)\bADD\s+COLUMN\b[^;,]*`)
	comment     = regexp.MustCompile(`--.*`)
)

// problems returns what the version before would not survive in the statements of a migration.
func problems(text string) (all []string) {
	up, _, _ := strings.Cut(text, "-- +goose Down")
	up = comment.ReplaceAllString(up, "")
	for _, b := range breaking {
		if regexp.MustCompile(b.pattern).MatchString(up) {
			all = append(all, "it "+b.what)
		}
	}
	for _, column := range addedColumn.FindAllString(up, -1) {
		upper := strings.ToUpper(column)
		if strings.Contains(upper, "NOT NULL") && !strings.Contains(upper, "DEFAULT") {
			all = append(all, "it adds a mandatory column without a default: "+column)
		}
	}
	return all
}

// Processes of the version before go on while a new process has migrated the database.
func TestMigrationsLetTheVersionBeforeGoOn(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("migrate/*/*.sql")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		number, err := strconv.Atoi(name[:5])
		if err != nil {
			t.Fatal(err)
		}
		if number < firstRolling || stopFirst[name] != "" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range problems(string(text)) {
			t.Errorf("%s: %s. See Migrations in CONTRIBUTING.md", file, problem)
		}
	}
}

func TestBreakingMigrationsAreRecognized(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]int{
		"ALTER TABLE a ADD COLUMN b text":                                      0,
		"ALTER TABLE a ADD COLUMN b text NOT NULL DEFAULT ''":                  0,
		"CREATE TABLE a (b text NOT NULL CHECK (b <> ''))":                     0,
		"CREATE INDEX a ON b (c); -- DROP TABLE b":                             0,
		"-- +goose Up\nCREATE TABLE a (b text);\n-- +goose Down\nDROP TABLE a": 0,
		"ALTER TABLE a ADD COLUMN b text NOT NULL":                             1,
		"ALTER TABLE a ADD COLUMN b text NOT NULL, ADD COLUMN c text":          1,
		"alter table a drop column b":                                          1,
		"ALTER TABLE a RENAME COLUMN b TO c":                                   1,
		"ALTER TABLE a RENAME TO b":                                            1,
		"ALTER TABLE a ALTER COLUMN b TYPE bigint":                             1,
		"ALTER TABLE a ALTER COLUMN b SET NOT NULL":                            1,
		"ALTER TABLE a ADD CONSTRAINT c CHECK (b > 0)":                         1,
		"DROP TABLE a": 1,
	} {
		if got := problems(statement); len(got) != want {
			t.Errorf("%s: %v", statement, got)
		}
	}
}
