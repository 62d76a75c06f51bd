package blob

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"regexp"
	"strings"
)

var authorization = regexp.MustCompile(
	`^AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$`,
)

// isSigned reports whether a request has a valid AWS Signature Version 4. It is written without the library that the
// program uses, so that the tests check the library.
func isSigned(r *http.Request, body []byte, id, secret string) bool {
	parts := authorization.FindStringSubmatch(r.Header.Get("Authorization"))
	if parts == nil || parts[1] != id || r.Header.Get("X-Amz-Content-Sha256") != hexSum(body) {
		return false
	}
	day, region, names := parts[2], parts[3], parts[4]
	var headers strings.Builder
	for _, name := range strings.Split(names, ";") {
		value := strings.Join(r.Header.Values(name), ",")
		if name == "host" {
			value = r.Host
		}
		headers.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	canonical := strings.Join([]string{
		r.Method, r.URL.EscapedPath(), r.URL.RawQuery, headers.String(), names, r.Header.Get("X-Amz-Content-Sha256"),
	}, "\n")
	scope := day + "/" + region + "/s3/aws4_request"
	text := "AWS4-HMAC-SHA256\n" + r.Header.Get("X-Amz-Date") + "\n" + scope + "\n" + hexSum([]byte(canonical))
	key := mac(mac(mac(mac([]byte("AWS4"+secret), day), region), "s3"), "aws4_request")
	return hex.EncodeToString(mac(key, text)) == parts[5]
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
