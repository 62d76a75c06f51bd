package snapshot

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"

	"svc/server/domain/fixture"
)

type commit struct {
	ID             string    `json:"id"`
	ParentIDs      []string  `json:"parent_ids"`
	Message        string    `json:"message"`
	AuthorName     string    `json:"author_name"`
	AuthorEmail    string    `json:"author_email"`
	AuthoredDate   time.Time `json:"authored_date"`
	CommitterName  string    `json:"committer_name"`
	CommitterEmail string    `json:"committer_email"`
	CommittedDate  time.Time `json:"committed_date"`
}

// repository reads all branches and tags, and the commits that lead to them.
func (p *project) repository(ctx context.Context) error {
	rows, err := all[commit](ctx, p.client, p.base+"/repository/commits?all=true")
	if err != nil {
		return err
	}
	known := map[string]commit{}
	for _, c := range rows {
		known[c.ID] = c
	}
	slices.Reverse(rows)
	slices.SortStableFunc(rows, func(a, b commit) int { return a.CommittedDate.Compare(b.CommittedDate) })
	for _, c := range rows {
		if err := p.add(ctx, c.ID, known); err != nil {
			return err
		}
	}
	return p.refs(ctx)
}

// add adds a commit to the document, after its parents.
func (p *project) add(ctx context.Context, id string, known map[string]commit) error {
	for waiting := []string{id}; len(waiting) > 0; {
		next := waiting[len(waiting)-1]
		c, read := known[next]
		if !read {
			var err error
			if c, err = one[commit](ctx, p.client, p.base+"/repository/commits/"+next); err != nil {
				return err
			}
			known[next] = c
		}
		ready := true
		for _, parent := range c.ParentIDs {
			if !p.commits[parent] {
				waiting, ready = append(waiting, parent), false
			}
		}
		if !ready {
			continue
		}
		waiting = waiting[:len(waiting)-1]
		if p.commits[next] {
			continue
		}
		p.commits[next] = true
		if err := p.addCommit(ctx, c); err != nil {
			return fmt.Errorf("commit %s: %w", c.ID, err)
		}
	}
	return nil
}

// need adds a commit to the document that no branch leads to, such as one of a merge request. It reports whether the
// document has the commit now.
func (p *project) need(ctx context.Context, id string) (bool, error) {
	if id == "" || p.commits[id] {
		return id != "", nil
	}
	err := p.add(ctx, id, map[string]commit{})
	if isStatus(err, http.StatusNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (p *project) addCommit(ctx context.Context, c commit) error {
	parents := append([]string{}, c.ParentIDs...)
	made := fixture.Commit{
		ID: c.ID, Parents: &parents, Message: c.Message, Author: p.person(c.AuthorName, c.AuthorEmail),
		AuthoredAt: fixture.Time{Time: zoned(c.AuthoredDate)}, Files: fixture.Files{},
	}
	if committer := p.person(c.CommitterName, c.CommitterEmail); committer != made.Author {
		made.Committer = committer
	}
	if !c.CommittedDate.Equal(c.AuthoredDate) || zoneOf(c.CommittedDate) != zoneOf(c.AuthoredDate) {
		made.CommittedAt = fixture.Time{Time: zoned(c.CommittedDate)}
	}
	changes, err := all[struct {
		NewPath string `json:"new_path"`
		OldPath string `json:"old_path"`
		Mode    string `json:"b_mode"`
		Deleted bool   `json:"deleted_file"`
		Renamed bool   `json:"renamed_file"`
	}](ctx, p.client, p.base+"/repository/commits/"+c.ID+"/diff")
	if err != nil {
		return err
	}
	for _, change := range changes {
		if change.Deleted || change.Renamed {
			made.Files[change.OldPath] = fixture.File{Deleted: true}
		}
		if change.Deleted {
			continue
		}
		if change.Mode != "100644" && change.Mode != "100755" {
			p.left("%s: %s in commit %s, which is a link or a submodule", p.Path, change.NewPath, c.ID)
			continue
		}
		file, err := p.file(ctx, change.NewPath, c.ID)
		if err != nil {
			return err
		}
		file.Executable = change.Mode == "100755"
		made.Files[change.NewPath] = file
	}
	p.Commits = append(p.Commits, made)
	return nil
}

func (p *project) file(ctx context.Context, path, ref string) (fixture.File, error) {
	found, err := one[struct {
		Content string `json:"content"`
	}](ctx, p.client, p.base+"/repository/files/"+url.PathEscape(path)+"?ref="+ref)
	if err != nil {
		return fixture.File{}, err
	}
	content, err := base64.StdEncoding.DecodeString(found.Content)
	return asFile(content), err
}

// asFile returns a file as text if YAML can hold it.
func asFile(content []byte) fixture.File {
	if utf8.Valid(content) && !slices.ContainsFunc([]rune(string(content)), func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r == '\ufeff' || r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029'
	}) {
		return fixture.TextFile(string(content))
	}
	return fixture.BinaryFile(content)
}

// person returns a user of the document, or a name with an address.
func (s *snapshot) person(name, email string) fixture.Person {
	if username, known := s.people[[2]string{name, email}]; known {
		return fixture.Person{User: username}
	}
	return fixture.Person{Name: name, Email: email}
}

// zoned returns a time whose zone is only an offset, as commits have it.
func zoned(t time.Time) time.Time {
	if zoneOf(t) == 0 {
		return t.UTC()
	}
	return t
}

func zoneOf(t time.Time) int {
	_, offset := t.Zone()
	return offset
}

func (p *project) refs(ctx context.Context) error {
	type ref struct {
		Name      string     `json:"name"`
		Message   *string    `json:"message"`
		CreatedAt *time.Time `json:"created_at"`
		Commit    struct {
			ID string `json:"id"`
		} `json:"commit"`
	}
	branches, err := all[ref](ctx, p.client, p.base+"/repository/branches")
	if err != nil {
		return err
	}
	p.Branches = map[string]string{}
	for _, b := range branches {
		p.Branches[b.Name] = b.Commit.ID
	}
	tags, err := all[ref](ctx, p.client, p.base+"/repository/tags?order_by=name&sort=asc")
	if err != nil {
		return err
	}
	for _, t := range tags {
		if there, err := p.need(ctx, t.Commit.ID); err != nil || !there {
			p.left("%s: the tag %s", p.Path, t.Name)
			continue
		}
		tag := fixture.Tag{Name: t.Name, Target: t.Commit.ID, Message: text(t.Message)}
		if tag.Message != "" {
			tag.CreatedAt = at(t.CreatedAt)
		}
		p.Tags = append(p.Tags, tag)
	}
	return nil
}
