package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// HookDeliveries holds the messages for hooks, and their deliveries.
type HookDeliveries struct{ *base }

const hookDelivery = "Hook event"

// deliveryColumns selects a delivery with its message.
const deliveryColumns = "hook_deliveries.*, m.id AS message_id, m.chain AS message_chain, m.trigger_name AS message_trigger_name, " +
	"m.event AS message_event, m.facts AS message_facts, m.body AS message_body, m.created_at AS message_created_at"

func (s HookDeliveries) rows(ctx context.Context) *gorm.DB {
	return s.db.Read(ctx).Table("hook_deliveries").Select(deliveryColumns).
		Joins("JOIN hook_messages m ON m.id = hook_deliveries.message_id")
}

// HookPost is a message with its deliveries.
type HookPost struct {
	Message    model.HookMessage
	Deliveries []model.HookDelivery
}

// Add writes messages and their deliveries, in the transaction of the context. It returns the hooks for which nothing
// waited before: the caller must queue a job that delivers to them. The job of other hooks comes to the new messages by
// itself: Add locks a waiting delivery of the hook, so the job cannot end that delivery, and then find nothing more,
// before the new ones are committed.
func (s HookDeliveries) Add(ctx context.Context, posts []HookPost) (idle []int64, err error) {
	if len(posts) == 0 {
		return nil, nil
	}
	messages := make([]model.HookMessage, len(posts))
	for i := range posts {
		messages[i] = posts[i].Message
	}
	if err := s.db.Write(ctx).CreateInBatches(&messages, someRows).Error; err != nil {
		return nil, query.Translate(err)
	}
	var deliveries []model.HookDelivery
	asked := map[int64]bool{}
	for i := range posts {
		for _, d := range posts[i].Deliveries {
			d.MessageID = messages[i].ID
			deliveries = append(deliveries, d)
			if asked[d.HookID] {
				continue
			}
			asked[d.HookID] = true
			waits, err := s.waits(ctx, d.HookID)
			if err != nil {
				return nil, err
			}
			if !waits {
				idle = append(idle, d.HookID)
			}
		}
	}
	return idle, query.Translate(s.db.Write(ctx).CreateInBatches(&deliveries, someRows).Error)
}

// waits reports whether a delivery of a hook waits, and locks it.
func (s HookDeliveries) waits(ctx context.Context, hookID int64) (found bool, err error) {
	text := "SELECT id FROM hook_deliveries WHERE hook_id = ? AND delivered_at IS NULL ORDER BY id LIMIT 1"
	if s.Postgres() {
		text += " FOR SHARE"
	}
	err = s.db.Rows(ctx, text, []any{hookID}, func(row query.Scanner) error {
		var id int64
		found = true
		return row.Scan(&id)
	})
	return found, query.Translate(err)
}

// Chained returns the hooks that got messages of a chain since a time.
func (s HookDeliveries) Chained(ctx context.Context, chain string, since time.Time) (hooks []int64, err error) {
	const text = "SELECT d.hook_id FROM hook_messages m JOIN hook_deliveries d ON d.message_id = m.id " +
		"WHERE m.chain = ? AND m.created_at > ?"
	err = s.db.Rows(ctx, text, []any{chain, since.UTC()}, func(row query.Scanner) error {
		var id int64
		err := row.Scan(&id)
		hooks = append(hooks, id)
		return err
	})
	return hooks, query.Translate(err)
}

// smallBody is the size up to which Waiting reads bodies.
const smallBody = 64 << 10

const (
	waitingDeliveries = "SELECT d.id, d.hook_id, d.message_id, d.key, m.chain, m.trigger_name, m.event, m.facts, " +
		"CASE WHEN length(m.body) <= ? THEN m.body END, m.body IS NOT NULL, m.created_at " +
		"FROM hook_deliveries d JOIN hook_messages m ON m.id = d.message_id " +
		"WHERE d.hook_id = ? AND d.delivered_at IS NULL AND d.id > ? ORDER BY d.id LIMIT ?"
	bodyOfMessage = "SELECT body FROM hook_messages WHERE id = ?"
)

// Waiting returns the oldest deliveries of a hook that wait, after the one with the given ID. A message with a large body
// has none here; Body returns it.
func (s HookDeliveries) Waiting(ctx context.Context, hookID, after int64, most int) (rows []model.HookDeliveryRow, err error) {
	err = s.db.Rows(ctx, waitingDeliveries, []any{smallBody, hookID, after, most}, func(row query.Scanner) error {
		var r model.HookDeliveryRow
		m := &r.Message
		err := row.Scan(&r.ID, &r.HookID, &r.MessageID, &r.Key, &m.Chain, &m.TriggerName, &m.Event, &m.Facts, &m.Body,
			&r.HasBody, &m.CreatedAt)
		m.ID = r.MessageID
		rows = append(rows, r)
		return err
	})
	return rows, query.Translate(err)
}

// Body returns the body of a message.
func (s HookDeliveries) Body(ctx context.Context, messageID int64) (body *string, err error) {
	err = s.db.Row(ctx, bodyOfMessage, []any{messageID}, &body)
	return body, query.Translate(err)
}

// SetBody stores the body of a message that was built from its facts.
func (s HookDeliveries) SetBody(ctx context.Context, messageID int64, body string) error {
	return query.Translate(s.db.Write(ctx).Model(&model.HookMessage{}).Where("id = ?", messageID).UpdateColumn("body", body).Error)
}

// Finish writes the results of deliveries, which then belong to the log, in one statement. It fails with a
// *GoneError if they were deleted with their hook.
func (s HookDeliveries) Finish(ctx context.Context, done []model.HookDelivery) error {
	if len(done) == 0 {
		return nil
	}
	columns := []string{
		"url", "request_headers", "request_body", "response_headers", "response_body", "response_status", "duration", "delivered_at",
	}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "id"}}, DoUpdates: clause.AssignmentColumns(columns),
	}).Create(&done).Error)
}

// Log adds a delivery that was made at once: a test or a resend.
func (s HookDeliveries) Log(ctx context.Context, m *model.HookMessage, d *model.HookDelivery) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if m.ID == 0 {
			if err := s.db.Write(ctx).Create(m).Error; err != nil {
				return query.Translate(err)
			}
		}
		d.MessageID = m.ID
		return query.Translate(s.db.Write(ctx).Create(d).Error)
	})
}

// Drop removes the deliveries of a hook that wait.
func (s HookDeliveries) Drop(ctx context.Context, hookID int64) error {
	return query.Translate(s.db.Write(ctx).Where("hook_id = ? AND delivered_at IS NULL", hookID).Delete(&model.HookDelivery{}).Error)
}

// Remove removes one delivery.
func (s HookDeliveries) Remove(ctx context.Context, id int64) error {
	return query.Translate(s.db.Write(ctx).Where("id = ?", id).Delete(&model.HookDelivery{}).Error)
}

// HookDeliveryFilter narrows the log of a hook to deliveries with one of the results. No result means all.
type HookDeliveryFilter struct {
	Since    time.Time
	Statuses []HookStatusRange
}

// HookStatusRange is a range of HTTP statuses. Status 0 means no response.
type HookStatusRange struct{ From, To int64 }

// List returns one page of the log of a hook, the newest delivery first.
func (s HookDeliveries) List(ctx context.Context, hookID int64, f HookDeliveryFilter, p Page) ([]model.HookDeliveryRow, Total, error) {
	q := s.rows(ctx).Where("hook_id = ? AND delivered_at > ?", hookID, f.Since.UTC())
	if len(f.Statuses) > 0 {
		statuses := s.db.Read(ctx)
		for _, r := range f.Statuses {
			statuses = statuses.Or("response_status BETWEEN ? AND ?", r.From, r.To)
		}
		q = q.Where(statuses)
	}
	return query.ListFiltered[model.HookDeliveryRow](q.Order("delivered_at DESC, hook_deliveries.id DESC"), p)
}

// Get returns a delivery in the log of a hook.
func (s HookDeliveries) Get(ctx context.Context, hookID, id int64) (model.HookDeliveryRow, error) {
	q := s.rows(ctx).Where("hook_deliveries.id = ? AND hook_id = ? AND delivered_at IS NOT NULL", id, hookID)
	return query.Take[model.HookDeliveryRow](q, hookDelivery)
}

// Idle returns hooks with deliveries that wait although no process delivers to the hook.
func (s HookDeliveries) Idle(ctx context.Context, most int) (hooks []model.Hook, err error) {
	return query.Find[model.Hook](s.db.Read(ctx).
		Where("leased_until IS NULL OR leased_until < ?", time.Now().UTC()).
		Where("EXISTS (SELECT 1 FROM hook_deliveries d WHERE d.hook_id = hooks.id AND d.delivered_at IS NULL)").
		Order("id").Limit(most), most)
}

// DeleteBefore removes messages that are older than a time, with their deliveries, up to a number of them. It returns how
// many it removed.
func (s HookDeliveries) DeleteBefore(ctx context.Context, before time.Time, most int) (int64, error) {
	res := s.db.Write(ctx).Exec("DELETE FROM hook_messages WHERE id IN (SELECT id FROM hook_messages WHERE created_at < ? "+
		"ORDER BY created_at LIMIT ?)", before.UTC(), most)
	return res.RowsAffected, query.Translate(res.Error)
}
