package present

import (
	"encoding/json"
	"path"
	"strings"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// SecureFile presents a secure file without its contents.
func SecureFile(f model.SecureFile) gen.SecureFile {
	shown := gen.SecureFile{
		ID: f.ID, Name: f.Name, Checksum: f.Checksum, ChecksumAlgorithm: "sha256", CreatedAt: wire.NewTime(f.CreatedAt),
		ExpiresAt: wire.TimePtr(f.ExpiresAt), FileExtension: strings.TrimPrefix(path.Ext(f.Name), "."),
	}
	var facts struct {
		ID              string
		Issuer, Subject map[string]string
		ExpiresAt       time.Time `json:"expires_at"`
	}
	if f.Metadata != nil && json.Unmarshal([]byte(*f.Metadata), &facts) == nil {
		shown.Metadata = &gen.SecureFileMetadata{
			ID: facts.ID, Issuer: facts.Issuer, Subject: facts.Subject, ExpiresAt: wire.NewTime(facts.ExpiresAt),
		}
	}
	return shown
}
