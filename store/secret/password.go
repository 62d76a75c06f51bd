package secret

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// The cost of Argon2id is the one that OWASP recommends first for servers: the 64 MiB of RFC 9106 §4 would let a burst
// of sign-ins exhaust a small machine.
const (
	argonTime    = 2
	argonMemory  = 19 * 1024 // KiB
	argonThreads = 1
	argonKey     = 32
	argonSalt    = 16
)

// HashPassword returns the text to store for a password, which includes the salt and the cost. It waits for its turn.
// It fails with a *BusyError if too many hashes wait, or when the context ends.
func HashPassword(ctx context.Context, password string) (string, error) {
	salt := make([]byte, argonSalt)
	rand.Read(salt) // never fails
	return HashPasswordWithSalt(ctx, password, salt)
}

// HashPasswordWithSalt does the same with a given salt of at least 16 bytes, so that a repetition gives the same text. Use
// it only for passwords that are no secrets, such as those of test data.
func HashPasswordWithSalt(ctx context.Context, password string, salt []byte) (string, error) {
	salt = salt[:argonSalt]
	key, err := derive(ctx, password, salt, argonTime, argonMemory, argonThreads)
	if err != nil {
		return "", err
	}
	enc := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf(
		"$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads, enc(salt),
		enc(key),
	), nil
}

// CheckPassword reports whether the password is the one that was hashed. It waits and fails like HashPassword.
func CheckPassword(ctx context.Context, hash, password string) (bool, error) {
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, nil
	}
	var version int
	var memory, time uint32
	var threads uint8
	if _, err := fmt.Sscanf(parts[2], "v=%d", &version); err != nil || version != argon2.Version {
		return false, nil
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads); err != nil {
		return false, nil
	}
	// argon2 may not survive parameters that HashPassword never writes.
	if time < 1 || time > 1000 || memory < 8 || memory > 4<<20 || threads < 1 {
		return false, nil
	}
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	key, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	if err1 != nil || err2 != nil {
		return false, nil
	}
	found, err := derive(ctx, password, salt, time, memory, threads)
	return err == nil && Equal(key, found), err
}

// derive is the only place where passwords are hashed.
func derive(ctx context.Context, password string, salt []byte, time, memory uint32, threads uint8) ([]byte, error) {
	if err := ctx.Err(); err != nil { // nobody waits for the answer
		return nil, err
	}
	if err := hashing.enter(ctx); err != nil {
		return nil, err
	}
	defer hashing.leave()
	return compute(hashRequest{Password: []byte(password), Salt: salt, Time: time, Memory: memory, Threads: threads}), nil
}
