package store

import (
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

func (b *base) openPostgres(o Options) error {
	settings, err := pgx.ParseConfig(o.URL)
	if err != nil {
		return fmt.Errorf("open PostgreSQL: %w", err)
	}
	pool := stdlib.OpenDB(*settings)
	db, err := gorm.Open(postgres.New(postgres.Config{Conn: retrying{pool}}), config())
	if err != nil {
		return fmt.Errorf("open PostgreSQL: %w", err)
	}
	pool.SetMaxOpenConns(max(o.Pool, 1))
	pool.SetMaxIdleConns(max(o.Pool, 1))
	pool.SetConnMaxIdleTime(5 * time.Minute)
	b.reader, b.writer = db, db
	return nil
}
