package outbound

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// Allowlist holds the hosts and ranges that an administrator has opened for requests.
type Allowlist struct {
	hosts     map[string]bool // host, or host:port
	addresses map[netip.AddrPort]bool
	ranges    []netip.Prefix
}

// ParseAllowlist reads entries: hosts and addresses, each with or without a port, and ranges such as 10.0.0.0/8.
func ParseAllowlist(entries []string) (Allowlist, error) {
	list := Allowlist{hosts: map[string]bool{}, addresses: map[netip.AddrPort]bool{}}
	for _, entry := range entries {
		if err := list.add(strings.ToLower(strings.TrimSpace(entry))); err != nil {
			return list, err
		}
	}
	return list, nil
}

func (l *Allowlist) add(entry string) error {
	if p, err := netip.ParsePrefix(entry); err == nil {
		l.ranges = append(l.ranges, p.Masked())
		return nil
	}
	if a, err := netip.ParseAddr(strings.Trim(entry, "[]")); err == nil {
		l.ranges = append(l.ranges, netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()))
		return nil
	}
	if a, err := netip.ParseAddrPort(entry); err == nil {
		l.addresses[netip.AddrPortFrom(a.Addr().Unmap(), a.Port())] = true
		return nil
	}
	host := entry
	if name, port, err := net.SplitHostPort(entry); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return fmt.Errorf("%q has no port from 1 to 65535", entry)
		}
		host = name
	}
	if host == "" || len(host) > 255 || strings.ContainsAny(host, "/*:@ ") || !validHost(host) {
		return fmt.Errorf("%q is not a host, an address or a range like 10.0.0.0/8", entry)
	}
	l.hosts[entry] = true
	return nil
}

// host reports whether the list names a host, given with its port.
func (l Allowlist) host(hostPort string) bool {
	if len(l.hosts) == 0 {
		return false
	}
	host, _, err := net.SplitHostPort(hostPort)
	return err == nil && (l.hosts[host] || l.hosts[hostPort])
}

// address reports whether the list contains an address.
func (l Allowlist) address(a netip.AddrPort) bool {
	return l.addresses[a] || within(l.ranges, a.Addr())
}
