package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

const (
	perGroup      = 10                                // projects in a group
	topGroups     = 100                               // groups without a parent
	groupsFrom    = 1000                              // the ids of groups begin after this one
	memberships   = 50                                // of the user personID, half of them in groups
	strangerToken = "bench-stranger-0123456789abcdef" // of a user without memberships
	strangerID    = 78
)

// fillProjects adds nested groups with projects, a third in each visibility, and members: one for each project, and the
// memberships of personID. A project that svc creates provides the columns that all projects share.
func (c *userDatabase) fillProjects(ctx context.Context, program string) error {
	if err := c.ask(
		ctx, program, http.MethodPost, projectsPath, `{"name":"template","description":"What others look like"}`,
		http.StatusCreated,
	); err != nil {
		return err
	}
	projects, err := c.insertProjects(ctx)
	if err != nil {
		return err
	}
	digest := sha256.Sum256([]byte(strangerToken))
	statements := append(c.insertGroups(), projects...)
	statements = append(statements, c.insertMembers()...)
	statements = append(statements, insertToken(strangerID, c.bytesLiteral(digest[:])))
	if c.kind == postgres {
		statements, err = c.withoutIndexes(ctx, statements, "projects_name_part", "projects_path_part")
		if err != nil {
			return err
		}
		for _, table := range []string{"namespaces", "namespace_ancestors", "projects", "members"} {
			statements = append(statements, "VACUUM (ANALYZE) "+table)
		}
	}
	return c.run(ctx, statements)
}

func (c *userDatabase) groups() int { return c.users / perGroup }

// insertGroups puts each group after the first topGroups into the group with a quarter of its number, which makes five
// levels. Joins are LEFT so that SQLite begins with the numbers.
func (c *userDatabase) insertGroups() []string {
	const (
		columns = "INSERT INTO namespaces (id, kind, name, path, parent_id, full_path, full_name, created_at, updated_at) "
		times   = "'2026-01-02 03:04:05', '2026-01-02 03:04:05'"
		closure = "INSERT INTO namespace_ancestors (descendant_id, ancestor_id, depth) "
	)
	var statements []string
	for from, to := 1, topGroups; from <= c.groups(); from, to = to+1, min(4*to+3, c.groups()) {
		to = min(to, c.groups())
		in := c.numberRows(from, to)
		if from == 1 {
			statements = append(statements, columns+fmt.Sprintf(
				"SELECT %d + n, 'group', 'Group ' || n, 'group-' || n, NULL, 'group-' || n, 'Group ' || n, %s FROM %s",
				groupsFrom, times, in,
			))
		} else {
			statements = append(statements,
				columns+fmt.Sprintf(
					"SELECT %d + n, 'group', 'Group ' || n, 'group-' || n, up.id, up.full_path || '/group-' || n, "+
						"up.full_name || ' / Group ' || n, %s FROM %s LEFT JOIN namespaces up ON up.id = %d + n / 4",
					groupsFrom, times, in, groupsFrom,
				),
				closure+fmt.Sprintf(
					"SELECT %d + n, a.ancestor_id, a.depth + 1 FROM %s LEFT JOIN namespace_ancestors a ON a.descendant_id = %d + n / 4",
					groupsFrom, in, groupsFrom,
				))
		}
		statements = append(statements, closure+fmt.Sprintf("SELECT %d + n, %d + n, 0 FROM %s", groupsFrom, groupsFrom, in))
	}
	return statements
}

func (c *userDatabase) insertProjects(ctx context.Context) (statements []string, err error) {
	rows, err := c.sql.QueryContext(ctx, "SELECT * FROM projects LIMIT 0")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, errors.Join(err, rows.Err())
	}
	second, version := "datetime('2026-01-02', '+' || n || ' seconds')", "0" // a trigger sets the version
	if c.kind == postgres {
		second, version = "timestamptz '2026-01-02 00:00:00Z' + n * interval '1 second'", "nextval('project_versions')"
	}
	own := map[string]string{
		"id": "n + 1", "namespace_id": "place.id", "name": "'Project ' || n", "path": "'project-' || n",
		"full_path": "place.full_path || '/project-' || n", "full_name": "place.full_name || ' / Project ' || n",
		"visibility": "n % 3 * 10", "version": version, "created_at": second, "updated_at": second, "last_activity_at": second,
	}
	values := slices.Clone(columns)
	for i, column := range columns {
		values[i] = "t." + column
		if own[column] != "" {
			values[i] = own[column]
		}
	}
	for from := 1; from <= c.users; from += fillAtOnce {
		statements = append(statements, fmt.Sprintf("INSERT INTO projects (%s) SELECT %s FROM %s LEFT JOIN projects t ON t.id = 1 "+
			"LEFT JOIN namespaces place ON place.id = %d + 1 + n %% %d ORDER BY n", strings.Join(columns, ", "), strings.Join(values, ", "),
			c.numberRows(from, min(from+fillAtOnce-1, c.users)), groupsFrom, c.groups()))
	}
	return statements, nil
}

// insertMembers gives one user a role in each project, and gives personID roles in groups of every level and in
// projects.
func (c *userDatabase) insertMembers() []string {
	insert := func(values, from string) string {
		return "INSERT INTO members (source_type, source_id, user_id, access_level, created_at, updated_at) SELECT " + values +
			", '2026-01-02 03:04:05', '2026-01-02 03:04:05' FROM " + from
	}
	half := memberships / 2
	return []string{
		insert(fmt.Sprintf("'Project', n + 1, 1000 + n %% %d, 30", c.users/2), c.numberRows(1, c.users)),
		insert(
			fmt.Sprintf("'Namespace', %d + 1 + n * %d, %d, 10 + n %% 5 * 10", groupsFrom, (c.groups()-1)/half, personID),
			c.numberRows(0, half-1),
		),
		insert(fmt.Sprintf("'Project', 2 + n * %d, %d, 10 + n %% 4 * 10", (c.users-1)/half, personID), c.numberRows(0, half-1)),
	}
}
