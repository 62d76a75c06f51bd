package query

import (
	"database/sql"
	"sync"

	"gorm.io/gorm"
)

// Find returns the rows of a query. expected is how many there may be.
func Find[T any](q *gorm.DB, expected int) ([]T, error) {
	rows := make([]T, 0, expected)
	if err := q.Model(new(T)).Find(&rows).Error; err != nil {
		return nil, err
	}
	return rows, nil
}

// Take returns the first row of a query. If there is none, it returns a *NotFoundError that names the resource.
func Take[T any](q *gorm.DB, resource string) (T, error) {
	rows, err := Find[T](q.Limit(1), 1)
	if err == nil && len(rows) == 0 {
		err = gorm.ErrRecordNotFound
	}
	if err != nil {
		var none T
		return none, Translate(err, resource)
	}
	return rows[0], nil
}

// schemas caches the models as parsed by GORM.
var schemas sync.Map

// ScanFirst scans the first row of a query. GORM's own Row loses the error if a statement could not be prepared, and then
// panics.
func ScanFirst(q *gorm.DB, dest ...any) error {
	rows, err := q.Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return err
		}
		return sql.ErrNoRows
	}
	if err := rows.Scan(dest...); err != nil {
		return err
	}
	return rows.Close()
}
