package store

import "context"

// The names of what is counted within a project.
const (
	counterPipelines = "pipelines"
)

// next is the next number of something in a project. Those who come at the same time wait for each other, and a transaction
// that is taken back gives its number back.
func (b *base) next(ctx context.Context, projectID int64, name string) (int64, error) {
	var number int64
	q := b.write(ctx).Raw(`INSERT INTO project_counters (project_id, name, last) VALUES (?, ?, 1)
		ON CONFLICT (project_id, name) DO UPDATE SET last = project_counters.last + 1 RETURNING last`, projectID, name)
	err := one(q, &number)
	return number, translate(err)
}
