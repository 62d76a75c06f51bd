package listen

import (
	"bufio"
	"encoding/binary"
	"io"
	"strings"
	"testing"
)

// binaryHeader returns a header of version 2.
func binaryHeader(command, family byte, rest string) string {
	fixed := append(append([]byte{}, signature...), command, family)
	return string(binary.BigEndian.AppendUint16(fixed, uint16(len(rest)))) + rest
}

const (
	fourAddresses = "\xc0\x00\x02\x01\xc0\x00\x02\x02\xdc\x04\x01\xbb" // 192.0.2.1:56324 to 192.0.2.2:443
	sixAddresses  = "\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01" +
		"\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\xdc\x04\x01\xbb"
)

func TestAHeaderTellsTheAddressOfTheClient(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ header, want string }{
		"version 1, IPv4":          {"PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n", "192.0.2.1:56324"},
		"version 1, IPv6":          {"PROXY TCP6 2001:db8::1 2001:db8::2 56324 443\r\n", "[2001:db8::1]:56324"},
		"version 1, unknown":       {"PROXY UNKNOWN\r\n", ""},
		"version 1, unknown, more": {"PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n", ""},
		"version 2, IPv4":          {binaryHeader(0x21, 0x11, fourAddresses), "192.0.2.1:56324"},
		"version 2, IPv6":          {binaryHeader(0x21, 0x21, sixAddresses), "[2001:db8::1]:56324"},
		"version 2, extensions":    {binaryHeader(0x21, 0x11, fourAddresses+"\x04\x00\x01x"), "192.0.2.1:56324"},
		"version 2, local":         {binaryHeader(0x20, 0x00, ""), ""},
		"version 2, local, more":   {binaryHeader(0x20, 0x11, fourAddresses), ""},
		"version 2, unspecified":   {binaryHeader(0x21, 0x00, ""), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reader := bufio.NewReader(strings.NewReader(c.header + "GET / HTTP/1.1\r\n"))
			from, err := readHeader(reader)
			got := ""
			if from != nil {
				got = from.String()
			}
			rest, _ := io.ReadAll(reader)
			if err != nil || got != c.want || string(rest) != "GET / HTTP/1.1\r\n" {
				t.Errorf("%q %v, then %q", got, err, rest)
			}
		})
	}
}

func TestHostileHeadersAreRefused(t *testing.T) {
	t.Parallel()
	for name, header := range map[string]string{
		"nothing":                  "",
		"another protocol":         "GET / HTTP/1.1\r\nHost: svc\r\n\r\n",
		"SSH":                      "SSH-2.0-OpenSSH_9.9\r\n",
		"cut short":                "PROXY TCP4 192.0.2.1",
		"without an end":           "PROXY TCP4 " + strings.Repeat("1", 200),
		"long, unknown":            "PROXY UNKNOWN " + strings.Repeat("x", 200) + "\r\n",
		"a bare line feed":         "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\n",
		"two spaces":               "PROXY TCP4  192.0.2.1 192.0.2.2 56324 443\r\n",
		"too few words":            "PROXY TCP4 192.0.2.1 192.0.2.2 56324\r\n",
		"too many words":           "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443 x\r\n",
		"small letters":            "proxy TCP4 192.0.2.1 192.0.2.2 56324 443\r\n",
		"another protocol family":  "PROXY UDP4 192.0.2.1 192.0.2.2 56324 443\r\n",
		"IPv6 as IPv4":             "PROXY TCP4 2001:db8::1 2001:db8::2 56324 443\r\n",
		"IPv4 as IPv6":             "PROXY TCP6 192.0.2.1 192.0.2.2 56324 443\r\n",
		"a zone":                   "PROXY TCP6 fe80::1%eth0 fe80::2 56324 443\r\n",
		"a name":                   "PROXY TCP4 localhost 192.0.2.2 56324 443\r\n",
		"leading zeros":            "PROXY TCP4 192.0.02.1 192.0.2.2 56324 443\r\n",
		"a large port":             "PROXY TCP4 192.0.2.1 192.0.2.2 65536 443\r\n",
		"a port with a sign":       "PROXY TCP4 192.0.2.1 192.0.2.2 +1 443\r\n",
		"a wrong destination":      "PROXY TCP4 192.0.2.1 x 1 443\r\n",
		"version 2, cut short":     binaryHeader(0x21, 0x11, fourAddresses)[:20],
		"version 2, too little":    binaryHeader(0x21, 0x11, fourAddresses[:8]),
		"version 2, IPv6 too long": binaryHeader(0x21, 0x21, sixAddresses[:30]),
		"version 2, too long":      binaryHeader(0x21, 0x11, strings.Repeat("x", maxBinary+1)),
		"version 3":                binaryHeader(0x31, 0x11, fourAddresses),
		"version 2, no command":    binaryHeader(0x22, 0x11, fourAddresses),
		"version 2, UDP":           binaryHeader(0x21, 0x12, fourAddresses),
		"version 2, UNIX":          binaryHeader(0x21, 0x31, strings.Repeat("x", 216)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if from, err := readHeader(bufio.NewReader(strings.NewReader(header))); err == nil {
				t.Errorf("accepted as %v", from)
			}
		})
	}
}

func FuzzHeader(f *testing.F) {
	f.Add("PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n")
	f.Add(binaryHeader(0x21, 0x21, sixAddresses))
	f.Fuzz(func(t *testing.T, header string) {
		reader := strings.NewReader(header)
		from, err := readHeader(reader)
		if read := len(header) - reader.Len(); read > fixedBinary+maxBinary || err != nil && from != nil {
			t.Errorf("%d bytes, %v, %v", read, from, err)
		}
	})
}
