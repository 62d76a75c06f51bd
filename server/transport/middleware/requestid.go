package middleware

import (
	"encoding/base32"
	"math/rand/v2"
	"net/netip"
	"strings"
	"sync"
	"time"

	crand "crypto/rand"

	"svc/server/platform/reqctx"

	"github.com/labstack/echo/v4"
)

// Begin gives a request its id and its place in the context, and finds the address of the client. If the client sends
// an id of its own, as the runner does, the response contains that id. proxies returns the trusted proxies; nil means
// that there are none.
func Begin(baseURL string, proxies func() []netip.Prefix) echo.MiddlewareFunc {
	ids := newIDs()
	if proxies == nil {
		proxies = func() []netip.Prefix { return nil }
	}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			// A bare ; belongs to its value; net/url would drop the parameter, even if it is a token.
			r.URL.RawQuery = strings.ReplaceAll(r.URL.RawQuery, ";", "%3B")
			info := &reqctx.Info{
				Start: time.Now(), BaseURL: baseURL, Method: r.Method, URL: r.URL, Header: r.Header,
				IP: clientIP(r.RemoteAddr, r.Header, proxies()), Peer: clientIP(r.RemoteAddr, r.Header, nil),
			}
			if info.ID = r.Header.Get(echo.HeaderXRequestID); !goodID(info.ID) {
				info.ID = ids.next()
			}
			c.Response().Header().Set(echo.HeaderXRequestID, info.ID)
			c.SetRequest(r.WithContext(reqctx.With(r.Context(), info)))
			return next(c)
		}
	}
}

func info(c echo.Context) *reqctx.Info { return reqctx.Of(c.Request().Context()) }

func goodID(id string) bool {
	if len(id) == 0 || len(id) > 128 {
		return false
	}
	for _, r := range id {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.') {
			return false
		}
	}
	return true
}

// ids creates request ids: unique and unguessable, without a system call for each.
type ids struct {
	mu  sync.Mutex
	rng *rand.ChaCha8
}

func newIDs() *ids {
	var seed [32]byte
	crand.Read(seed[:]) // never fails
	return &ids{rng: rand.NewChaCha8(seed)}
}

var idEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

func (i *ids) next() string {
	var b [16]byte
	i.mu.Lock()
	i.rng.Read(b[:]) //nolint:errcheck // never fails
	i.mu.Unlock()
	return idEncoding.EncodeToString(b[:])
}

// clientIP returns the address of the client. If the connection comes from a trusted proxy, it is the nearest address
// in X-Forwarded-For that is not a trusted proxy.
func clientIP(remote string, header map[string][]string, proxies []netip.Prefix) netip.Addr {
	addr, err := netip.ParseAddrPort(remote)
	ip := addr.Addr().Unmap()
	if err != nil || !contains(proxies, ip) {
		return ip
	}
	hops := strings.Split(strings.Join(header["X-Forwarded-For"], ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		ip = hop.Unmap()
		if !contains(proxies, ip) {
			break
		}
	}
	return ip
}

func contains(prefixes []netip.Prefix, ip netip.Addr) bool {
	for _, p := range prefixes {
		if p.Contains(ip) {
			return true
		}
	}
	return false
}
