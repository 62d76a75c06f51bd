package listen

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

const (
	maxLine     = 107      // bytes of a header of version 1, with its end
	maxBinary   = 4 << 10  // bytes of a header of version 2 after its fixed part
	fixedBinary = 16       // bytes of the fixed part
	probe       = 12       // bytes that tell the versions apart; no header is shorter
	lineStart   = "PROXY " // of version 1
)

// signature begins a header of version 2.
var signature = []byte("\r\n\r\n\x00\r\nQUIT\n")

var errHeader = errors.New("the connection does not begin with a valid header of the PROXY protocol")

// readHeader reads the header of the PROXY protocol and nothing after it. It returns the address of the client, or nil if
// the header has none: the proxy itself is the client then.
func readHeader(r io.ByteReader) (net.Addr, error) {
	begin, err := readBytes(r, probe)
	switch {
	case err != nil:
		return nil, err
	case bytes.Equal(begin, signature):
		return readBinary(r)
	case string(begin[:len(lineStart)]) == lineStart:
		return readLine(r, begin)
	}
	return nil, errHeader
}

func readBytes(r io.ByteReader, count int) ([]byte, error) {
	data := make([]byte, 0, count)
	for range count {
		b, err := r.ReadByte()
		if err != nil {
			return nil, err
		}
		data = append(data, b)
	}
	return data, nil
}

// readLine reads the rest of a header of version 1: one line such as "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443".
func readLine(r io.ByteReader, line []byte) (net.Addr, error) {
	for !bytes.HasSuffix(line, []byte("\n")) {
		if len(line) == maxLine {
			return nil, errHeader
		}
		b, err := r.ReadByte()
		if err != nil {
			return nil, err
		}
		line = append(line, b)
	}
	text, ok := strings.CutSuffix(string(line), "\r\n")
	if !ok {
		return nil, errHeader
	}
	words := strings.Split(text, " ")
	if words[1] == "UNKNOWN" {
		return nil, nil
	}
	if len(words) != 6 || words[1] != "TCP4" && words[1] != "TCP6" {
		return nil, errHeader
	}
	from, err := endpoint(words[2], words[4], words[1] == "TCP4")
	if err != nil {
		return nil, err
	}
	if _, err := endpoint(words[3], words[5], words[1] == "TCP4"); err != nil {
		return nil, err
	}
	return from, nil
}

// endpoint reads an address and a port.
func endpoint(address, port string, four bool) (net.Addr, error) {
	addr, err := netip.ParseAddr(address)
	if err != nil || addr.Is4() != four || addr.Zone() != "" {
		return nil, errHeader
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, errHeader
	}
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(addr, uint16(number))), nil
}

// The values of a header of version 2 that this service knows.
const (
	commandLocal = 0x20 // the proxy itself is the client, for example for a health check
	commandProxy = 0x21
	unspecified  = 0x00
	overTCP4     = 0x11
	overTCP6     = 0x21
)

// readBinary reads the rest of a header of version 2. Extensions after the addresses are skipped.
func readBinary(r io.ByteReader) (net.Addr, error) {
	fixed, err := readBytes(r, fixedBinary-probe)
	if err != nil {
		return nil, err
	}
	command, family, size := fixed[0], fixed[1], int(binary.BigEndian.Uint16(fixed[2:]))
	if command != commandLocal && command != commandProxy || size > maxBinary {
		return nil, errHeader
	}
	rest, err := readBytes(r, size)
	if err != nil {
		return nil, err
	}
	switch {
	case command == commandLocal || family == unspecified:
		return nil, nil
	case family == overTCP4 && size >= 2*4+2*2:
		return tcpAddress(netip.AddrFrom4([4]byte(rest[:4])), rest[2*4:]), nil
	case family == overTCP6 && size >= 2*16+2*2:
		return tcpAddress(netip.AddrFrom16([16]byte(rest[:16])), rest[2*16:]), nil
	}
	return nil, errHeader
}

// tcpAddress returns an address with the port that ports begins with.
func tcpAddress(addr netip.Addr, ports []byte) net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(addr, binary.BigEndian.Uint16(ports)))
}
