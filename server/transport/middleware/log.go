package middleware

import (
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// Log writes one line per request, after its response. It lets the error writer respond first, so that it sees the
// status.
func Log(logger *slog.Logger) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := next(c); err != nil {
				c.Error(err)
			}
			r, res, req := c.Request(), c.Response(), info(c)
			ctx := r.Context()
			if !logger.Enabled(ctx, slog.LevelInfo) {
				return nil
			}
			attrs := make([]slog.Attr, 0, 11)
			attrs = append(attrs,
				slog.String("method", r.Method), slog.String("path", maskedURI(r.URL)), slog.Int("status", res.Status),
				slog.Int64("bytes", res.Size), slog.Duration("took", time.Since(req.Start)),
				slog.String("ip", req.IP.String()), slog.String("request_id", req.ID))
			if req.Operation != "" {
				attrs = append(attrs, slog.String("operation", req.Operation))
			}
			if a := req.Actor; a != nil {
				attrs = append(attrs, slog.String("user", a.User.Username))
				if a.Impersonated {
					attrs = append(attrs, slog.Int64("impersonation_token", a.TokenID))
				}
				if a.SudoBy != nil {
					attrs = append(attrs, slog.String("sudo_by", a.SudoBy.Username))
				}
			}
			// without looking up the calling function, which is always this one
			line := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0)
			line.AddAttrs(attrs...)
			_ = logger.Handler().Handle(ctx, line) // there is nowhere else to report it
			return nil
		}
	}
}

// secrets lists words in the names of query parameters whose values must never reach a log.
var secrets = []string{"token", "password", "secret"} // anywhere in the name

// secretNames lists whole names: an authorization code, the key and value of a variable, and the key of error reports.
var secretNames = []string{"code", "key", "value", "sentry_key"}

const maxLogged = 512

// maskedURI returns the path and query with secrets masked. It works on the raw text, so that malformed input is masked
// as well.
func maskedURI(u *url.URL) string {
	uri := u.EscapedPath()
	if u.RawQuery != "" {
		uri += "?" + maskQuery(u.RawQuery)
	}
	if len(uri) > maxLogged {
		uri = uri[:maxLogged] + "…"
	}
	return uri
}

func maskQuery(raw string) string {
	// Some programs treat ; as a separator, so a secret may hide in the value of another parameter.
	parts := strings.Split(strings.NewReplacer("%3B", "&", "%3b", "&", ";", "&").Replace(raw), "&")
	for i, part := range parts {
		name, _, _ := strings.Cut(part, "=")
		plain, err := url.QueryUnescape(name)
		if err != nil || isSecret(plain) {
			parts[i] = name + "=[MASKED]"
		}
	}
	return strings.Join(parts, "&")
}

func isSecret(name string) bool {
	name = strings.ToLower(name)
	for _, s := range secrets {
		if strings.Contains(name, s) {
			return true
		}
	}
	for _, s := range secretNames {
		if name == s || strings.HasSuffix(name, "["+s+"]") {
			return true
		}
	}
	return false
}
