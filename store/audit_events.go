package store

import (
	"context"

	"svc/store/model"
)

// AuditEvents are who changed what.
type AuditEvents struct{ *base }

// Create writes what was changed.
func (s AuditEvents) Create(ctx context.Context, e *model.AuditEvent) error {
	return translate(s.write(ctx).Create(e).Error)
}
