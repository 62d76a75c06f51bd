package query

import (
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"svc/store/internal/sqlite"
)

func TestMoreConnectionsThanCoresRead(t *testing.T) {
	t.Parallel()
	for cores, want := range map[int]int{1: 4, 2: 4, 3: 6, 4: 8, 64: 8} {
		if got := readersFor(cores); got != want {
			t.Errorf("%d cores: %d connections, want %d", cores, got, want)
		}
	}
}

func TestOnlyLargeFilesAreMapped(t *testing.T) {
	t.Parallel()
	m := sqlite.Mapping{From: 64 << 10, Most: 1 << 20}
	for name, test := range map[string]struct {
		sqlite.Mapping
		rows int
		want int64
	}{
		"a small file":            {m, 1, 0},
		"a large file":            {m, 100, m.Most},
		"a large file, no memory": {sqlite.Mapping{}, 100, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "x.db")
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			c := sqlite.Connector{Path: path, Begin: "BEGIN", Most: 1 << 20, Kept: &sqlite.Kept{}}
			fill := sql.OpenDB(c)
			for _, statement := range []string{
				"CREATE TABLE cups (what blob)",
				"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + strconv.Itoa(test.rows) + ") " +
					"INSERT INTO cups SELECT zeroblob(4000) FROM n",
			} {
				if _, err := fill.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			fill.Close()
			c.Mapped = test.Mapping
			pool := sql.OpenDB(c)
			defer pool.Close()
			var got int64
			if err := pool.QueryRowContext(t.Context(), "PRAGMA mmap_size").Scan(&got); err != nil || got != test.want {
				t.Errorf("%d bytes are mapped, want %d (%v)", got, test.want, err)
			}
		})
	}
}
