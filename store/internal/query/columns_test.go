package query

import (
	"context"
	"testing"
	"time"

	"gorm.io/gorm"
)

type drink struct {
	ID        int64
	Name      string
	Key       string
	CreatedAt time.Time
	DrunkAt   *time.Time
}

type drinkRow struct {
	Drink  drink `gorm:"embedded"`
	Amount *int64
}

func TestColumnsFillFieldsOnSQLite(t *testing.T) {
	t.Parallel()
	db := openSQLite(t, false)
	statement := "CREATE TABLE drinks (id integer PRIMARY KEY, name text, key text, created_at datetime, drunk_at datetime)"
	if err := db.Write(t.Context()).Exec(statement).Error; err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)
	for _, name := range []string{"tea", "milk"} {
		if err := db.Write(t.Context()).Create(&drink{Name: name, Key: "k", CreatedAt: at, DrunkAt: &at}).Error; err != nil {
			t.Fatal(err)
		}
	}
	for name, q := range map[string]func(*gorm.DB) *gorm.DB{
		"all of the table": func(q *gorm.DB) *gorm.DB { return q.Select("drinks.*, 3 AS amount") },
		"by name":          func(q *gorm.DB) *gorm.DB { return q.Select("id, name, key, drinks.created_at, drunk_at, 3 AS amount") },
		"with a value": func(q *gorm.DB) *gorm.DB {
			return q.Select("drinks.*, coalesce(NULL, ?, 'a,b', (SELECT 1)) AS amount", 3)
		},
		"with a join": func(q *gorm.DB) *gorm.DB {
			return q.Select("drinks.*, other.id + 2 AS amount").Joins("JOIN drinks AS other ON other.name = 'tea'")
		},
		"without a name, which GORM reads": func(q *gorm.DB) *gorm.DB { return q.Select("drinks.*, 3 amount") },
	} {
		rows, total, err := List[drinkRow](q(db.Read(context.Background()).Table("drinks")).Order("drinks.name"), Page{Limit: 1})
		if err != nil || len(rows) != 1 || total.Count != 2 || !total.More {
			t.Errorf("%s: %+v, %+v, %v", name, rows, total, err)
			continue
		}
		got := rows[0]
		d := got.Drink
		if d.ID != 2 || d.Name != "milk" || d.Key != "k" || !d.CreatedAt.Equal(at) || d.DrunkAt == nil || !d.DrunkAt.Equal(at) {
			t.Errorf("%s: %+v", name, d)
		}
		if got.Amount == nil || *got.Amount != 3 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
