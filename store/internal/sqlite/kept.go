package sqlite

import (
	"slices"

	sqlite3 "modernc.org/sqlite/lib"
)

// longestKept is the length of the longest statement that is kept. Longer ones are migrations, and lists of values whose
// number is seldom the same.
const longestKept = 8 << 10

// measureEvery is the number of compiled statements after which a connection measures them, because that reads them all.
const measureEvery = 32

// statement returns the compiled statement of a text. Unless it is kept, the caller must end it with done. Compiling a statement
// costs more than running it, so a connection keeps what it has compiled.
func (c *Conn) statement(text string) (*statement, error) {
	c.uses++
	s := c.statements[text]
	if s != nil && !s.busy {
		s.used = c.uses
		return s, nil
	}
	keep := s == nil && len(text) <= longestKept
	made, rest, err := c.compile(text, keep)
	if err != nil {
		return nil, err
	}
	if rest != "" {
		made.close()
		return nil, errSeveral
	}
	if !keep {
		return made, nil
	}
	made.kept, made.used = true, c.uses
	c.statements[text] = made
	c.connector.Kept.Entries.Add(1)
	if c.compiled++; c.compiled >= measureEvery {
		made.busy = true
		c.shrink()
		made.busy = false
	}
	return made, nil
}

// shrink measures the statements. If they are too large, it drops the half that has not been used for longest.
func (c *Conn) shrink() {
	c.compiled = 0
	c.measure()
	if c.bytes <= c.connector.Most {
		return
	}
	var uses []int64
	for _, s := range c.statements {
		uses = append(uses, s.used)
	}
	slices.Sort(uses)
	for text, s := range c.statements {
		if s.used < uses[len(uses)/2] && !s.busy {
			delete(c.statements, text)
			c.connector.Kept.Entries.Add(-1)
			s.close()
		}
	}
	c.measure()
}

// measure adds up the memory of the compiled statements.
func (c *Conn) measure() {
	const both = 8 // bytes of two C integers: the present value and the highest one
	into := c.tls.Alloc(both)
	defer c.tls.Free(both)
	if sqlite3.Xsqlite3_db_status(c.tls, c.db, sqlite3.SQLITE_DBSTATUS_STMT_USED, into, into+both/2, 0) != sqlite3.SQLITE_OK {
		return
	}
	now := intAt(into)
	c.connector.Kept.Bytes.Add(int64(now - c.bytes))
	c.bytes = now
}
