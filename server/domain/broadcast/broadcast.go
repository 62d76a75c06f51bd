// Package broadcast creates and changes the messages that administrators show on all pages for a while, and decides which
// of them a page shows.
//
//	broadcast.go  create, change and delete messages
//	shown.go      which messages a page shows
package broadcast

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"svc/openapi/wire"
	"svc/server/domain/setting"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// The ways in which a message is shown.
const (
	Banner       = "banner"
	Notification = "notification"
)

const (
	maxMessage   = 10000
	maxPath      = 255
	defaultTheme = "indigo"
	defaultTime  = time.Hour
)

// Service creates, changes and deletes broadcast messages.
type Service struct{ store *store.Store }

// New returns the service.
func New(st *store.Store) *Service { return &Service{store: st} }

// Change describes a message; nil fields stay as they are, or get their defaults in a new message.
type Change struct {
	Message            *string
	StartsAt, EndsAt   *time.Time
	Color, Font        *string
	TargetAccessLevels *[]int64
	TargetPath         *string
	Theme, Type        *string
	Dismissable        *bool
}

// Create creates a message.
func (s *Service) Create(ctx context.Context, c Change) (model.BroadcastMessage, error) {
	now := clock.Now(ctx).UTC().Truncate(time.Microsecond)
	row := model.BroadcastMessage{StartsAt: now, EndsAt: now.Add(defaultTime), Theme: defaultTheme, BroadcastType: Banner}
	if err := c.apply(&row); err != nil {
		return row, err
	}
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.BroadcastMessages.Create(ctx, &row)
		return audit(row, "broadcast_message_created", "Created broadcast message"), err
	})
	return row, s.loaded(ctx, err)
}

// Apply changes a message.
func (s *Service) Apply(ctx context.Context, id int64, c Change) (model.BroadcastMessage, error) {
	row, err := s.Get(ctx, id)
	if err != nil {
		return row, err
	}
	if err := c.apply(&row); err != nil {
		return row, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.BroadcastMessages.Update(ctx, &row)
		return audit(row, "broadcast_message_updated", "Changed broadcast message"), err
	})
	return row, s.loaded(ctx, err)
}

// Get returns a message, or a 404.
func (s *Service) Get(ctx context.Context, id int64) (model.BroadcastMessage, error) {
	row, err := s.store.BroadcastMessages.Get(ctx, id)
	return row, apierr.OrNotFound(err)
}

// Delete deletes a message, unless it was changed after the given time.
func (s *Service) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	row, err := s.Get(ctx, id)
	if err != nil {
		return err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		return audit(row, "broadcast_message_deleted", "Removed broadcast message"),
			s.store.BroadcastMessages.Delete(ctx, id, unchangedSince)
	})
	return s.loaded(ctx, apierr.OrNotFound(err))
}

// loaded lets the pages of this process show a change that succeeded.
func (s *Service) loaded(ctx context.Context, err error) error {
	if err != nil {
		return err
	}
	return s.store.Settings.Load(ctx)
}

func audit(row model.BroadcastMessage, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Instance, Message: message,
		Target: events.Target{Type: "BroadcastMessage", ID: row.ID, Details: "#" + strconv.FormatInt(row.ID, 10)},
	}
}

// apply writes the fields into a row and checks the result.
func (c Change) apply(row *model.BroadcastMessage) error {
	assign(&row.Message, c.Message)
	assign(&row.StartsAt, c.StartsAt)
	assign(&row.EndsAt, c.EndsAt)
	assign(&row.Theme, c.Theme)
	assign(&row.BroadcastType, c.Type)
	assign(&row.Dismissable, c.Dismissable)
	for to, from := range map[**string]*string{&row.Color: c.Color, &row.Font: c.Font, &row.TargetPath: c.TargetPath} {
		if from != nil {
			*to = from
		}
	}
	if row.TargetPath != nil && *row.TargetPath == "" {
		row.TargetPath = nil
	}
	if c.TargetAccessLevels != nil {
		row.TargetAccessLevels = joinLevels(*c.TargetAccessLevels)
	}
	return check(*row)
}

func assign[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// joinLevels returns roles in the form of the row: sorted, each once.
func joinLevels(levels []int64) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(levels)))
	texts := make([]string, len(sorted))
	for i, n := range sorted {
		texts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(texts, ",")
}

// check validates a message.
func check(row model.BroadcastMessage) error {
	broken := map[string][]string{}
	switch {
	case strings.TrimSpace(row.Message) == "":
		broken["message"] = []string{"can't be blank"}
	case utf8.RuneCountInString(row.Message) > maxMessage:
		broken["message"] = []string{fmt.Sprintf("is too long (maximum is %d characters)", maxMessage)}
	}
	if !row.EndsAt.After(row.StartsAt) {
		broken["ends_at"] = []string{"must be after starts_at"}
	}
	for name, color := range map[string]*string{"color": row.Color, "font": row.Font} {
		if color != nil && !setting.Color.MatchString(*color) {
			broken[name] = []string{"is invalid"}
		}
	}
	if slices.ContainsFunc(row.Levels(), func(l model.Access) bool { return l < model.Guest || l > model.Owner || l%10 != 0 }) {
		broken["target_access_levels"] = []string{"is not included in the list"}
	}
	if path := wire.Value(row.TargetPath); utf8.RuneCountInString(path) > maxPath {
		broken["target_path"] = []string{fmt.Sprintf("is too long (maximum is %d characters)", maxPath)}
	}
	if len(broken) > 0 {
		return apierr.InvalidFields(broken)
	}
	return nil
}
