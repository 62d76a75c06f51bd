package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"svc/server/platform/present"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

const (
	eventsPath = "/api/v4/events"
	auditPath  = "/api/v4/audit_events"
	deepest    = 50_000 // the largest offset that svc serves
)

// manyEvents is the number of events: a million, or fewer with SVC_BENCH_EVENTS, to try the rows out.
var manyEvents = func() int {
	if n, err := strconv.Atoi(os.Getenv("SVC_BENCH_EVENTS")); err == nil && n > 2*deepest {
		return n
	}
	return 1_000_000
}()

// eventsQuery selects a page of the administrator's events, and auditQuery a page of audit events below an id.
const (
	eventsQuery = "SELECT e.id, e.project_id, e.author_id, e.action, e.target_type, e.target_id, e.commit_count, " +
		"e.push_action, e.ref_type, e.commit_from, e.commit_to, e.ref, e.commit_title, " +
		"e.ref_count, +e.created_at, u.id, u.username, u.name, u.state, +u.locked_at, u.avatar FROM (SELECT id FROM " +
		"events WHERE author_id = 1 ORDER BY created_at DESC, id DESC LIMIT 20 OFFSET ?) f " +
		"JOIN events e ON e.id = f.id JOIN users u ON u.id = e.author_id ORDER BY e.created_at DESC, e.id DESC"
	auditQuery = "SELECT id, author_id, author_name, entity_type, entity_id, entity_path, event_type, target_type, " +
		"target_id, target_details, ip_address, details, +created_at FROM audit_events " +
		"WHERE id < ? ORDER BY id DESC LIMIT 20"
)

func (q *queries) events(ctx context.Context, offset int64) ([]model.EventRow, error) {
	found, err := q.eventsStmt.QueryContext(ctx, offset)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	rows := make([]model.EventRow, 0, 20)
	for found.Next() {
		rows = append(rows, model.EventRow{})
		e, u := &rows[len(rows)-1].Event, &rows[len(rows)-1].Author
		if err := found.Scan(&e.ID, &e.ProjectID, &e.AuthorID, &e.Action, &e.TargetType, &e.TargetID,
			&e.CommitCount, &e.PushAction, &e.RefType, &e.CommitFrom, &e.CommitTo, &e.Ref,
			&e.CommitTitle, &e.RefCount, at(&e.CreatedAt),
			&u.ID, &u.Username, &u.Name, &u.State, atPtr(&u.LockedAt), &u.Avatar); err != nil {
			return nil, err
		}
	}
	return rows, found.Err()
}

func (q *queries) audits(ctx context.Context, behind int64) ([]model.AuditEvent, error) {
	found, err := q.auditStmt.QueryContext(ctx, behind)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	rows := make([]model.AuditEvent, 0, 20)
	for found.Next() {
		rows = append(rows, model.AuditEvent{})
		e := &rows[len(rows)-1]
		if err := found.Scan(&e.ID, &e.AuthorID, &e.AuthorName, &e.EntityType, &e.EntityID, &e.EntityPath,
			&e.EventType, &e.TargetType, &e.TargetID, &e.TargetDetails, &e.IPAddress,
			&e.Details, at(&e.CreatedAt)); err != nil {
			return nil, err
		}
	}
	return rows, found.Err()
}

func eventsPage(q *queries, show present.Presenter) echo.HandlerFunc {
	return floorPageOf(func(ctx context.Context, offset int64) (any, error) {
		rows, err := q.events(ctx, offset)
		return present.All(rows, show.Event), err
	})
}

func auditPage(q *queries) echo.HandlerFunc {
	return floorPageOf(func(ctx context.Context, behind int64) (any, error) {
		rows, err := q.audits(ctx, behind)
		return present.All(rows, present.AuditEvent), err
	})
}

func floorPageOf(read func(ctx context.Context, behind int64) (any, error)) echo.HandlerFunc {
	known := sha256.Sum256([]byte(token))
	return func(c echo.Context) error {
		if !checkToken(c, known[:]) {
			return echo.ErrUnauthorized
		}
		behind, err := strconv.ParseInt(c.QueryParam("behind"), 10, 64)
		if err != nil {
			return err
		}
		body, err := read(c.Request().Context(), behind)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, body)
	}
}

// fillEvents adds a million pushes of the administrator to a project, and as many audit events.
func (c *filledDatabase) fillEvents(ctx context.Context, program string) error {
	if err := c.ask(ctx, program, http.MethodPost, projectsPath, `{"name":"bench","visibility":"public"}`, http.StatusCreated); err != nil {
		return err
	}
	if err := c.run(ctx, append(c.eventStatements(manyEvents), c.auditStatements(manyEvents)...)); err != nil {
		return err
	}
	return c.analyse(ctx)
}

// minuteOf returns an SQL expression for a time: as many minutes after the beginning of 2024 as the number of the row.
func (c *filledDatabase) minuteOf() string {
	if c.kind == postgres {
		return "timestamptz '2024-01-01 00:00:00+00' + n * interval '60 seconds'"
	}
	return "strftime('%Y-%m-%d %H:%M:%S', '2024-01-01', '+' || (n * 60) || ' seconds')"
}

// eventStatements replaces all events by pushes of the administrator to the first project.
func (c *filledDatabase) eventStatements(events int) []string {
	const sha = "'0123456789abcdef0123456789abcdef01234567'"
	statements := []string{"DELETE FROM events"}
	for from := 1; from <= events; from += fillAtOnce {
		statements = append(statements,
			"INSERT INTO events (id, project_id, author_id, action, commit_count, push_action, ref_type, commit_from,"+
				" commit_to, ref, commit_title, created_at) SELECT n, 1, 1, 'pushed', 1, 'pushed', 'branch', "+
				sha+", "+sha+", 'main', 'Mend what was broken', "+c.minuteOf()+" FROM "+c.numberRows(from, min(from+fillAtOnce-1, events)))
	}
	if c.kind == postgres {
		statements = append(statements, "VACUUM (ANALYZE) events")
	}
	return statements
}

// auditStatements replaces all audit events by sign-ins of the administrator.
func (c *filledDatabase) auditStatements(events int) []string {
	statements := []string{"DELETE FROM audit_events"}
	for from := 1; from <= events; from += fillAtOnce {
		statements = append(statements,
			"INSERT INTO audit_events (id, author_id, author_name, entity_type, entity_id, entity_path, event_type, "+
				"target_type, target_id, target_details, ip_address, details, created_at) SELECT n, 1, "+
				"'Administrator', CASE WHEN n % 2 = 0 THEN 'User' ELSE 'Project' END, 1, 'root/bench', "+
				"'user_signed_in', 'User', '1', 'root', '127.0.0.1', "+
				`'{"author_name":"Administrator","custom_message":"Signed in","ip_address":"127.0.0.1","target_id":1,`+
				`"target_type":"User"}', `+
				c.minuteOf()+" FROM "+c.numberRows(from, min(from+fillAtOnce-1, events)))
	}
	if c.kind == postgres {
		statements = append(statements, "VACUUM (ANALYZE) audit_events")
	}
	return statements
}

func eventsLine(label, path, query string, behind int, same bool) *line {
	return &line{
		label: label, same: same, svc: [][]byte{rawRequest(http.MethodGet, path+"?"+query, "")},
		floor: [][]byte{rawRequest(http.MethodGet, fmt.Sprintf("%s?behind=%d", path, behind), "")},
	}
}

func eventLines(o options) []*line {
	keyset := func(behind int) string {
		return "pagination=keyset&order_by=id&sort=desc&cursor=" +
			base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"_kd":"n","id":"%d"}`, behind))
	}
	var lines []*line
	if o.rows["events"] {
		lines = append(lines,
			eventsLine("events of a user, first", eventsPath, "page=1", 0, true),
			eventsLine("events of a user, 100th", eventsPath, "page=100", 99*20, true),
			eventsLine("events of a user, deepest", eventsPath, fmt.Sprintf("page=%d", deepest/20), deepest-20, true))
	}
	if o.rows["audit"] {
		lines = append(lines,
			eventsLine("audit keyset, first", auditPath, "pagination=keyset&order_by=id&sort=desc", 1<<50, true),
			eventsLine("audit keyset, middle", auditPath, keyset(manyEvents/2), manyEvents/2, true),
			eventsLine("audit keyset, end", auditPath, keyset(100), 100, true))
	}
	return lines
}

// benchEvents measures lists of a million events, and of as many audit events.
func benchEvents(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.anyOf("events", "audit") {
		return nil
	}
	began := time.Now()
	c, err := newFilledDatabase(ctx, o, kind, folder, "events")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	if err := c.fillEvents(ctx, o.svc); err != nil {
		return err
	}
	svc, err := startSvc(ctx, o.svc, c.dataCopy)
	if err != nil {
		return err
	}
	defer svc.stop()
	bare, err := startFloor(ctx, c.dataCopy)
	if err != nil {
		return err
	}
	defer bare.stop()
	rep.lineHeading(c, fmt.Sprintf("%d events, %d audit events", manyEvents, manyEvents), time.Since(began))
	lines := eventLines(o)
	if err := c.measureLines(ctx, o, lines, svc, bare, rep); err != nil {
		return err
	}
	holds := true
	var found []string
	for _, l := range lines {
		holds = holds && l.ratio() <= maxRatio
		found = append(found, fmt.Sprintf("%.2f", l.ratio()))
	}
	rep.number(
		holds,
		fmt.Sprintf("page of 20 of %d events and audit events at most 2 x the floor, %s", manyEvents, label(kind)),
		strings.Join(found, ", "),
	)
	return nil
}
