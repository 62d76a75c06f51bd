package store

import (
	"context"
	"slices"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// AuditEvents holds the records of who changed what.
type AuditEvents struct{ *base }

const auditEvent = "Audit Event"

const auditColumns = "id, author_id, author_name, entity_type, entity_id, entity_path, event_type, target_type, " +
	"target_id, target_details, ip_address, details, created_at"

func auditFields(e *model.AuditEvent) []any {
	return []any{
		&e.ID, &e.AuthorID, &e.AuthorName, &e.EntityType, &e.EntityID, &e.EntityPath, &e.EventType, &e.TargetType, &e.TargetID,
		&e.TargetDetails,
		&e.IPAddress, &e.Details, &e.CreatedAt,
	}
}

var insertAuditEvent = insertion("audit_events", auditColumns)

// AuditFilter narrows a list of audit events. A field that is not set matches everything.
type AuditFilter struct {
	EntityType string
	EntityID   *int64 // needs EntityType
	AuthorID   *int64 // needs EntityID
	After      *time.Time
	Before     *time.Time
}

// byTime reports whether the list is ordered by the time of the events instead of their ids. For the whole instance,
// this finds a few days long ago without reading all newer events.
func (f AuditFilter) byTime() bool { return f.EntityID == nil && (f.After != nil || f.Before != nil) }

func (f AuditFilter) where() condition {
	c := condition{"TRUE", nil}
	and := func(text string, arg any) { c.text, c.args = c.text+" AND "+text, append(c.args, arg) }
	if f.EntityType != "" {
		and("entity_type = "+opaqueText, f.EntityType)
	}
	if f.EntityID != nil {
		and("entity_id = "+opaqueNumber, *f.EntityID)
	}
	if f.AuthorID != nil {
		and("author_id = "+opaqueNumber, *f.AuthorID)
	}
	if f.After != nil {
		and("created_at >= ?", f.After.UTC())
	}
	if f.Before != nil {
		and("created_at <= ?", f.Before.UTC())
	}
	return c
}

func (f AuditFilter) order() string {
	if f.byTime() {
		return " ORDER BY created_at DESC, id DESC"
	}
	return " ORDER BY id DESC"
}

// Create adds audit events.
func (s AuditEvents) Create(ctx context.Context, rows []model.AuditEvent) error {
	stream := s.auditStream.Load()
	if stream == nil && len(rows) == 1 {
		s.setTimes(&rows[0].CreatedAt)
		return s.insertLater(ctx, insertAuditEvent, auditFields(&rows[0]))
	}
	if stream == nil {
		return query.Translate(s.db.Write(ctx).Create(&rows).Error)
	}
	return s.Tx(ctx, func(ctx context.Context) error {
		made := slices.Clone(rows) // the transaction may run again, and then needs rows without ids
		if err := s.db.Write(ctx).Create(&made).Error; err != nil {
			return query.Translate(err)
		}
		return AuditStreams(s).add(ctx, *stream, made)
	})
}

// Get returns an audit event.
func (s AuditEvents) Get(ctx context.Context, id int64) (e model.AuditEvent, err error) {
	err = s.db.Row(ctx, "SELECT "+auditColumns+" FROM audit_events WHERE id = ?", []any{id}, auditFields(&e)...)
	return e, query.Translate(err, auditEvent)
}

// AnyBy reports whether a user has caused an event.
func (s AuditEvents) AnyBy(ctx context.Context, authorID int64) (bool, error) {
	var n int64
	err := s.db.Read(ctx).Raw("SELECT count(*) FROM (SELECT 1 FROM audit_events WHERE author_id = ? LIMIT 1) AS found", authorID).
		Scan(&n).Error
	return n > 0, query.Translate(err)
}

// List returns one page of audit events, newest first, and their number.
func (s AuditEvents) List(ctx context.Context, f AuditFilter, p Page) ([]model.AuditEvent, Total, error) {
	if f == (AuditFilter{}) && p.Offset == 0 && !s.longLists.Has(allAuditEvents) {
		return s.firstOfAll(ctx, p)
	}
	where := f.where()
	rows, err := s.page(ctx, f, where, p)
	if err != nil {
		return nil, Total{}, err
	}
	return query.WithTotal(rows, p, func() (n int64, err error) {
		if p.Offset+len(rows) > CountCap {
			return CountCap + 1, nil
		}
		count := func() (n int64, err error) {
			statement := "SELECT count(*) FROM (SELECT 1 FROM audit_events WHERE " + where.text + " LIMIT " +
				strconv.Itoa(CountCap+1) + ") AS counted"
			err = s.db.LongRow(ctx, statement, where.args, &n)
			return n, query.Translate(err)
		}
		if f == (AuditFilter{}) {
			return s.longLists.Count(allAuditEvents, count)
		}
		return count()
	})
}

// allAuditEvents is the name of the list of all audit events in longLists.
const allAuditEvents = "audit events"

// firstOfAll returns the first page of all audit events and their number, in one statement.
func (s AuditEvents) firstOfAll(ctx context.Context, p Page) ([]model.AuditEvent, Total, error) {
	list := countedList[model.AuditEvent]{
		columns: auditColumns, from: condition{text: "audit_events"}, order: "id DESC", fields: auditFields,
	}
	rows, total, err := list.page(ctx, s.base, p)
	if total.Count > CountCap {
		s.longLists.Remember(allAuditEvents)
	}
	return rows, total, err
}

// page returns one row more than a page shows. Pages after the first one walk over the ids alone to their place.
func (s AuditEvents) page(ctx context.Context, f AuditFilter, where condition, p Page) ([]model.AuditEvent, error) {
	if p.Offset == 0 {
		return s.first(ctx, f, where, p.Limit+1)
	}
	found := Projects(s).window(condition{"SELECT id FROM audit_events WHERE " + where.text + f.order(), where.args}, p.Limit+1, p.Offset)
	return s.rows(ctx, condition{"audit_events WHERE id IN (" + found.text + ")" + f.order(), found.args}, p.Limit+1)
}

func (s AuditEvents) first(ctx context.Context, f AuditFilter, where condition, limit int) ([]model.AuditEvent, error) {
	text := "audit_events WHERE " + where.text + f.order() + " LIMIT " + strconv.Itoa(limit)
	return s.rows(ctx, condition{text, where.args}, limit)
}

// ListAfter returns one page of the events that follow the event with the id last, newest first, and reports whether there
// are more. If last is nil, it returns the first page.
func (s AuditEvents) ListAfter(ctx context.Context, f AuditFilter, last *int64, limit int) ([]model.AuditEvent, bool, error) {
	where := f.where()
	switch {
	case last == nil:
	case f.byTime():
		where.text += " AND (created_at, id) < (SELECT created_at, id FROM audit_events WHERE id = ?)"
		where.args = append(where.args, *last)
	default:
		where.text, where.args = where.text+" AND id < "+opaqueNumber, append(where.args, *last)
	}
	rows, err := s.first(ctx, f, where, limit+1)
	if err != nil || len(rows) <= limit {
		return rows, false, err
	}
	return rows[:limit], true, nil
}

// rows returns events. rest is the statement after FROM.
func (s AuditEvents) rows(ctx context.Context, rest condition, expected int) ([]model.AuditEvent, error) {
	return readRows(ctx, s.base, auditColumns, rest, expected, auditFields)
}
