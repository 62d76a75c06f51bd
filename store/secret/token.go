// Package secret creates, stores and compares secrets: tokens by their digest, passwords by a slow hash.
//
//	token.go     tokens and their digests
//	password.go  password hashes
//	gate.go      limits how many passwords are hashed at once
//	aside.go     hashes passwords in other processes
//	nice_linux.go, nice_other.go  lower the priority of these processes
//	totp.go      one-time codes and recovery codes
//	vault.go     encrypts secrets that must be read again
//	purposes.go  what secrets in the database are encrypted for
package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
)

// TokenPrefix begins every personal access token, so that scanners recognise a leaked one.
const TokenPrefix = "svcpat-"

// NewToken returns a new access token of 256 random bits.
func NewToken() string { return TokenPrefix + Random() }

// DeployTokenPrefix begins every deploy token.
const DeployTokenPrefix = "svcdt-"

// NewDeployToken returns a new deploy token of 256 random bits.
func NewDeployToken() string { return DeployTokenPrefix + Random() }

// AgentTokenPrefix begins every token of a cluster agent.
const AgentTokenPrefix = "svcagent-"

// NewAgentToken returns a new token of a cluster agent, of 256 random bits.
func NewAgentToken() string { return AgentTokenPrefix + Random() }

// ClientSecretPrefix begins the secret of every OAuth application.
const ClientSecretPrefix = "svcoas-"

// NewClientSecret returns a new secret of an application, of 256 random bits.
func NewClientSecret() string { return ClientSecretPrefix + Random() }

// Random returns 256 random bits as text that needs no escaping anywhere.
func Random() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// The official runner program decides by the prefix of its token whether a user created the runner here, or whether it
// registered itself with a registration token. The prefix determines how it registers, and whether unregistering
// deletes the runner.
const (
	RunnerTokenPrefix           = "glrt-"
	RegisteredRunnerTokenPrefix = "glrtr-"
)

// NewRunnerToken returns a new runner token of 256 random bits.
func NewRunnerToken() string { return RunnerTokenPrefix + Random() }

// NewRegisteredRunnerToken returns a new token of a runner that registers itself.
func NewRegisteredRunnerToken() string { return RegisteredRunnerTokenPrefix + Random() }

// JobTokenPrefix begins every job token, so that runners mask it in logs wherever it comes from.
const JobTokenPrefix = "glcbt-"

// NewJobToken returns a new job token of 256 random bits.
func NewJobToken() string { return JobTokenPrefix + Random() }

// RegistrationTokenPrefix begins every token for the old way to register runners.
const RegistrationTokenPrefix = "GR1348941"

// NewRegistrationToken returns a new token for the old way to register runners, of 256 random bits.
func NewRegistrationToken() string { return RegistrationTokenPrefix + Random() }

// DigestText returns the digest of a token in hexadecimal, for a text column.
func DigestText(token string) string { return hex.EncodeToString(Digest(token)) }

// Digest returns the SHA-256 of a token, which is stored instead of the token. Tokens are random enough to need no salt
// and no slow hash.
func Digest(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// Equal compares two digests in constant time.
func Equal(a, b []byte) bool { return subtle.ConstantTimeCompare(a, b) == 1 }

// TriggerTokenPrefix begins every trigger token.
const TriggerTokenPrefix = "svcptt-"

// NewTriggerToken returns a new trigger token of 256 random bits.
func NewTriggerToken() string { return TriggerTokenPrefix + Random() }
