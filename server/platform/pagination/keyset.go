package pagination

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
)

const maxCursor = 8192

// Order is an ordering of a list that an index supports.
type Order struct {
	Column string // as in order_by
	Desc   bool
}

// Cursor is one page of a keyset-paginated list.
type Cursor struct {
	store.Keyset
	ctx context.Context
}

// Keyset reads the page that a caller requests: the rows after the one that the cursor names. The order must be one of
// those offered.
func Keyset(ctx context.Context, order Order, offered []Order, size *int64, cursor *string) (Cursor, error) {
	c := Cursor{ctx: ctx, Keyset: store.Keyset{Column: order.Column, Desc: order.Desc, Limit: defaultSize}}
	found := false
	for _, o := range offered {
		found = found || o == order
	}
	if !found {
		return c, apierr.NoKeyset()
	}
	if size != nil {
		c.Limit = int(min(*size, maxSize))
	}
	if cursor != nil && *cursor != "" {
		after, err := decodeCursor(*cursor, order.Column)
		if err != nil {
			return c, err
		}
		c.After = after
	}
	return c, nil
}

// Link returns the Link header to the rows after the last one shown; nil on the last page.
func (c Cursor) Link(more bool, last store.Key) *string {
	info := reqctx.Of(c.ctx)
	if !more || info.URL == nil {
		return nil
	}
	return c.link("cursor", encodeCursor(c.Column, last))
}

// HeadersByID is Headers for lists that identify the last row by its id only: by id_after or id_before, depending on
// the direction.
func (c Cursor) HeadersByID(more bool, last int64) Headers {
	if !more {
		return Headers{}
	}
	name := "id_after"
	if c.Desc {
		name = "id_before"
	}
	return Headers{Link: c.link(name, strconv.FormatInt(last, 10))}
}

func (c Cursor) link(parameter, value string) *string {
	info := reqctx.Of(c.ctx)
	query := parameters(info.URL)
	query.Set(parameter, value)
	link := "<" + info.BaseURL + info.URL.EscapedPath() + "?" + query.Encode() + `>; rel="next"`
	return &link
}

// Headers returns only the link to the next page.
func (c Cursor) Headers(more bool, last store.Key) Headers { return Headers{Link: c.Link(more, last)} }

// encodeCursor identifies a row by the columns that order the list. Callers treat the cursor as opaque.
func encodeCursor(column string, last store.Key) string {
	m := map[string]string{"_kd": "n", "id": strconv.FormatInt(last.ID, 10)}
	if column != "id" {
		m[column] = last.Value
	}
	data, _ := json.Marshal(m) // strings always marshal
	return base64.RawURLEncoding.EncodeToString(data)
}

func decodeCursor(cursor, column string) (*store.Key, error) {
	bad := apierr.BadParameter("cursor is invalid")
	if len(cursor) > maxCursor {
		return nil, bad
	}
	data, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || !utf8.Valid(data) {
		return nil, bad
	}
	var m map[string]string
	if json.Unmarshal(data, &m) != nil || m["_kd"] != "n" {
		return nil, bad
	}
	id, err := strconv.ParseInt(m["id"], 10, 64)
	if err != nil {
		return nil, bad
	}
	key := &store.Key{ID: id}
	if column != "id" {
		value, ok := m[column]
		if !ok || strings.ContainsRune(value, 0) {
			return nil, bad
		}
		key.Value = value
	}
	return key, nil
}
