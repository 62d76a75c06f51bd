package store

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every column of the schema that looks sealed must be listed, or a rotation of the key would lose its secrets.
func TestEverySealedColumnIsKnown(t *testing.T) {
	t.Parallel()
	text, err := migrations.ReadFile(wholeSchema)
	if err != nil {
		t.Fatal(err)
	}
	tables := regexp.MustCompile(`(?ms)^CREATE TABLE (\w+) \((.*?)^[^\n]*\);$`).FindAllStringSubmatch(string(text), -1)
	if len(tables) < 50 {
		t.Fatalf("found only %d tables", len(tables))
	}
	sealed := regexp.MustCompile(`(?m)^\s*(\w*sealed\w*) blob`)
	var found, listed []string
	for _, table := range tables {
		for _, column := range sealed.FindAllStringSubmatch(table[0], -1) {
			found = append(found, table[1]+"."+column[1])
		}
	}
	for _, c := range sealedColumns {
		listed = append(listed, c.table+"."+c.column)
	}
	slices.Sort(found)
	slices.Sort(listed)
	if !slices.Equal(found, listed) {
		t.Errorf("the schema has\n%s\nthe list has\n%s", strings.Join(found, "\n"), strings.Join(listed, "\n"))
	}
}
