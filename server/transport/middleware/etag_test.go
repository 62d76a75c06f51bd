package middleware

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"svc/server/platform/apierr"

	"github.com/labstack/echo/v4"
)

func TestTagsAreComparedWeakly(t *testing.T) {
	t.Parallel()
	const tag = `W/"abc"`
	for header, want := range map[string]bool{
		``: false, `W/"abc"`: true, `"abc"`: true, `*`: true, `W/"other"`: false, `abc`: false,
		`"other", W/"abc"`: true, `"other" ,"more"`: false, `W/"abcd"`: false, `W/"ab`: false, `w/"abc"`: false,
	} {
		if got := matches(header, tag); got != want {
			t.Errorf("%s matches %s: %v, want %v", header, tag, got, want)
		}
	}
}

// pages serves responses of every kind through ETag.
func pages(t testing.TB) *echo.Echo {
	e := server(t, ETag)
	e.Match([]string{"GET", "HEAD", "POST"}, "/json", func(c echo.Context) error { return c.JSON(http.StatusOK, map[string]int{"a": 1}) })
	e.GET("/text", func(c echo.Context) error { return c.String(http.StatusOK, "text") })
	e.GET("/created", func(c echo.Context) error { return c.JSON(http.StatusCreated, 1) })
	e.GET("/own", func(c echo.Context) error {
		c.Response().Header().Set("ETag", `"ours"`)
		return c.JSON(http.StatusOK, 1)
	})
	e.GET("/error", func(echo.Context) error { return apierr.NotFound("Job") })
	e.GET("/large", func(c echo.Context) error { return c.JSONBlob(http.StatusOK, []byte(strings.Repeat(" ", maxTagged+1))) })
	e.GET("/stream", func(c echo.Context) error {
		c.Response().Header().Set("Content-Type", "application/json")
		c.Response().WriteHeader(http.StatusOK)
		c.Response().Write([]byte("[1,")) //nolint:errcheck // a recorder
		c.Response().Flush()
		c.Response().Write([]byte("2]")) //nolint:errcheck // a recorder
		return nil
	})
	return e
}

func TestAJSONReadHasATagAndIsNotSentTwice(t *testing.T) {
	t.Parallel()
	e := pages(t)
	first := ask(e, "GET", "/json", "")
	wantAnswer(t, first, 200, `{"a":1}`)
	tag := first.Header().Get("ETag")
	if !strings.HasPrefix(tag, `W/"`) ||
		first.Header().Get("Cache-Control") != "max-age=0, private, must-revalidate" ||
		first.Header().Get("Content-Length") != "8" {
		t.Errorf("headers are %v", first.Header())
	}
	again := ask(e, "GET", "/json", "", "If-None-Match", tag)
	wantAnswer(t, again, 304, "")
	if again.Header().Get("ETag") != tag || again.Header().Get("Content-Type") != "" || again.Header().Get("Content-Length") != "" {
		t.Errorf("headers of 304 are %v", again.Header())
	}
	wantAnswer(t, ask(e, "GET", "/json", "", "If-None-Match", `W/"other"`), 200, `{"a":1}`)
	if got := ask(e, "HEAD", "/json", "").Header().Get("ETag"); got != tag {
		t.Errorf("the tag of HEAD is %s, that of GET %s", got, tag)
	}
	if got := ask(e, "HEAD", "/json", "", "If-None-Match", tag).Code; got != 304 {
		t.Errorf("HEAD is answered %d", got)
	}
}

func TestWhatIsNotAJSONReadIsLeftAlone(t *testing.T) {
	t.Parallel()
	e := pages(t)
	cases := []struct {
		name, method, path string
		status             int
		body, tag          string
	}{
		{"a write", "POST", "/json", 200, `{"a":1}`, ""},
		{"a text", "GET", "/text", 200, "text", ""},
		{"another status", "GET", "/created", 201, "1", ""},
		{"a tag of its own", "GET", "/own", 200, "1", `"ours"`},
		{"an error", "GET", "/error", 404, `{"message":"404 Job Not Found"}`, ""},
		{"no route", "GET", "/nowhere", 404, `{"error":"404 Not Found"}`, ""},
		{"a large answer", "GET", "/large", 200, strings.Repeat(" ", maxTagged+1), ""},
		{"a stream", "GET", "/stream", 200, "[1,2]", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rec := ask(e, c.method, c.path, "", "If-None-Match", "*")
			if rec.Code != c.status || strings.TrimSuffix(rec.Body.String(), "\n") != c.body {
				t.Errorf("answer is %d with %d bytes, want %d with %d", rec.Code, rec.Body.Len(), c.status, len(c.body))
			}
			if got := rec.Header().Get("ETag"); got != c.tag {
				t.Errorf("tag is %q, want %q", got, c.tag)
			}
		})
	}
}

func TestOneAnswerNeverLeaksIntoTheNext(t *testing.T) {
	t.Parallel()
	e := pages(t)
	e.GET("/broken", func(c echo.Context) error {
		c.Response().Header().Set("Content-Type", "application/json")
		c.Response().WriteHeader(http.StatusOK)
		c.Response().Write([]byte(`{"secret":`)) //nolint:errcheck // a recorder
		return errors.New("broken off")
	})
	for range 20 {
		ask(e, "GET", "/broken", "")
		wantAnswer(t, ask(e, "GET", "/json", ""), 200, `{"a":1}`)
	}
}
