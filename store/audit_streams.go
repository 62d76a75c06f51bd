package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// AuditStreams holds the audit events that wait to be delivered to the targets of the audit stream.
type AuditStreams struct{ *base }

// auditStream says where new audit events are delivered.
type auditStream struct {
	targets []string
	wake    func()
}

// Begin makes audit events wait for targets from now on, each in the transaction of the event. After the transaction, it
// calls wake.
func (s AuditStreams) Begin(targets []string, wake func()) {
	s.auditStream.Store(&auditStream{targets, wake})
}

// add lets new events wait for every target.
func (s AuditStreams) add(ctx context.Context, stream auditStream, events []model.AuditEvent) error {
	rows := make([]model.AuditStreamEvent, 0, len(events)*len(stream.targets))
	for _, target := range stream.targets {
		for _, e := range events {
			rows = append(rows, model.AuditStreamEvent{Target: target, EventID: e.ID})
		}
	}
	if err := s.db.Write(ctx).Create(&rows).Error; err != nil {
		return query.Translate(err)
	}
	query.AfterCommit(ctx, stream.wake)
	return nil
}

// Lease reserves a target for the caller until a time, unless another process has reserved it. A caller that calls it again
// in time keeps the target. Leases count the system time.
func (s AuditStreams) Lease(ctx context.Context, target string, until time.Time, again bool) (bool, error) {
	free := s.db.Write(ctx).Model(&model.AuditStream{}).Where("target = ?", target)
	if !again {
		row := model.AuditStream{Target: target}
		if err := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error; err != nil {
			return false, query.Translate(err)
		}
		free = free.Where("(leased_until IS NULL OR leased_until < ?)", time.Now().UTC())
	}
	res := free.UpdateColumn("leased_until", until.UTC())
	return res.RowsAffected > 0, query.Translate(res.Error)
}

// Release gives a target back.
func (s AuditStreams) Release(ctx context.Context, target string) error {
	return query.Translate(s.db.Write(ctx).Model(&model.AuditStream{}).Where("target = ?", target).
		UpdateColumn("leased_until", nil).Error)
}

// waitingAuditEvents is the statement after FROM that finds the events.
const waitingAuditEvents = "audit_events WHERE id IN (SELECT event_id FROM audit_stream_events " +
	"WHERE target = ? ORDER BY event_id LIMIT ?) ORDER BY id"

// Waiting returns the oldest events that wait for a target.
func (s AuditStreams) Waiting(ctx context.Context, target string, most int) ([]model.AuditEvent, error) {
	return AuditEvents(s).rows(ctx, condition{waitingAuditEvents, []any{target, most}}, most)
}

// Any reports whether an event waits for a target.
func (s AuditStreams) Any(ctx context.Context, target string) (found bool, err error) {
	err = s.db.Rows(ctx, "SELECT event_id FROM audit_stream_events WHERE target = ? ORDER BY event_id LIMIT 1", []any{target},
		func(row query.Scanner) error {
			var id int64
			found = true
			return row.Scan(&id)
		})
	return found, query.Translate(err)
}

// Delivered records that events have been delivered to a target, in order.
func (s AuditStreams) Delivered(ctx context.Context, target string, events []model.AuditEvent) error {
	if len(events) == 0 {
		return nil
	}
	ids := make([]int64, len(events))
	for i, e := range events {
		ids[i] = e.ID
	}
	return s.Tx(ctx, func(ctx context.Context) error {
		err := s.db.Write(ctx).Where("target = ? AND event_id IN ?", target, ids).Delete(&model.AuditStreamEvent{}).Error
		if err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Model(&model.AuditStream{}).Where("target = ?", target).
			UpdateColumns(map[string]any{"last_event_id": ids[len(ids)-1], "delivered_at": s.now()}).Error)
	})
}

// Depth counts the events that wait, by target.
func (s AuditStreams) Depth(ctx context.Context) (map[string]int64, error) {
	var rows []struct {
		Target string
		N      int64
	}
	err := s.db.Read(ctx).Raw("SELECT target, count(*) AS n FROM audit_stream_events GROUP BY target").Scan(&rows).Error
	depth := map[string]int64{}
	for _, row := range rows {
		depth[row.Target] = row.N
	}
	return depth, query.Translate(err)
}
