package store

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
	"svc/store/setting"

	"gorm.io/gorm/clause"
)

// Settings holds the settings that administrators change while the service runs. All of them are in memory, because
// almost every request needs some. Watch notices what other processes change.
type Settings struct {
	*base
	memory *settingsMemory
}

// settingsMemory holds the settings in force.
type settingsMemory struct {
	mu       sync.Mutex // held while they are read from the database
	defaults SettingDefaults
	current  atomic.Pointer[CurrentSettings]
}

// SettingDefaults are the values of what nobody has set.
type SettingDefaults struct {
	Values     setting.Values
	PlanLimits setting.PlanLimits
}

// CurrentSettings are the settings in force. Callers must not change them.
type CurrentSettings struct {
	setting.Values
	Appearance setting.Appearance
	PlanLimits setting.PlanLimits
	Broadcasts []model.BroadcastMessage // those that have not ended, newest first
	Changed    int64                    // how often they were changed; a higher number for every change
	kept       map[setting.Kind]setting.Content
	rows       map[setting.Kind]model.InstanceSettings
}

// Row returns the row of a kind of settings; the zero row if nobody has changed them.
func (c *CurrentSettings) Row(kind setting.Kind) model.InstanceSettings { return c.rows[kind] }

// Content returns what was set of a kind. Callers must not change it.
func (c *CurrentSettings) Content(kind setting.Kind) setting.Content { return c.kept[kind] }

func newSettingsMemory() *settingsMemory {
	m := &settingsMemory{defaults: SettingDefaults{setting.Defaults(), setting.DefaultPlanLimits()}}
	m.current.Store(&CurrentSettings{
		Values: m.defaults.Values, PlanLimits: m.defaults.PlanLimits, Appearance: setting.DefaultAppearance(),
	})
	return m
}

// Current returns the settings in force.
func (s Settings) Current() *CurrentSettings { return s.memory.current.Load() }

// SetDefaults sets the values of what nobody has set, and reads the settings.
func (s Settings) SetDefaults(ctx context.Context, d SettingDefaults) error {
	s.memory.mu.Lock()
	s.memory.defaults = d
	s.memory.mu.Unlock()
	return s.Load(ctx)
}

// Load reads the settings from the database.
func (s Settings) Load(ctx context.Context) error {
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	rows, err := query.Find[model.InstanceSettings](s.db.Write(ctx).Order("kind"), 0)
	if err != nil {
		return query.Translate(err)
	}
	next := &CurrentSettings{kept: map[setting.Kind]setting.Content{}, rows: map[setting.Kind]model.InstanceSettings{}}
	for _, row := range rows {
		kind := setting.Kind(row.Kind)
		if next.kept[kind], err = setting.Read(row.Content); err != nil {
			return err
		}
		next.rows[kind] = row
		next.Changed += row.Version
	}
	if next.Broadcasts, err = s.broadcasts(ctx); err != nil {
		return err
	}
	if err := next.fill(s.memory.defaults); err != nil {
		return err
	}
	s.memory.current.Store(next)
	return nil
}

// fill computes the settings from the defaults and from what was set.
func (c *CurrentSettings) fill(d SettingDefaults) error {
	var errs [3]error
	c.Values, errs[0] = setting.Over(d.Values, c.kept[setting.ApplicationKind])
	c.Appearance, errs[1] = setting.Over(setting.DefaultAppearance(), c.kept[setting.AppearanceKind])
	c.PlanLimits, errs[2] = setting.Over(d.PlanLimits, c.kept[setting.PlanLimitsKind])
	return errors.Join(errs[:]...)
}

// broadcasts returns the messages that have not ended, newest first.
func (s Settings) broadcasts(ctx context.Context) ([]model.BroadcastMessage, error) {
	rows, err := query.Find[model.BroadcastMessage](s.db.Write(ctx).Where("ends_at > ?", s.now()).Order("id DESC"), 0)
	return rows, query.Translate(err)
}

// Lock returns what was set of a kind, and lets no other process change it until the transaction ends.
func (s Settings) Lock(ctx context.Context, kind setting.Kind) (setting.Content, error) {
	made := model.InstanceSettings{Kind: string(kind), Content: "{}", CreatedAt: s.now(), UpdatedAt: s.now()}
	if err := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&made).Error; err != nil {
		return nil, query.Translate(err)
	}
	q := s.db.Write(ctx).Where("kind = ?", kind)
	if s.Postgres() {
		q = q.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate})
	}
	row, err := query.Take[model.InstanceSettings](q, "Settings")
	if err != nil {
		return nil, err
	}
	return setting.Read(row.Content)
}

// Put stores what was set of a kind. Call Lock before and, after the transaction, Load.
func (s Settings) Put(ctx context.Context, kind setting.Kind, c setting.Content) error {
	text, err := c.Text()
	if err != nil {
		return err
	}
	return query.Translate(s.db.Write(ctx).Exec(
		"UPDATE instance_settings SET content = ?, version = version + 1, updated_at = ? WHERE kind = ?", text, s.now(), kind,
	).Error)
}

// touch raises the version of a kind, so that other processes read it again.
func (s Settings) touch(ctx context.Context, kind setting.Kind) error {
	return query.Translate(s.db.Write(ctx).Exec(
		"INSERT INTO instance_settings (kind, content, version, created_at, updated_at) VALUES (?, '{}', 1, ?, ?) "+
			"ON CONFLICT (kind) DO UPDATE SET version = instance_settings.version + 1, updated_at = excluded.updated_at",
		kind, s.now(), s.now(),
	).Error)
}

// settingsEvery is how often a process looks for settings that other processes have changed.
const settingsEvery = time.Second

// Watch reads the settings again whenever another process has changed them, until the context ends. SQLite serves one
// process only, so there is nothing to watch.
func (s Settings) Watch(ctx context.Context, failed func(error)) {
	if !s.Postgres() {
		return
	}
	ticker := time.NewTicker(settingsEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := s.refresh(ctx); err != nil && ctx.Err() == nil {
			failed(err)
		}
	}
}

// refresh reads the settings if their versions have changed.
func (s Settings) refresh(ctx context.Context) error {
	var changed int64
	err := query.ScanFirst(s.db.Read(ctx).Raw("SELECT coalesce(sum(version), 0) FROM instance_settings"), &changed)
	if err != nil {
		return query.Translate(err)
	}
	if changed == s.Current().Changed {
		return nil
	}
	return s.Load(ctx)
}
