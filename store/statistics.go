package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// Statistics are the numbers of things on the instance.
type Statistics struct {
	Forks, Issues, MergeRequests, Notes, Snippets, SSHKeys, Milestones, Users, Projects, Groups, ActiveUsers int64
}

// Statistics counts the things on the instance, in one statement.
func (s Instance) Statistics(ctx context.Context) (n Statistics, err error) {
	err = query.ScanFirst(s.db.Read(ctx).Raw("SELECT "+
		"(SELECT count(*) FROM projects WHERE forked_from_id IS NOT NULL), (SELECT count(*) FROM issues), "+
		"(SELECT count(*) FROM merge_requests), (SELECT count(*) FROM notes WHERE NOT system), (SELECT count(*) FROM snippets), "+
		"(SELECT count(*) FROM keys), (SELECT count(*) FROM milestones), (SELECT count(*) FROM users WHERE kind = ?), "+
		"(SELECT count(*) FROM projects), (SELECT count(*) FROM namespaces WHERE kind = ?), "+
		"(SELECT count(*) FROM users WHERE kind = ? AND state = ?)",
		model.UserHuman, model.NamespaceGroup, model.UserHuman, model.UserActive,
	), &n.Forks, &n.Issues, &n.MergeRequests, &n.Notes, &n.Snippets, &n.SSHKeys, &n.Milestones, &n.Users, &n.Projects, &n.Groups,
		&n.ActiveUsers)
	return n, query.Translate(err)
}

// CountNew counts the merge requests of a scope that were created after a time, of those that the reader sees.
func (s MergeRequests) CountNew(ctx context.Context, scope IssuableScope, since time.Time) (n int64, err error) {
	q := scope.narrow(s.db.Read(ctx).Table("merge_requests"), onMergeRequests).Where("merge_requests.created_at >= ?", since)
	return n, query.Translate(q.Count(&n).Error)
}

// CountNew counts the members who joined a group itself after a time, and whose membership has not ended.
func (s Members) CountNew(ctx context.Context, groupID int64, since time.Time) (n int64, err error) {
	q := s.db.Read(ctx).Table("members").Where("source_type = ? AND source_id = ? AND created_at >= ?", model.SourceGroup, groupID, since).
		Where("expires_at IS NULL OR expires_at > ?", s.today())
	return n, query.Translate(q.Count(&n).Error)
}
