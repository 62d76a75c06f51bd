package keys

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/account"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// newSSH validates a new SSH key and returns its row. The error has all validation errors.
func newSSH(body gen.KeyCreate, now time.Time) (model.Key, error) {
	var expires *time.Time
	if end := body.ExpiresAt.Ptr(); end != nil && *end != "" {
		at, err := wire.ParseTime(*end)
		if err != nil {
			return model.Key{}, apierr.BadParameter("expires_at is invalid")
		}
		at = at.UTC()
		expires = &at
	}
	usage := model.KeyAuthAndSigning
	if body.UsageType != nil {
		usage = string(*body.UsageType)
	}
	row, broken := account.NewSSHKey(body.Title, body.Key, usage, expires, now)
	if len(broken) > 0 {
		return row, apierr.InvalidFields(broken)
	}
	return row, nil
}

// readFingerprint parses a SHA-256 or MD5 fingerprint into its stored form. Both results are empty if the text is
// neither.
func readFingerprint(text string) (sha256, md5 string) {
	if rest, ok := strings.CutPrefix(text, "SHA256:"); ok {
		rest = strings.TrimRight(strings.ReplaceAll(rest, " ", "+"), "=") // an unescaped + in a query is a space
		raw, err := base64.RawStdEncoding.DecodeString(rest)
		if err != nil || len(raw) != 32 {
			return "", ""
		}
		return base64.RawStdEncoding.EncodeToString(raw), ""
	}
	rest := strings.ToLower(strings.TrimPrefix(text, "MD5:"))
	raw, err := hex.DecodeString(strings.ReplaceAll(rest, ":", ""))
	if err != nil || len(raw) != 16 || strings.Count(rest, ":") != 15 {
		return "", ""
	}
	return "", rest
}
