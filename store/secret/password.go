package secret

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Argon2id with less memory and one more pass than RFC 9106 §4 recommends where memory is dear: its 64 MiB would let a
// burst of sign-ins exhaust a small machine.
const (
	argonTime    = 3
	argonMemory  = 19 * 1024 // KiB
	argonThreads = 1
	argonKey     = 32
	argonSalt    = 16
)

// hashing bounds how many hashes are computed at once: each takes a core and 19 MiB.
var hashing = make(chan struct{}, runtime.NumCPU())

// HashPassword returns the text to store for a password; it holds the salt and the cost.
func HashPassword(password string) string {
	salt := make([]byte, argonSalt)
	rand.Read(salt) // never fails
	key := derive(password, salt, argonTime, argonMemory, argonThreads)
	enc := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads, enc(salt), enc(key))
}

// CheckPassword tells whether the password is the one that was hashed.
func CheckPassword(hash, password string) bool {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false
	}
	var version int
	var memory, time uint32
	var threads uint8
	if _, err := fmt.Sscanf(parts[2], "v=%d", &version); err != nil || version != argon2.Version {
		return false
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads); err != nil {
		return false
	}
	// What we never write, argon2 may not survive.
	if time < 1 || time > 1000 || memory < 8 || memory > 4<<20 || threads < 1 {
		return false
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	key, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	if err1 != nil || err2 != nil {
		return false
	}
	return Equal(key, derive(password, salt, time, memory, threads))
}

func derive(password string, salt []byte, time, memory uint32, threads uint8) []byte {
	hashing <- struct{}{}
	defer func() { <-hashing }()
	return argon2.IDKey([]byte(password), salt, time, memory, threads, argonKey)
}
