package snapshot

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"svc/server/domain/fixture"
)

type pipeline struct {
	ID        int64      `json:"id"`
	SHA       string     `json:"sha"`
	Ref       string     `json:"ref"`
	Source    string     `json:"source"`
	Name      *string    `json:"name"`
	User      *user      `json:"user"`
	CreatedAt time.Time  `json:"created_at"`
	UpdatedAt *time.Time `json:"updated_at"`
}

// sources are the sources of pipelines that fixtures can declare.
var sources = []string{"push", "web", "trigger", "schedule", "api", "merge_request_event"}

func (p *project) pipelines(ctx context.Context) error {
	rows, err := all[pipeline](ctx, p.client, p.base+"/pipelines?order_by=id&sort=asc")
	if err != nil {
		return err
	}
	for _, listed := range rows {
		row, err := one[pipeline](ctx, p.client, fmt.Sprintf("%s/pipelines/%d", p.base, listed.ID))
		if err != nil {
			return err
		}
		there, err := p.need(ctx, row.SHA)
		if err != nil {
			return err
		}
		if !there || !slices.Contains(sources, row.Source) {
			p.left("%s: pipeline %d", p.Path, row.ID)
			continue
		}
		made := fixture.Pipeline{
			Ref: row.Ref, Commit: row.SHA, Source: row.Source, User: p.username(row.User), Name: text(row.Name),
			CreatedAt: fixture.At(row.CreatedAt), UpdatedAt: at(row.UpdatedAt),
		}
		if made.Jobs, err = p.jobs(ctx, row.ID); err != nil {
			return err
		}
		p.Pipelines = append(p.Pipelines, made)
	}
	return nil
}

type job struct {
	ID            int64                 `json:"id"`
	Name          string                `json:"name"`
	Stage         string                `json:"stage"`
	Status        string                `json:"status"`
	AllowFailure  bool                  `json:"allow_failure"`
	FailureReason *string               `json:"failure_reason"`
	Coverage      *float64              `json:"coverage"`
	TagList       []string              `json:"tag_list"`
	CreatedAt     time.Time             `json:"created_at"`
	StartedAt     *time.Time            `json:"started_at"`
	FinishedAt    *time.Time            `json:"finished_at"`
	ExpireAt      *time.Time            `json:"artifacts_expire_at"`
	Runner        *struct{ ID int64 }   `json:"runner"`
	ArtifactsFile *struct{ Size int64 } `json:"artifacts_file"`
	Artifacts     []struct {
		FileType string `json:"file_type"`
	} `json:"artifacts"`
}

func (p *project) jobs(ctx context.Context, pipeline int64) ([]fixture.Job, error) {
	rows, err := all[job](ctx, p.client, fmt.Sprintf("%s/pipelines/%d/jobs", p.base, pipeline))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b job) int { return cmp.Compare(a.ID, b.ID) })
	var jobs []fixture.Job
	for _, row := range rows {
		j := fixture.Job{
			Name: row.Name, Stage: row.Stage, Status: row.Status, AllowFailure: row.AllowFailure, Coverage: row.Coverage,
			FailureReason: text(row.FailureReason), Tags: row.TagList, CreatedAt: fixture.At(row.CreatedAt),
			StartedAt: at(row.StartedAt), FinishedAt: at(row.FinishedAt), ArtifactsExpireAt: at(row.ExpireAt),
		}
		if row.Runner != nil {
			j.Runner = p.runners[row.Runner.ID]
		}
		if err := p.jobFiles(ctx, row, &j); err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// jobFiles reads the log and the artifacts of a job.
func (p *project) jobFiles(ctx context.Context, row job, j *fixture.Job) error {
	base := fmt.Sprintf("%s/jobs/%d", p.base, row.ID)
	for _, file := range row.Artifacts {
		if file.FileType != "trace" {
			continue
		}
		log, _, err := p.get(ctx, base+"/trace")
		if err != nil {
			return err
		}
		j.Log = strings.ToValidUTF8(string(log), "?")
	}
	if row.ArtifactsFile == nil {
		return nil
	}
	body, _, err := p.get(ctx, base+"/artifacts")
	if err != nil {
		return err
	}
	archive, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		p.left("%s: the artifacts of job %d", p.Path, row.ID)
		return nil
	}
	j.Artifacts = fixture.Files{}
	for _, entry := range archive.File {
		if strings.HasSuffix(entry.Name, "/") {
			continue
		}
		content, err := readEntry(entry)
		if err != nil {
			return err
		}
		file := asFile(content)
		file.Executable = entry.Mode()&0o111 != 0
		j.Artifacts[entry.Name] = file
	}
	return nil
}

func readEntry(entry *zip.File) ([]byte, error) {
	from, err := entry.Open()
	if err != nil {
		return nil, err
	}
	defer from.Close()
	return io.ReadAll(io.LimitReader(from, maxAnswer))
}

func (p *project) releases(ctx context.Context) error {
	rows, err := all[struct {
		Tag         string    `json:"tag_name"`
		Name        string    `json:"name"`
		Description *string   `json:"description"`
		Author      *user     `json:"author"`
		Milestones  []titled  `json:"milestones"`
		CreatedAt   time.Time `json:"created_at"`
		ReleasedAt  time.Time `json:"released_at"`
		Assets      struct {
			Links []struct {
				Name     string `json:"name"`
				URL      string `json:"url"`
				Direct   string `json:"direct_asset_url"`
				LinkType string `json:"link_type"`
			} `json:"links"`
		} `json:"assets"`
	}](ctx, p.client, p.base+"/releases?order_by=created_at&sort=asc")
	if err != nil {
		return err
	}
	for _, row := range rows {
		if !slices.ContainsFunc(p.Tags, func(t fixture.Tag) bool { return t.Name == row.Tag }) {
			p.left("%s: the release %s, whose tag is gone", p.Path, row.Tag)
			continue
		}
		r := fixture.Release{
			Tag: row.Tag, Description: text(row.Description), Author: p.username(row.Author), CreatedAt: fixture.At(row.CreatedAt),
		}
		if row.Name != row.Tag {
			r.Name = row.Name
		}
		if !row.ReleasedAt.Equal(row.CreatedAt) {
			r.ReleasedAt = fixture.At(row.ReleasedAt)
		}
		for _, m := range row.Milestones {
			r.Milestones = append(r.Milestones, m.Title)
		}
		for _, link := range slices.Backward(row.Assets.Links) { // the newest comes first
			l := fixture.ReleaseLink{Name: link.Name, URL: link.URL}
			if _, path, found := strings.Cut(link.Direct, "/"+row.Tag+"/downloads/"); found && link.Direct != link.URL {
				l.FilePath = "/" + path
			}
			if link.LinkType != "other" {
				l.LinkType = link.LinkType
			}
			r.Links = append(r.Links, l)
		}
		p.Releases = append(p.Releases, r)
	}
	return nil
}

func (p *project) packages(ctx context.Context) error {
	rows, err := all[struct {
		ID        int64     `json:"id"`
		Name      string    `json:"name"`
		Version   *string   `json:"version"`
		Type      string    `json:"package_type"`
		CreatorID *int64    `json:"creator_id"`
		CreatedAt time.Time `json:"created_at"`
	}](ctx, p.client, p.base+"/packages?order_by=created_at&sort=asc")
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Type != "generic" || row.Version == nil {
			p.left("%s: the %s package %s", p.Path, row.Type, row.Name)
			continue
		}
		files, err := all[struct {
			FileName string `json:"file_name"`
		}](ctx, p.client, fmt.Sprintf("%s/packages/%d/package_files", p.base, row.ID))
		if err != nil {
			return err
		}
		made := fixture.Package{Name: row.Name, Version: *row.Version, Files: fixture.Files{}, CreatedAt: fixture.At(row.CreatedAt)}
		if row.CreatorID != nil {
			made.Creator = p.usernames[*row.CreatorID]
		}
		for _, file := range files {
			body, _, err := p.get(ctx, fmt.Sprintf("%s/packages/generic/%s/%s/%s",
				p.base, url.PathEscape(row.Name), url.PathEscape(*row.Version), url.PathEscape(file.FileName)))
			if err != nil {
				return err
			}
			made.Files[file.FileName] = asFile(body)
		}
		p.Packages = append(p.Packages, made)
	}
	return nil
}
