package store

import (
	"fmt"
	"time"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

func (b *base) openPostgres(o Options) error {
	db, err := gorm.Open(postgres.Open(o.URL), config())
	if err != nil {
		return fmt.Errorf("open PostgreSQL: %w", err)
	}
	pool := sqlDB(db)
	pool.SetMaxOpenConns(max(o.Pool, 1))
	pool.SetMaxIdleConns(max(o.Pool, 1))
	pool.SetConnMaxIdleTime(5 * time.Minute)
	b.reader, b.writer = db, db
	return nil
}
