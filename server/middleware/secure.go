package middleware

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
)

// Secure sets the headers that every answer has.
func Secure(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "SAMEORIGIN")
		h.Set("Vary", "Origin")
		start := info(c).Start
		c.Response().Before(func() {
			h.Set("X-Runtime", strconv.FormatFloat(time.Since(start).Seconds(), 'f', 6, 64))
			if h.Get("Cache-Control") == "" {
				h.Set("Cache-Control", "no-cache")
			}
		})
		return next(c)
	}
}
