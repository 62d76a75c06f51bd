package pagination

import (
	"encoding/base64"
	"math"
	"net/url"
	"strings"
	"testing"

	"svc/store"

	"github.com/google/go-cmp/cmp"
)

var offered = []Order{{Column: "id"}, {Column: "id", Desc: true}, {Column: "name"}}

func TestKeysetServesOnlyTheOrdersOffered(t *testing.T) {
	t.Parallel()
	const refused = "Keyset pagination is not yet available for this type of request"
	for order, want := range map[Order]string{
		{Column: "id"}:               "",
		{Column: "id", Desc: true}:   "",
		{Column: "name"}:             "",
		{Column: "name", Desc: true}: refused,
		{Column: "password_hash"}:    refused,
		{}:                           refused,
	} {
		_, err := Keyset(t.Context(), order, offered, nil, nil)
		wantRefusal(t, err, 405, want)
	}
}

func TestAKeysetWindowIsReadFromSizeAndCursor(t *testing.T) {
	t.Parallel()
	cursor := encodeCursor("name", store.Key{Value: "Flightjs", ID: 26})
	cases := []struct {
		name   string
		size   *int64
		cursor *string
		want   store.Keyset
	}{
		{"defaults", nil, nil, store.Keyset{Limit: 20}},
		{"an empty cursor is none", nil, ptr(""), store.Keyset{Limit: 20}},
		{"a size", ptr[int64](7), nil, store.Keyset{Limit: 7}},
		{"a size over 100", ptr[int64](math.MaxInt64), nil, store.Keyset{Limit: 100}},
		{"a cursor", nil, &cursor, store.Keyset{Limit: 20, After: &store.Key{Value: "Flightjs", ID: 26}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := Keyset(t.Context(), Order{Column: "name"}, offered, c.size, c.cursor)
			if err != nil {
				t.Fatal(err)
			}
			c.want.Column = "name"
			if diff := cmp.Diff(c.want, got.Keyset); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheNextLinkLeadsBehindTheLastRow(t *testing.T) {
	t.Parallel()
	const uri = "/api/v4/users?private_token=secret&order_by=name&cursor=old&pagination=keyset&per_page=2"
	c, err := Keyset(asking(t, uri), Order{Column: "name"}, offered, ptr[int64](2), nil)
	if err != nil {
		t.Fatal(err)
	}
	last := store.Key{Value: "a, b; c & ü", ID: 7}
	link := c.Link(true, last)
	if link == nil {
		t.Fatal("there is no link")
	}
	target, ok := strings.CutSuffix(strings.TrimPrefix(*link, "<"), `>; rel="next"`)
	if !ok || strings.ContainsAny(target, ",;<> ") {
		t.Fatalf("link is %s", *link)
	}
	next, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{
		"private_token": {"secret"}, "order_by": {"name"}, "pagination": {"keyset"}, "per_page": {"2"},
		"cursor": {encodeCursor("name", last)},
	}
	if diff := cmp.Diff(want, next.Query()); diff != "" {
		t.Errorf("parameters differ:\n%s", diff)
	}
	if got := next.Scheme + "://" + next.Host + next.Path; got != base+"/api/v4/users" {
		t.Errorf("link leads to %s", got)
	}
	followed, err := Keyset(t.Context(), Order{Column: "name"}, offered, nil, ptr(next.Query().Get("cursor")))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&last, followed.After); diff != "" {
		t.Errorf("row differs:\n%s", diff)
	}
}

func TestTheLastPageHasNoLink(t *testing.T) {
	t.Parallel()
	c, err := Keyset(asking(t, "/api/v4/users"), Order{Column: "id"}, offered, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if link := c.Link(false, store.Key{ID: 7}); link != nil {
		t.Errorf("link is %s", *link)
	}
}

func TestCursorsRoundTrip(t *testing.T) {
	t.Parallel()
	keys := []store.Key{
		{ID: 26, Value: "Flightjs"},
		{ID: 0, Value: ""},
		{ID: math.MaxInt64, Value: `"quotes" \ and <tags> & ünïcode 密码`},
		{ID: math.MinInt64, Value: "\u2028 \n\t \uFFFD"},
	}
	for _, key := range keys {
		got, err := decodeCursor(encodeCursor("name", key), "name")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&key, got); diff != "" {
			t.Error(diff)
		}
		got, err = decodeCursor(encodeCursor("id", key), "id")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&store.Key{ID: key.ID}, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestHostileCursorsAreRefused(t *testing.T) {
	t.Parallel()
	text := func(json string) string { return base64.RawURLEncoding.EncodeToString([]byte(json)) }
	cases := map[string]string{
		"not base64":             "%%%",
		"padded base64":          base64.URLEncoding.EncodeToString([]byte(`{"id":"26","name":"x","_kd":"n"} `)) + "=",
		"not JSON":               text(`id=26`),
		"not an object":          text(`["26"]`),
		"null":                   text(`null`),
		"cut off":                text(`{"id":"26","name":"x","_kd":"n"`),
		"more behind":            text(`{"id":"26","name":"x","_kd":"n"}{}`),
		"no id":                  text(`{"name":"x","_kd":"n"}`),
		"id is a number":         text(`{"id":26,"name":"x","_kd":"n"}`),
		"id is text":             text(`{"id":"26; DROP TABLE users","name":"x","_kd":"n"}`),
		"id overflows":           text(`{"id":"9223372036854775808","name":"x","_kd":"n"}`),
		"no column":              text(`{"id":"26","_kd":"n"}`),
		"column is an object":    text(`{"id":"26","name":{"x":1},"_kd":"n"}`),
		"another column":         text(`{"id":"26","email":"x","_kd":"n"}`),
		"NUL in the value":       text(`{"id":"26","name":"a\u0000b","_kd":"n"}`),
		"not UTF-8":              text("{\"id\":\"26\",\"name\":\"\xff\",\"_kd\":\"n\"}"),
		"another direction":      text(`{"id":"26","name":"x","_kd":"p"}`),
		"no direction":           text(`{"id":"26","name":"x"}`),
		"too long":               text(`{"id":"26","name":"` + strings.Repeat("x", maxCursor) + `","_kd":"n"}`),
		"deeply nested":          text(strings.Repeat("[", 1000)),
		"a cursor of another id": "eyJpZCI",
	}
	for name, cursor := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Keyset(t.Context(), Order{Column: "name"}, offered, nil, &cursor)
			wantRefusal(t, err, 400, "cursor is invalid")
		})
	}
}

// A row's value may be so long that its cursor would be refused: then following the pages would end in an error of
// ours.
func TestALongNameStillHasACursor(t *testing.T) {
	t.Parallel()
	key := store.Key{Value: strings.Repeat("<", 255), ID: math.MaxInt64} // "<" is six characters in JSON
	got, err := decodeCursor(encodeCursor("name", key), "name")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&key, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzCursor(f *testing.F) {
	f.Add(encodeCursor("name", store.Key{Value: "Flightjs", ID: 26}), "name")
	f.Add(encodeCursor("id", store.Key{ID: 26}), "id")
	f.Add(encodeCursor("name", store.Key{Value: "\u2028<>&\"", ID: -1}), "name")
	f.Add("eyJpZCI6IisxIiwiX2tkIjoibiJ9", "id")
	f.Add("", "id")
	f.Fuzz(func(t *testing.T, cursor, column string) {
		if column == "_kd" {
			return // no table has such a column
		}
		key, err := decodeCursor(cursor, column)
		if err != nil {
			wantRefusal(t, err, 400, "cursor is invalid")
			return
		}
		again, err := decodeCursor(encodeCursor(column, *key), column)
		if err != nil {
			if len(encodeCursor(column, *key)) > maxCursor {
				return // escaping made it longer than the limit
			}
			t.Fatalf("%+v is encoded as something that is refused", key)
		}
		if diff := cmp.Diff(key, again); diff != "" {
			t.Errorf("%q came back changed:\n%s", cursor, diff)
		}
	})
}
