package query

import (
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"modernc.org/sqlite"
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
	m := mapping{from: 64 << 10, most: 1 << 20}
	for name, c := range map[string]struct {
		mapping
		rows int
		want int64
	}{
		"a small file":            {m, 1, 0},
		"a large file":            {m, 100, m.most},
		"a large file, no memory": {mapping{}, 100, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "x.db")
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			connections, err := sqlite.NewConnector("file:" + path)
			if err != nil {
				t.Fatal(err)
			}
			fill := sql.OpenDB(connections)
			for _, statement := range []string{
				"CREATE TABLE cups (what blob)",
				"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + strconv.Itoa(c.rows) + ") " +
					"INSERT INTO cups SELECT zeroblob(4000) FROM n",
			} {
				if _, err := fill.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			fill.Close()
			pool := sql.OpenDB(connector{Connector: connections, path: path, mapped: c.mapping, most: 1 << 20, kept: &keptStatements{}})
			defer pool.Close()
			var got int64
			if err := pool.QueryRowContext(t.Context(), "PRAGMA mmap_size").Scan(&got); err != nil || got != c.want {
				t.Errorf("%d bytes are mapped, want %d (%v)", got, c.want, err)
			}
		})
	}
}
