package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Labels holds the labels of issues and merge requests.
type Labels struct{ *base }

const (
	label = "Label"

	// DefaultLabelColor is the colour of labels that are created by using their names.
	DefaultLabelColor = "#6699cc"
)

// ResourceOwner is the project or group that owns labels, milestones, boards or badges.
type ResourceOwner struct {
	ProjectID   *int64
	NamespaceID int64 // of the project
	GroupID     *int64
}

// OwnedByProject returns a project as an owner.
func OwnedByProject(p model.Project) ResourceOwner {
	return ResourceOwner{ProjectID: &p.ID, NamespaceID: p.NamespaceID}
}

// OwnedByGroup returns a group as an owner.
func OwnedByGroup(g model.Namespace) ResourceOwner {
	return ResourceOwner{GroupID: &g.ID, NamespaceID: g.ID}
}

// whereOwned limits a query to the rows of the project or group itself.
func (s ResourceOwner) whereOwned(q *gorm.DB) *gorm.DB {
	c := s.ownedRows()
	return q.Where(c.text, c.args...)
}

// ownedRows returns a condition for the rows of the project or group itself.
func (s ResourceOwner) ownedRows() condition {
	if s.ProjectID != nil {
		return condition{"project_id = ?", []any{*s.ProjectID}}
	}
	return condition{"group_id = ?", []any{*s.GroupID}}
}

// whereInherited limits a query to the rows of the project or group and of the groups above it.
func (s ResourceOwner) whereInherited(q *gorm.DB) *gorm.DB {
	c := s.inheritedRows()
	return q.Where(c.text, c.args...)
}

// inheritedRows returns a condition for the rows of the project or group and of the groups above it.
func (s ResourceOwner) inheritedRows() condition {
	const above = "group_id IN (SELECT ancestor_id FROM namespace_ancestors WHERE descendant_id = ?)"
	if s.ProjectID != nil {
		return condition{"(project_id = ? OR " + above + ")", []any{*s.ProjectID, s.NamespaceID}}
	}
	return condition{above, []any{*s.GroupID}}
}

// LabelFilter narrows a list of labels.
type LabelFilter struct {
	Search    string // part of the name
	Ancestors bool   // also labels of the groups above
	UserID    int64  // whose subscriptions are shown; 0 for nobody's
	Times     bool   // also when the labels of a list were created and changed, which takes longer
}

// List returns one page of the labels of a project or group, ordered by name. For a project, they have their priorities
// there.
func (s Labels) List(ctx context.Context, in ResourceOwner, f LabelFilter, p Page) ([]model.LabelRow, Total, error) {
	from := in.ownedRows()
	if f.Ancestors {
		from = in.inheritedRows()
	}
	from.text = "labels WHERE " + from.text
	if f.Search != "" {
		from.text += ` AND lower(name) LIKE ? ESCAPE '\'`
		from.args = append(from.args, "%"+likeEscaper.Replace(strings.ToLower(f.Search))+"%")
	}
	columns, rest := s.labelPage(in, f, from, p)
	var n int64
	rows, err := readRows(ctx, s.base, columns, rest, p.Limit+1, func(row *model.LabelRow) []any {
		return append(labelRowFields(row, f.Times), &n)
	})
	if err != nil {
		return nil, Total{}, err
	}
	return query.WithTotal(rows, p, func() (int64, error) {
		if n > 0 {
			return n, nil
		}
		return s.countRows(ctx, from)
	})
}

// labelPage returns the columns of a page of labels, each with the number of all, and the statement after FROM.
func (s Labels) labelPage(in ResourceOwner, f LabelFilter, from condition, p Page) (columns string, rest condition) {
	columns = "labels.id, labels.project_id, labels.group_id, labels.name, labels.description, labels.color"
	if f.Times {
		columns += ", labels.created_at, labels.updated_at"
	}
	subscribed, args := subscribedLabels(in, f)
	args = append(append(args, from.args...), from.args...)
	columns += ", " + subscribed + ", (" + countStatement(from) + ")"
	if s.Postgres() { // it would look up subscriptions and priorities before it sorts, so for all labels
		inner := withLimit("SELECT * FROM "+from.text+" ORDER BY name, id", p.Limit+1)
		return columns, condition{"(" + inner + ") AS labels ORDER BY name, id", append(args, p.Offset)}
	}
	return columns, condition{withLimit(from.text+" ORDER BY name, id", p.Limit+1), append(args, p.Offset)}
}

// labelRowFields returns where to put the columns of labelPage.
func labelRowFields(row *model.LabelRow, times bool) []any {
	l := &row.Label
	fields := []any{&l.ID, &l.ProjectID, &l.GroupID, &l.Name, &l.Description, &l.Color}
	if times {
		fields = append(fields, &l.CreatedAt, &l.UpdatedAt)
	}
	return append(fields, &row.Subscribed, &row.Priority)
}

// subscribedLabels returns columns with the subscription of a user and, in a project, with the priority there.
func subscribedLabels(in ResourceOwner, f LabelFilter) (string, []any) {
	text := "labels.id IN (SELECT target_id FROM subscriptions WHERE user_id = ? AND target_type = '" + model.OnLabel +
		"' AND subscribed) AS subscribed, "
	if in.ProjectID == nil {
		return text + "CAST(NULL AS bigint) AS priority", []any{f.UserID}
	}
	return text + "(SELECT priority FROM label_priorities WHERE project_id = ? AND label_id = labels.id) AS priority",
		[]any{f.UserID, *in.ProjectID}
}

// where limits a query to the labels of a project or group.
func (f LabelFilter) where(q *gorm.DB, in ResourceOwner) *gorm.DB {
	if f.Ancestors {
		return in.whereInherited(q)
	}
	return in.whereOwned(q)
}

// Get returns a label of a project or group by id or name. With ancestors, labels of the groups above count too.
func (s Labels) Get(ctx context.Context, in ResourceOwner, ref string, f LabelFilter) (model.LabelRow, error) {
	columns, args := subscribedLabels(in, f)
	q := f.where(s.db.Read(ctx).Table("labels").Select("labels.*, "+columns, args...), in)
	if id, err := strconv.ParseInt(ref, 10, 64); err == nil {
		q = q.Where("(id = ? OR name = ?)", id, ref).Order("CASE WHEN id = " + itoa(id) + " THEN 0 ELSE 1 END")
	} else {
		q = q.Where("name = ?", ref)
	}
	return query.Take[model.LabelRow](q.Order("project_id IS NULL, id DESC"), label)
}

// Create adds a label and, for a label of a project, its priority there.
func (s Labels) Create(ctx context.Context, l *model.Label, priority *int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Write(ctx).Create(l).Error; err != nil || priority == nil || l.ProjectID == nil {
			return query.Translate(err)
		}
		return s.SetPriority(ctx, *l.ProjectID, l.ID, priority)
	})
}

// Update changes columns of a label.
func (s Labels) Update(ctx context.Context, id int64, set map[string]any) error {
	set["updated_at"] = s.now()
	return query.Translate(s.db.Write(ctx).Model(&model.Label{}).Where("id = ?", id).UpdateColumns(set).Error)
}

// SetPriority sets the priority of a label in a project; nil removes it.
func (s Labels) SetPriority(ctx context.Context, projectID, id int64, priority *int64) error {
	if priority == nil {
		return query.Translate(s.db.Write(ctx).Where("project_id = ? AND label_id = ?", projectID, id).Delete(&model.LabelPriority{}).Error)
	}
	up := clause.OnConflict{
		Columns: []clause.Column{{Name: "project_id"}, {Name: "label_id"}}, DoUpdates: clause.AssignmentColumns([]string{"priority"}),
	}
	return query.Translate(s.db.Write(ctx).Clauses(up).
		Create(&model.LabelPriority{ProjectID: projectID, LabelID: id, Priority: *priority}).Error)
}

// Delete removes a label, unless it was changed after the given time.
func (s Labels) Delete(ctx context.Context, row model.Label, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := query.DeleteOne(ctx, s.db, row, label, unchangedSince); err != nil {
			return err
		}
		return query.Translate(s.db.Write(ctx).
			Where("target_type = ? AND target_id = ?", model.OnLabel, row.ID).Delete(&model.Subscription{}).Error)
	})
}

// Promote replaces the label of a project by a label of the group. Labels with the same name in all projects of the
// group and of the groups below it are merged into that label.
func (s Labels) Promote(ctx context.Context, l model.Label, groupID int64) (model.Label, error) {
	err := s.Exclusive(ctx, "promote in group "+strconv.FormatInt(groupID, 10), func(ctx context.Context) error {
		found, err := query.Take[model.Label](s.db.Write(ctx).Where("group_id = ? AND name = ?", groupID, l.Name), label)
		if IsNotFound(err) {
			found = model.Label{GroupID: &groupID, Name: l.Name, Description: l.Description, Color: l.Color}
			err = query.Translate(s.db.Write(ctx).Create(&found).Error)
		}
		if err != nil {
			return err
		}
		const same = "SELECT l.id FROM labels l JOIN projects p ON p.id = l.project_id WHERE l.name = ? AND p.namespace_id IN " +
			"(SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?)"
		for _, move := range []string{
			"INSERT INTO issue_labels (issue_id, label_id) SELECT DISTINCT issue_id, CAST(? AS bigint) FROM " +
				"issue_labels WHERE label_id IN (" + same + ") ON CONFLICT DO NOTHING",
			"INSERT INTO merge_request_labels (merge_request_id, label_id) SELECT DISTINCT merge_request_id, CAST(? " +
				"AS bigint) FROM merge_request_labels WHERE label_id IN (" + same + ") ON CONFLICT DO NOTHING",
			"INSERT INTO label_priorities (project_id, label_id, priority) SELECT project_id, CAST(? AS bigint), " +
				"min(priority) FROM label_priorities WHERE label_id IN (" + same + ") GROUP BY project_id ON CONFLICT DO NOTHING",
			"UPDATE board_lists SET label_id = ? WHERE label_id IN (" + same + ")",
		} {
			if err := s.db.Write(ctx).Exec(move, found.ID, l.Name, groupID).Error; err != nil {
				return query.Translate(err)
			}
		}
		l = found
		return query.Translate(s.db.Write(ctx).Exec("DELETE FROM labels WHERE id IN ("+same+")", l.Name, groupID).Error)
	})
	return l, err
}

// Named returns the labels with the given names that a project can use, one for each name: the project's own or that of
// the nearest group. With create, missing labels are created in the project, or in the group if in is a group.
func (s Labels) Named(ctx context.Context, in ResourceOwner, names []string, create bool) ([]model.Label, error) {
	if len(names) == 0 {
		return nil, nil
	}
	found, err := s.named(ctx, in, names)
	if err != nil || len(found) == len(names) || !create {
		return found, err
	}
	has := map[string]bool{}
	for _, l := range found {
		has[l.Name] = true
	}
	var fresh []model.Label
	for _, name := range names {
		if !has[name] {
			has[name] = true
			fresh = append(fresh, model.Label{ProjectID: in.ProjectID, GroupID: in.GroupID, Name: name, Color: DefaultLabelColor})
		}
	}
	if len(fresh) == 0 {
		return found, nil
	}
	if err := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(&fresh, someRows).Error; err != nil {
		return nil, query.Translate(err)
	}
	return s.named(ctx, in, names)
}

func (s Labels) named(ctx context.Context, in ResourceOwner, names []string) ([]model.Label, error) {
	rows, err := query.Find[model.Label](
		in.whereInherited(s.db.Write(ctx)).Where("name IN ?", names).Order("project_id IS NULL, group_id DESC"),
		len(names),
	)
	if err != nil {
		return nil, query.Translate(err)
	}
	seen := map[string]bool{}
	rows = slices.DeleteFunc(rows, func(l model.Label) bool {
		twice := seen[l.Name]
		seen[l.Name] = true
		return twice
	})
	return rows, nil
}

// ByID returns the labels with the given ids that a project or group can use.
func (s Labels) ByID(ctx context.Context, in ResourceOwner, ids []int64) ([]model.Label, error) {
	rows, err := query.Find[model.Label](in.whereInherited(s.db.Read(ctx)).Where("id IN ?", ids), len(ids))
	return rows, query.Translate(err)
}

// labelCount is the number of uses of a label.
type labelCount struct{ LabelID, OpenIssues, ClosedIssues, OpenMergeRequests int64 }

// Count adds the numbers of issues and merge requests of each label that a reader sees, in two statements.
func (s Labels) Count(ctx context.Context, rows []model.LabelRow, scope IssuableScope) error {
	if len(rows) == 0 {
		return nil
	}
	ids, at := make([]int64, len(rows)), map[int64]*model.LabelRow{}
	for i := range rows {
		ids[i], at[rows[i].Label.ID] = rows[i].Label.ID, &rows[i]
	}
	issues := scope.narrow(s.db.Read(ctx).Table("issues"), onIssues).Joins("JOIN issue_labels x ON x.issue_id = issues.id").
		Where("x.label_id IN ?", ids).
		Select("x.label_id, sum(CASE WHEN state = 'opened' THEN 1 ELSE 0 END) AS open_issues, sum(CASE WHEN state = " +
			"'closed' THEN 1 ELSE 0 END) AS closed_issues").Group("x.label_id")
	counts, err := query.Find[labelCount](issues, len(ids))
	if err != nil {
		return query.Translate(err)
	}
	for _, c := range counts {
		at[c.LabelID].OpenIssues, at[c.LabelID].ClosedIssues = c.OpenIssues, c.ClosedIssues
	}
	merges := scope.narrow(s.db.Read(ctx).Table("merge_requests"), onMergeRequests).
		Joins("JOIN merge_request_labels x ON x.merge_request_id = merge_requests.id").
		Where("x.label_id IN ? AND state = 'opened'", ids).Select("x.label_id, count(*) AS open_merge_requests").Group("x.label_id")
	if counts, err = query.Find[labelCount](merges, len(ids)); err != nil {
		return query.Translate(err)
	}
	for _, c := range counts {
		at[c.LabelID].OpenMergeRequests = c.OpenMergeRequests
	}
	return nil
}
