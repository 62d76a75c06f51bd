package blob

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// signer signs requests with AWS Signature Version 4. The path and the query must be written in the canonical form;
// function query writes the query so.
type signer struct{ id, secret, region string }

const amzTime = "20060102T150405Z"

// sign adds the signature. The digest is the SHA-256 of the body in hexadecimal.
func (s signer) sign(r *http.Request, digest string, at time.Time) {
	stamp := at.UTC().Format(amzTime)
	r.Header.Set("X-Amz-Date", stamp)
	r.Header.Set("X-Amz-Content-Sha256", digest)
	names := []string{"host", "x-amz-content-sha256", "x-amz-date"}
	values := map[string]string{"host": r.URL.Host, "x-amz-content-sha256": digest, "x-amz-date": stamp}
	if part := r.Header.Get("Range"); part != "" {
		names, values["range"] = append(names, "range"), part
	}
	slices.Sort(names)
	var headers strings.Builder
	for _, name := range names {
		headers.WriteString(name + ":" + values[name] + "\n")
	}
	signed := strings.Join(names, ";")
	canonical := strings.Join([]string{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, headers.String(), signed, digest}, "\n")
	day := stamp[:8]
	scope := day + "/" + s.region + "/s3/aws4_request"
	text := "AWS4-HMAC-SHA256\n" + stamp + "\n" + scope + "\n" + hexSum([]byte(canonical))
	key := mac(mac(mac(mac([]byte("AWS4"+s.secret), day), s.region), "s3"), "aws4_request")
	r.Header.Set(
		"Authorization",
		"AWS4-HMAC-SHA256 Credential="+s.id+"/"+scope+", SignedHeaders="+signed+", Signature="+hex.EncodeToString(mac(key, text)),
	)
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func hexSum(p []byte) string {
	sum := sha256.Sum256(p)
	return hex.EncodeToString(sum[:])
}

// query writes parameters in the order and with the escapes that the signature needs.
func query(values map[string]string) string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = escape(name) + "=" + escape(values[name])
	}
	return strings.Join(parts, "&")
}

// escape follows RFC 3986: unlike url.QueryEscape it writes a space as %20.
func escape(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}
