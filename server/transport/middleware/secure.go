package middleware

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
)

// Header values that are the same in every response. They are shared, because nothing changes them in place.
var (
	nosniff    = []string{"nosniff"}
	sameOrigin = []string{"SAMEORIGIN"}
	vary       = []string{"Origin"}
	noCache    = []string{"no-cache"}
)

// Secure sets the headers of every response.
func Secure(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h["X-Content-Type-Options"] = nosniff
		h["X-Frame-Options"] = sameOrigin
		h["Vary"] = vary
		start := info(c).Start
		c.Response().Before(func() {
			h["X-Runtime"] = []string{seconds(time.Since(start))}
			if len(h["Cache-Control"]) == 0 {
				h["Cache-Control"] = noCache
			}
		})
		return next(c)
	}
}

// seconds formats a duration in seconds with six decimals.
func seconds(d time.Duration) string {
	text := make([]byte, 0, 16)
	text = strconv.AppendInt(text, int64(d/time.Second), 10)
	micros := int64(d % time.Second / time.Microsecond)
	text = append(text, '.')
	for unit := int64(100000); unit > 0; unit /= 10 {
		text = append(text, byte('0'+micros/unit%10))
	}
	return string(text)
}
