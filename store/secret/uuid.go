package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
)

// UUID returns a random UUID of RFC 9562, version 4.
func UUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return formatUUID(b, 4)
}

// UUIDOf returns a UUID that follows from a name, of RFC 9562, version 8.
func UUIDOf(name string) string {
	sum := sha256.Sum256([]byte(name))
	return formatUUID([16]byte(sum[:16]), 8)
}

func formatUUID(b [16]byte, version byte) string {
	b[6], b[8] = b[6]&0x0f|version<<4, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
