package store

import (
	"context"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Topics holds the topics of projects. A topic exists from the moment when a project names it, until it is deleted.
type Topics struct{ *base }

const topic = "Topic"

// TopicFilter narrows a list of topics.
type TopicFilter struct {
	Search          string // a part of the name
	WithoutProjects bool
}

func (s Topics) shown(q *gorm.DB) *gorm.DB {
	return q.Table("topics").
		Select("topics.*, (SELECT count(*) FROM project_topics WHERE project_topics.name = topics.lower_name) AS projects")
}

// List returns one page of topics, those with the most projects first.
func (s Topics) List(ctx context.Context, f TopicFilter, p Page) ([]model.TopicRow, Total, error) {
	q := s.shown(s.db.Read(ctx))
	if f.Search != "" {
		q = q.Where(`topics.lower_name LIKE ? ESCAPE '\'`, likeAny(f.Search))
	}
	if f.WithoutProjects {
		q = q.Where("NOT EXISTS (SELECT 1 FROM project_topics WHERE project_topics.name = topics.lower_name)")
	}
	return query.List[model.TopicRow](q.Order("projects DESC, topics.id"), p)
}

// Get returns a topic.
func (s Topics) Get(ctx context.Context, id int64) (model.TopicRow, error) {
	return query.Take[model.TopicRow](s.shown(s.db.Read(ctx)).Where("topics.id = ?", id), topic)
}

// Create adds a topic. It returns a *ConflictError if there is one with that name, in any case of letters.
func (s Topics) Create(ctx context.Context, row *model.Topic) error {
	row.LowerName = strings.ToLower(row.Name)
	return query.Translate(s.db.Write(ctx).Create(row).Error)
}

// Update changes columns of a topic. With a new name, its projects have that name, too.
func (s Topics) Update(ctx context.Context, id int64, set map[string]any) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		before, err := query.Take[model.Topic](s.db.Write(ctx).Where("id = ?", id), topic)
		if err != nil || len(set) == 0 {
			return err
		}
		name, renamed := set["name"].(string)
		if renamed {
			set["lower_name"] = strings.ToLower(name)
		}
		if err := query.Translate(s.db.Write(ctx).Model(&model.Topic{}).Where("id = ?", id).Updates(set).Error); err != nil {
			return err
		}
		if renamed && name != before.Name {
			return s.replace(ctx, before.LowerName, name)
		}
		return nil
	})
}

// Delete removes a topic, also from its projects, unless it was changed after the given time.
func (s Topics) Delete(ctx context.Context, row model.Topic, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := query.DeleteOne(ctx, s.db, row, topic, unchangedSince); err != nil {
			return err
		}
		return s.gone(ctx, row, "")
	})
}

// Merge removes a topic and gives its projects another one.
func (s Topics) Merge(ctx context.Context, source, target model.Topic) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := query.DeleteOne(ctx, s.db, source, topic, nil); err != nil {
			return err
		}
		return s.gone(ctx, source, target.Name)
	})
}

// gone replaces a topic that was deleted in its projects, and removes its picture.
func (s Topics) gone(ctx context.Context, row model.Topic, by string) error {
	if err := Avatars(s).deleteOf(ctx, model.AvatarTopic, "?", row.ID); err != nil {
		return err
	}
	return s.replace(ctx, row.LowerName, by)
}

// replace gives the projects with a topic another one, or none if the new name is empty.
func (s Topics) replace(ctx context.Context, lower, by string) error {
	type named struct {
		ID     int64
		Topics string
	}
	projects, err := query.Find[named](s.db.Write(ctx).Table("projects").Select("id, topics").
		Where("id IN (SELECT project_id FROM project_topics WHERE name = ?)", lower).Order("id"), 0)
	if err != nil {
		return query.Translate(err)
	}
	for _, p := range projects {
		if err := Projects(s).lockProject(ctx, p.ID); err != nil {
			return err
		}
		topics := model.Project{Topics: p.Topics}.TopicList()
		for i, name := range topics {
			if strings.ToLower(name) == lower {
				topics[i] = by
			}
		}
		joined := JoinTopics(topics)
		if err := Projects(s).UpdateInternal(ctx, p.ID, map[string]any{"topics": joined}); err != nil {
			return err
		}
		if err := Projects(s).setTopics(ctx, p.ID, model.Project{Topics: joined}.TopicList()); err != nil {
			return err
		}
	}
	return nil
}

// ensure creates the topics that do not exist yet.
func (s Topics) ensure(ctx context.Context, names []string) error {
	rows := make([]model.Topic, len(names))
	for i, name := range names {
		rows[i] = model.Topic{Name: name, LowerName: strings.ToLower(name), Title: name}
	}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&rows).Error)
}
