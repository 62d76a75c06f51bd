package middleware

import "github.com/labstack/echo/v4"

// Chain joins steps into one. Echo builds the chain of handlers anew for each request; this one is built once and ends
// at the handler that the router found.
func Chain(steps ...echo.MiddlewareFunc) echo.MiddlewareFunc {
	way := Wrap(func(c echo.Context) error { return c.Handler()(c) }, steps...)
	return func(echo.HandlerFunc) echo.HandlerFunc { return way }
}

// Wrap puts steps before a handler, the first one outermost.
func Wrap(h echo.HandlerFunc, steps ...echo.MiddlewareFunc) echo.HandlerFunc {
	for i := len(steps) - 1; i >= 0; i-- {
		h = steps[i](h)
	}
	return h
}
