package outbound

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// BlockedError says why the rules do not allow a URL.
type BlockedError struct {
	Reason  string
	Address bool // the address is refused, so the allowlist could open it
}

// Error returns the reason.
func (e *BlockedError) Error() string { return "URL is blocked: " + e.Reason }

const maxHost = 1024

var (
	errScheme     = &BlockedError{Reason: "Only allowed schemes are http, https"}
	errUnresolved = &BlockedError{Reason: "Host cannot be resolved or invalid"}
)

// rules decide which hosts and addresses a request may go to.
type rules struct {
	allow    *atomic.Pointer[Allowlist] // it may change while the service runs
	own      string                     // host and port of this service
	resolver Resolver
	self     *ownAddresses
	captured bool // Options.Around gets the requests, to whatever host
}

func newRules(o Options) rules {
	r := rules{allow: &atomic.Pointer[Allowlist]{}, resolver: o.Resolver, self: &ownAddresses{}, captured: o.Around != nil}
	r.SetAllowlist(o.Allow)
	if r.resolver == nil {
		r.resolver = net.DefaultResolver
	}
	if u, err := url.Parse(o.OwnURL); err == nil && u.Host != "" {
		r.own = hostPort(u)
	}
	return r
}

// SetAllowlist replaces the hosts and ranges that are always allowed. Open connections stay.
func (r rules) SetAllowlist(allow Allowlist) { r.allow.Store(&allow) }

// Check reports whether a request to a URL would be allowed. The host is looked up now, and again for each connection.
// A host that is on the allowlist by its name is not looked up. local allows loopback and private addresses.
func (r rules) Check(ctx context.Context, raw string, local bool) error {
	u, err := Parse(raw)
	if err != nil {
		return err
	}
	address := hostPort(u)
	if r.captured || address == r.own || r.allow.Load().host(address) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout/2)
	defer cancel()
	_, err = r.resolve(ctx, address, local)
	return err
}

// Parse reads a URL and checks what can be checked without a lookup.
func Parse(raw string) (*url.URL, error) {
	if strings.ContainsAny(raw, "\r\n\t ") {
		return nil, errUnresolved
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, errUnresolved
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, errScheme
	}
	host := u.Hostname()
	if host == "" || len(host) > maxHost || !validHost(host) || !validPort(u.Port()) {
		return nil, errUnresolved
	}
	return u, nil
}

// validHost reports whether a host is an address or begins with a letter or a digit.
func validHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	first := host[0]
	return first >= '0' && first <= '9' || first >= 'a' && first <= 'z' || first >= 'A' && first <= 'Z'
}

func validPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}

// hostPort returns the host and the port of a URL, in lower case.
func hostPort(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// resolve looks up a host and returns its addresses, if the rules allow them all.
func (r rules) resolve(ctx context.Context, address string, local bool) ([]netip.AddrPort, error) {
	host, portText, err := net.SplitHostPort(address)
	if err != nil {
		return nil, errUnresolved
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return nil, errUnresolved
	}
	found, err := r.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	open := r.allow.Load().host(address) || address == r.own
	addresses := make([]netip.AddrPort, len(found))
	for i, a := range found {
		addresses[i] = netip.AddrPortFrom(a.Unmap(), uint16(port))
		if open || r.allow.Load().address(addresses[i]) {
			continue
		}
		if reason := r.refuses(addresses[i].Addr(), local); reason != "" {
			return nil, &BlockedError{Reason: "Requests to " + reason + " are not allowed", Address: true}
		}
	}
	return addresses, nil
}

func (r rules) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Zone() != "" {
			return nil, errUnresolved
		}
		return []netip.Addr{a}, nil
	}
	found, err := r.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil || len(found) == 0 {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("look up the host: %w", ctx.Err())
		}
		return nil, errUnresolved
	}
	return found, nil
}

var (
	linkLocal = prefixes("169.254.0.0/16", "fe80::/10")
	private   = prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10")
	shared    = prefixes("100.64.0.0/10")
	// reserved are ranges that no receiver has: this network, protocol assignments, multicast, future use.
	reserved = prefixes("0.0.0.0/8", "192.0.0.0/24", "224.0.0.0/4", "240.0.0.0/4", "ff00::/8")
	// embedding are ranges of IPv6 addresses that contain an IPv4 address, by the number of bytes before it.
	embedding = map[netip.Prefix]int{
		netip.MustParsePrefix("64:ff9b::/96"): 12, netip.MustParsePrefix("2002::/16"): 2, netip.MustParsePrefix("::/96"): 12,
	}
	broadcast = netip.AddrFrom4([4]byte{255, 255, 255, 255})
)

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}

func within(ranges []netip.Prefix, a netip.Addr) bool {
	for _, p := range ranges {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// refuses returns the kind of an address that must not be reached, or "". Link-local addresses, under which clouds serve
// the secrets of a machine, are refused even if local ones are allowed.
func (r rules) refuses(a netip.Addr, local bool) string {
	for p, at := range embedding {
		if p.Contains(a) && !a.IsUnspecified() && !a.IsLoopback() {
			bytes := a.As16()
			return r.refuses(netip.AddrFrom4([4]byte(bytes[at:at+4])), local)
		}
	}
	switch {
	case within(linkLocal, a):
		return "the link local network"
	case a == broadcast:
		return "the limited broadcast address"
	case local && !within(reserved, a):
		return ""
	case a.IsUnspecified(), r.self.has(a):
		return "localhost"
	case a.IsLoopback():
		return "loopback addresses"
	case within(private, a), within(reserved, a):
		return "the local network"
	case within(shared, a):
		return "the shared address space"
	}
	return ""
}

// ownAddresses knows the addresses of the interfaces of this machine. They rarely change, so it reads them once a minute.
type ownAddresses struct {
	mu   sync.Mutex
	read time.Time
	list map[netip.Addr]bool
}

func (o *ownAddresses) has(a netip.Addr) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if time.Since(o.read) > time.Minute {
		o.list, o.read = map[netip.Addr]bool{}, time.Now()
		found, err := net.InterfaceAddrs()
		if err != nil {
			return false // the ranges of private addresses are still refused
		}
		for _, one := range found {
			if p, err := netip.ParsePrefix(one.String()); err == nil {
				o.list[p.Addr().Unmap()] = true
			}
		}
	}
	return o.list[a]
}
