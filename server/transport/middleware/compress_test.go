package middleware

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/labstack/echo/v4"
)

func TestTheBestAcceptedCodingIsChosen(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"": "", "identity": "", "br": "", "gzip": "gzip", "GZIP": "gzip", "*": "gzip", "zstd": "zstd", "gzip, deflate, br, zstd": "zstd",
		"gzip;q=0": "", "gzip;q=1.0, zstd;q=0.5": "gzip", "zstd; q=0.9, gzip; q=0.1": "zstd", "gzip;q=x": "", "gzip;q=0, zstd;q=0": "",
	} {
		if got := acceptedCoding(header); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}

// answerWith returns the response of a handler behind Compress.
func answerWith(t *testing.T, accept string, h echo.HandlerFunc) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	r.Header.Set("Accept-Encoding", accept)
	rec := httptest.NewRecorder()
	c := echo.New().NewContext(r, rec)
	if err := Compress(h)(c); err != nil {
		t.Fatal(err)
	}
	return rec.Result()
}

func decoded(t *testing.T, res *http.Response) string {
	t.Helper()
	var from io.Reader = res.Body
	switch res.Header.Get("Content-Encoding") {
	case "gzip":
		r, err := gzip.NewReader(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		from = r
	case "zstd":
		r, err := zstd.NewReader(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		from = r
	}
	var buf bytes.Buffer
	if _, err := buf.ReadFrom(from); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func TestLargeTextsAreCompressed(t *testing.T) {
	t.Parallel()
	large := `["` + strings.Repeat("a sentence that repeats ", 500) + `"]`
	small := `{"message":"404 Not Found"}`
	for name, test := range map[string]struct {
		accept, kind, body, tag, coding string
		vary                            bool
	}{
		"JSON with gzip":       {accept: "gzip", kind: "application/json", body: large, coding: "gzip", vary: true},
		"JSON with zstd":       {accept: "gzip, zstd", kind: "application/json", body: large, coding: "zstd", vary: true},
		"a page":               {accept: "gzip", kind: "text/html; charset=utf-8", body: large, coding: "gzip", vary: true},
		"a weak tag":           {accept: "gzip", kind: "application/json", body: large, tag: `W/"1"`, coding: "gzip", vary: true},
		"a strong tag":         {accept: "gzip", kind: "application/json", body: large, tag: `"1"`},
		"a small body":         {accept: "gzip", kind: "application/json", body: small, vary: true},
		"not accepted":         {kind: "application/json", body: large, vary: true},
		"a file of a user":     {accept: "gzip", kind: "application/octet-stream", body: large},
		"a text without limit": {accept: "gzip", kind: "text/plain", body: large},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := answerWith(t, test.accept, func(c echo.Context) error {
				if test.tag != "" {
					c.Response().Header().Set("ETag", test.tag)
				}
				c.Response().Header().Set("Content-Type", test.kind)
				c.Response().WriteHeader(http.StatusOK)
				for part := range strings.SplitAfterSeq(test.body, " ") { // a body comes in parts
					if _, err := io.WriteString(c.Response(), part); err != nil {
						return err
					}
				}
				return nil
			})
			defer res.Body.Close()
			if got := res.Header.Get("Content-Encoding"); got != test.coding {
				t.Errorf("the coding is %q, want %q", got, test.coding)
			}
			if got := res.Header.Get("Vary") == "Accept-Encoding"; got != test.vary {
				t.Errorf("Vary is %q", res.Header.Get("Vary"))
			}
			if got := decoded(t, res); got != test.body {
				t.Errorf("%d bytes came, want %d", len(got), len(test.body))
			}
		})
	}
}

func TestAStreamIsNotHeldBack(t *testing.T) {
	t.Parallel()
	res := answerWith(t, "gzip", func(c echo.Context) error {
		c.Response().Header().Set("Content-Type", "application/json")
		c.Response().WriteHeader(http.StatusOK)
		if _, err := io.WriteString(c.Response(), "[1,"); err != nil {
			return err
		}
		c.Response().Flush()
		if rec, ok := c.Response().Writer.(*compressWriter).ResponseWriter.(*httptest.ResponseRecorder); !ok || rec.Body.String() != "[1," {
			t.Error("the first part was held back")
		}
		_, err := io.WriteString(c.Response(), "2]")
		return err
	})
	defer res.Body.Close()
	if got := decoded(t, res); got != "[1,2]" {
		t.Error(got)
	}
}
