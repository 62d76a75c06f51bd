package keys

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// GetKeyByFingerprint finds an SSH key by its fingerprint.
// GET /keys
func (k *Keys) GetKeyByFingerprint(
	ctx context.Context, req gen.GetKeyByFingerprintRequestObject,
) (gen.GetKeyByFingerprintResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminKey); err != nil {
		return nil, err
	}
	sha256, md5 := readFingerprint(req.Params.Fingerprint)
	var row model.Key
	var owner model.User
	var err error
	switch {
	case sha256 != "":
		row, owner, err = k.store.Keys.GetBySHA256(ctx, sha256)
	case md5 != "":
		row, owner, err = k.store.Keys.GetByMD5(ctx, md5)
	default:
		err = apierr.BadParameter("fingerprint is invalid")
	}
	return gen.GetKeyByFingerprint200JSONResponse(k.show.KeyWithUser(row, owner)), err
}

// GetKey returns an SSH key and its owner.
// GET /keys/{id}
func (k *Keys) GetKey(ctx context.Context, req gen.GetKeyRequestObject) (gen.GetKeyResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminKey); err != nil {
		return nil, err
	}
	row, owner, err := k.store.Keys.GetWithUser(ctx, req.ID)
	return gen.GetKey200JSONResponse(k.show.KeyWithUser(row, owner)), err
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
