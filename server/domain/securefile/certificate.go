package securefile

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"path"
	"strings"
	"time"
)

// Facts are what a certificate says about itself.
type Facts struct {
	ID        string            `json:"id"`
	Issuer    map[string]string `json:"issuer"`
	Subject   map[string]string `json:"subject"`
	ExpiresAt time.Time         `json:"expires_at"`
}

// certificateFacts reads a file whose name says that it is a certificate. The facts are nil for every other file.
func certificateFacts(name string, data []byte) (facts *string, expires *time.Time) {
	if ending := strings.ToLower(path.Ext(name)); ending != ".cer" {
		return nil, nil
	}
	if block, _ := pem.Decode(data); block != nil {
		data = block.Bytes
	}
	found, err := x509.ParseCertificate(data)
	if err != nil {
		return nil, nil
	}
	text, err := json.Marshal(Facts{
		ID: found.SerialNumber.String(), Issuer: parts(found.Issuer), Subject: parts(found.Subject), ExpiresAt: found.NotAfter.UTC(),
	})
	if err != nil {
		return nil, nil
	}
	return new(string(text)), new(found.NotAfter.UTC())
}

// shortNames are the short names of the parts of a name in a certificate.
var shortNames = map[string]string{
	"2.5.4.3": "CN", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.10": "O", "2.5.4.11": "OU",
	"0.9.2342.19200300.100.1.1": "UID",
}

// parts returns the parts of a name by their short names.
func parts(name pkix.Name) map[string]string {
	all := map[string]string{}
	for _, part := range name.Names {
		short := shortNames[part.Type.String()]
		if text, isText := part.Value.(string); isText && short != "" && all[short] == "" {
			all[short] = text
		}
	}
	return all
}
