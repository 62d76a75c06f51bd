package secret

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
)

const (
	totpPeriod = 30 // seconds
	totpSkew   = 1  // how many steps a clock may be off, RFC 6238 §5.2
	totpSize   = 20 // bytes, as many as the hash has
)

var base32Text = base32.StdEncoding.WithPadding(base32.NoPadding)

// NewTOTP returns a new secret to share with an authenticator app.
func NewTOTP() []byte {
	key := make([]byte, totpSize)
	rand.Read(key) // never fails
	return key
}

// TOTPText formats a secret for authenticator apps.
func TOTPText(key []byte) string { return base32Text.EncodeToString(key) }

// ParseTOTP parses a secret that TOTPText has formatted. It ignores spaces and case: apps show it in groups, and people
// type small letters.
func ParseTOTP(text string) ([]byte, error) {
	key, err := base32Text.DecodeString(strings.ToUpper(strings.ReplaceAll(text, " ", "")))
	if err != nil || len(key) != totpSize {
		return nil, fmt.Errorf("the secret is not %d bytes in base32", totpSize)
	}
	return key, nil
}

var totpOptions = hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1} // what authenticator apps compute

// TOTPCode returns the code that an app shows at a time.
func TOTPCode(key []byte, at time.Time) string { return totpCode(key, at.Unix()/totpPeriod) }

// MatchTOTP returns the step for which a code is valid: the current one or its neighbours, but only after the last used
// step, because a code is valid once (RFC 6238 §5.2).
func MatchTOTP(key []byte, code string, at time.Time, used int64) (step int64, ok bool) {
	now := at.Unix() / totpPeriod
	for s := now - totpSkew; s <= now+totpSkew; s++ {
		same := subtle.ConstantTimeCompare([]byte(totpCode(key, s)), []byte(code)) == 1
		if same && s > used && !ok {
			step, ok = s, true
		}
	}
	return step, ok
}

// totpCode returns the code of a step.
func totpCode(key []byte, step int64) string {
	code, err := hotp.GenerateCodeCustom(TOTPText(key), uint64(step), totpOptions)
	if err != nil {
		panic(err) // only if the text were not base32
	}
	return code
}

const recoverySize = 10 // bytes: enough that nobody can guess a code from its digest

// NewRecoveryCode returns a new code that replaces a second factor once.
func NewRecoveryCode() string {
	key := make([]byte, recoverySize)
	rand.Read(key) // never fails
	text := strings.ToLower(base32Text.EncodeToString(key))
	return text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
}

// RecoveryDigest returns the digest of a recovery code, which is stored instead of the code. Dashes, spaces and case do
// not matter.
func RecoveryDigest(code string) []byte {
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(code))
	return Digest("recovery " + plain)
}
