package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/avatar"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/apierr"
	"svc/store/blob"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// bundle creates the repository. Its refs are written last and all at once, so it can be repeated.
func (m *importer) bundle(from io.Reader, records int64) error {
	if records <= m.done {
		return nil
	}
	b, err := git.OpenBundle(from)
	if err != nil {
		return err
	}
	head := headOf(m.head, b.Refs)
	if head == "" {
		return bad("%s has no branch", bundleFile)
	}
	b.Keep(head)
	p := m.row.Project
	repo := m.Repos.Project(p.RepositoryStorage, p.ID)
	if err := repo.Create(p.DefaultBranch); err != nil {
		return err
	}
	peeled, err := repo.ReceiveBundle(m.ctx, b, limits.Bytes)
	if err != nil {
		return err
	}
	if b.Refs["refs/heads/"+head] == "" {
		return bad("%s does not have the commit of the branch %s", bundleFile, head)
	}
	if err := repo.Adopt(m.ctx, b.Refs, peeled, head); err != nil {
		return err
	}
	return m.batch(records, func(ctx context.Context) error {
		err := m.Store.Projects.UpdateInternal(ctx, p.ID, map[string]any{"default_branch": head, "empty_repo": false})
		if err != nil {
			return err
		}
		p.DefaultBranch, p.EmptyRepo = head, false
		return m.Measurer.Readme(ctx, p)
	})
}

// headOf returns the default branch: that of the archive if the bundle has it, or else a usual one, or the first.
func headOf(archived string, refs map[string]string) string {
	for _, name := range []string{archived, "main", "master"} {
		if refs["refs/heads/"+name] != "" {
			return name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			return branch
		}
	}
	return ""
}

// wiki creates the wiki.
func (m *importer) wiki(from io.Reader, records int64) error {
	if records <= m.done {
		return nil
	}
	b, err := git.OpenBundle(from)
	if err != nil {
		return err
	}
	side := lifecycle.Owner{Kind: model.ProjectWikiRepository, ID: m.row.Project.ID}
	if err := m.Wikis.AdoptBundle(m.ctx, side, b, limits.Bytes); err != nil {
		return err
	}
	return m.batch(records, func(context.Context) error { return nil })
}

// lfs stores a Git LFS object.
func (m *importer) lfs(oid string, size int64, from io.Reader, records int64) error {
	m.lines[lfsFolder]++
	if records <= m.done {
		return nil
	}
	err := m.LFS.Receive(m.ctx, m.row.Project, oid, size, from)
	var refused *apierr.Error
	if err != nil && (!errors.As(err, &refused) || refused.Status >= 500) {
		return err
	}
	return m.batch(records, func(ctx context.Context) error {
		if refused == nil {
			return nil
		}
		return m.failed(ctx, "lfs-objects", m.lines[lfsFolder], oid+" is larger than allowed, or its content does not match its name")
	})
}

// upload stores a file that texts link to, under a new secret.
func (m *importer) upload(u UploadEntry, from io.Reader, records int64) error {
	m.lines[uploadFiles]++
	m.secrets[u.Secret] = true
	if records <= m.done {
		return nil
	}
	if limit := m.Store.Settings.Current().MaxAttachmentSize << 20; limit > 0 && u.Size > limit {
		return m.batch(records, func(ctx context.Context) error {
			return m.failed(ctx, "uploads", m.lines[uploadFiles], u.Filename+" is larger than allowed")
		})
	}
	row := model.Upload{
		ProjectID: &m.row.Project.ID, Secret: m.newSecret(u.Secret), Filename: u.Filename, Key: blob.UploadKey(), UploadedByID: &m.user.ID,
	}
	if err := m.Store.ScheduleBlobRemoval(m.ctx, row.Key, clock.Now(m.ctx).UTC().Add(uploadTime)); err != nil {
		return err
	}
	sum := sha256.New()
	size, err := m.Blobs.Put(m.ctx, row.Key, io.TeeReader(from, sum))
	if err != nil {
		m.discard(m.ctx, row.Key)
		return err
	}
	row.Size, row.SHA256 = size, hex.EncodeToString(sum.Sum(nil))
	return m.batch(records, func(ctx context.Context) error { return m.Store.Uploads.Create(ctx, &row) })
}

// newSecret returns the secret of an upload here. It follows from that in the archive and from the key of the archive,
// which nobody knows, so that an interrupted import finds it again.
func (m *importer) newSecret(archived string) string {
	sum := sha256.Sum256([]byte(m.key + " " + archived))
	return hex.EncodeToString(sum[:16])
}

var uploadLinks = regexp.MustCompile(`/uploads/[0-9a-f]{32}/`)

// text returns a text whose links to uploads of the archive lead to those of the project.
func (m *importer) text(archived *string) *string {
	if archived == nil || len(m.secrets) == 0 {
		return archived
	}
	text := uploadLinks.ReplaceAllStringFunc(*archived, func(link string) string {
		secret := strings.TrimSuffix(strings.TrimPrefix(link, "/uploads/"), "/")
		if !m.secrets[secret] {
			return link
		}
		return "/uploads/" + m.newSecret(secret) + "/"
	})
	return &text
}

// avatar sets the picture of the project.
func (m *importer) avatar(data []byte, records int64) error {
	picture, err := avatar.Read(wire.Some(data))
	return m.batch(records, func(ctx context.Context) error {
		if err != nil {
			return m.failed(ctx, "avatar", 1, "The format of the picture is not supported")
		}
		return m.Store.Avatars.Put(ctx, model.AvatarProject, m.row.Project.ID, picture)
	})
}
