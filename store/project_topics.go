package store

import (
	"context"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"
)

// JoinTopics returns topics in the form in which they are stored: trimmed, without commas, and without duplicates in
// any case.
func JoinTopics(topics []string) string {
	seen := map[string]bool{}
	var kept []string
	for _, topic := range topics {
		topic = strings.TrimSpace(strings.ReplaceAll(topic, ",", " "))
		if lower := strings.ToLower(topic); topic != "" && !seen[lower] {
			seen[lower] = true
			kept = append(kept, topic)
		}
	}
	return strings.Join(kept, ",")
}

// setTopics stores the topics of a project in lower case, for searches, and creates those that do not exist yet.
func (s Projects) setTopics(ctx context.Context, id int64, topics []string) error {
	if err := s.db.Write(ctx).Where("project_id = ?", id).Delete(&model.ProjectTopic{}).Error; err != nil || len(topics) == 0 {
		return query.Translate(err)
	}
	rows := make([]model.ProjectTopic, len(topics))
	for i, topic := range topics {
		rows[i] = model.ProjectTopic{ProjectID: id, Name: strings.ToLower(topic)}
	}
	if err := s.db.Write(ctx).Create(&rows).Error; err != nil {
		return query.Translate(err)
	}
	return Topics(s).ensure(ctx, topics)
}
