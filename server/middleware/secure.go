package middleware

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
)

// The values of headers that are the same in every answer; shared, because nothing changes them in place.
var (
	nosniff    = []string{"nosniff"}
	sameOrigin = []string{"SAMEORIGIN"}
	vary       = []string{"Origin"}
	noCache    = []string{"no-cache"}
)

// Secure sets the headers that every answer has.
func Secure(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h["X-Content-Type-Options"] = nosniff
		h["X-Frame-Options"] = sameOrigin
		h["Vary"] = vary
		start := info(c).Start
		c.Response().Before(func() {
			h.Set("X-Runtime", strconv.FormatFloat(time.Since(start).Seconds(), 'f', 6, 64))
			if h.Get("Cache-Control") == "" {
				h["Cache-Control"] = noCache
			}
		})
		return next(c)
	}
}
