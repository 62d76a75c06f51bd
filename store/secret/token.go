// Package secret is how secrets are made, kept and compared: tokens by their digest, passwords by a slow hash.
package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
)

// TokenPrefix begins every personal access token that we make, so that scanners recognise a leaked one.
const TokenPrefix = "svcpat-"

// NewToken makes an access token of 256 random bits.
func NewToken() string { return TokenPrefix + Random() }

// DeployTokenPrefix begins every deploy token that we make.
const DeployTokenPrefix = "svcdt-"

// NewDeployToken makes a deploy token of 256 random bits.
func NewDeployToken() string { return DeployTokenPrefix + Random() }

// ClientSecretPrefix begins the secret of every application that we make.
const ClientSecretPrefix = "svcoas-"

// NewClientSecret makes the secret of an application, of 256 random bits.
func NewClientSecret() string { return ClientSecretPrefix + Random() }

// Random is 256 random bits as text that needs no escaping anywhere.
func Random() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// The official program knows by the beginning of its token whether somebody made the runner here, or the program itself with a
// registration token: how it registers, and whether the runner goes with it when it takes leave.
const (
	RunnerTokenPrefix           = "glrt-"
	RegisteredRunnerTokenPrefix = "glrtr-"
)

// NewRunnerToken makes the token of a runner, of 256 random bits.
func NewRunnerToken() string { return RunnerTokenPrefix + Random() }

// NewRegisteredRunnerToken makes the token of a runner that registers itself.
func NewRegisteredRunnerToken() string { return RegisteredRunnerTokenPrefix + Random() }

// JobTokenPrefix begins the token of every job, so that runners mask it in logs wherever it comes from.
const JobTokenPrefix = "glcbt-"

// NewJobToken makes the token of a job, of 256 random bits.
func NewJobToken() string { return JobTokenPrefix + Random() }

// RegistrationTokenPrefix begins every token that registers runners in the old way.
const RegistrationTokenPrefix = "GR1348941"

// NewRegistrationToken makes a token that registers runners in the old way, of 256 random bits.
func NewRegistrationToken() string { return RegistrationTokenPrefix + Random() }

// Text is a digest for a column of text.
func Text(token string) string { return hex.EncodeToString(Digest(token)) }

// Digest is what is stored of a token. Tokens have enough randomness of their own to need no salt and no slow hash.
func Digest(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// Equal compares two digests without telling by its time where they differ.
func Equal(a, b []byte) bool { return subtle.ConstantTimeCompare(a, b) == 1 }

// TriggerTokenPrefix begins every token that runs pipelines.
const TriggerTokenPrefix = "svcptt-"

// NewTriggerToken makes a token that runs pipelines, of 256 random bits.
func NewTriggerToken() string { return TriggerTokenPrefix + Random() }
