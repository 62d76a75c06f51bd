// Package securefile keeps files of projects that jobs need and that must not be in the repository, such as certificates
// and key stores. They are stored encrypted.
package securefile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

const (
	maxFiles = 100 // per project
	maxSize  = 5 << 20
	maxName  = 255
)

// Service keeps secure files.
type Service struct {
	store *store.Store
	vault secret.Vault // encrypts the contents
}

// New returns the service.
func New(st *store.Store, vault secret.Vault) *Service { return &Service{store: st, vault: vault} }

// Create stores a file in a project.
func (s *Service) Create(ctx context.Context, p model.Project, name string, data []byte, userID int64) (model.SecureFile, error) {
	if len(data) > maxSize {
		return model.SecureFile{}, apierr.TooLarge()
	}
	broken := map[string][]string{}
	if text := wrongName(name); text != "" {
		broken["name"] = []string{text}
	}
	if len(data) == 0 {
		broken["file"] = []string{"can't be blank"}
	}
	if len(broken) > 0 {
		return model.SecureFile{}, apierr.InvalidFields(broken)
	}
	sum := sha256.Sum256(data)
	made := model.SecureFile{
		ProjectID: p.ID, Name: name, Size: int64(len(data)), Checksum: hex.EncodeToString(sum[:]), CreatedByID: &userID,
		Sealed: s.vault.Seal(data, sealOwner(p.ID)),
	}
	made.Metadata, made.ExpiresAt = certificateFacts(name, data)
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.SecureFiles.Create(ctx, &made, maxFiles)
		return change(p, made, "secure_file_created", "Created secure file"), err
	})
	var taken *store.ConflictError
	var full *store.LimitError
	switch {
	case errors.As(err, &taken):
		err = apierr.Invalid("name", "has already been taken")
	case errors.As(err, &full):
		err = apierr.Refused(fmt.Sprintf("Maximum number of project-level secure files (%d) exceeded", full.Most))
	}
	return made, err
}

// wrongName says what is wrong with the name of a file, or nothing.
func wrongName(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "can't be blank"
	case utf8.RuneCountInString(name) > maxName:
		return fmt.Sprintf("is too long (maximum is %d characters)", maxName)
	case name == "." || name == ".." || strings.ContainsAny(name, `/\`) || strings.ContainsFunc(name, unicode.IsControl):
		return "must not contain slashes or control characters"
	}
	return ""
}

// Contents returns the bytes of a file.
func (s *Service) Contents(ctx context.Context, f model.SecureFile) ([]byte, error) {
	whole, err := s.store.SecureFiles.GetWhole(ctx, f.ProjectID, f.ID)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return s.vault.Open(whole.Sealed, sealOwner(whole.ProjectID))
}

// sealOwner is the owner under which the vault encrypts the files of a project.
func sealOwner(projectID int64) string { return "project " + strconv.FormatInt(projectID, 10) }

// Delete deletes a file. With unmodifiedSince, it fails if the file was created after that.
func (s *Service) Delete(ctx context.Context, p model.Project, f model.SecureFile, unmodifiedSince *time.Time) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.SecureFiles.Delete(ctx, f, unmodifiedSince)
		return change(p, f, "secure_file_deleted", "Deleted secure file"), err
	})
	return apierr.OrNotFound(err)
}

// change describes a change of a secure file for the audit log.
func change(p model.Project, f model.SecureFile, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "Ci::SecureFile", ID: f.ID, Details: f.Name},
	}
}
