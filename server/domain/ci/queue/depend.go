package queue

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"slices"

	"svc/server/domain/ci/payload"
	"svc/server/domain/ci/status"
	"svc/server/domain/ci/variables"
	"svc/store/model"
)

// findNeeded finds the jobs whose artifacts and variables the job gets: those that it names, or all jobs of earlier
// stages.
func (w *preparation) findNeeded(ctx context.Context) error {
	names := w.spec.Dependencies
	if w.spec.HasNeeds {
		names = []string{}
		for _, need := range w.spec.Needs {
			if need.Artifacts && (w.spec.Dependencies == nil || slices.Contains(w.spec.Dependencies, need.Job)) {
				names = append(names, need.Job)
			}
		}
	}
	if names != nil && len(names) == 0 || names == nil && w.job.StageIndex == 0 {
		return nil
	}
	all, err := w.store.Jobs.Started(ctx, w.job.PipelineID, w.job.StageIndex, names)
	w.needed = slices.DeleteFunc(all, func(j model.Job) bool { return j.ID == w.job.ID })
	return err
}

// dependencies returns the archives that the runner downloads. It may read them with the token of the running job, as
// long as that job runs.
func (w *preparation) dependencies(ctx context.Context) ([]payload.Dependency, error) {
	files, err := w.filesOfNeeded(ctx)
	if err != nil {
		return nil, err
	}
	named := w.spec.HasNeeds || w.spec.Dependencies != nil
	var all []payload.Dependency
	for _, j := range w.needed {
		i := slices.IndexFunc(files[j.ID], func(a model.JobArtifact) bool { return a.FileType == model.ArchiveArtifact })
		if i >= 0 {
			archive := files[j.ID][i]
			all = append(all, payload.Dependency{
				ID: j.ID, Name: j.Name, Token: w.token,
				ArtifactsFile: &payload.ArtifactsFile{Filename: archive.Filename, Size: archive.Size},
			})
			continue
		}
		// The needed job had an archive that was removed, so the job would run without it.
		if named && (j.ErasedAt != nil || j.ArtifactsExpireAt != nil) {
			return nil, broken(status.MissingDependencyFailure)
		}
	}
	return all, nil
}

func (w *preparation) filesOfNeeded(ctx context.Context) (map[int64][]model.JobArtifact, error) {
	ids := make([]int64, len(w.needed))
	for i, j := range w.needed {
		ids[i] = j.ID
	}
	return w.store.JobArtifacts.OfJobs(ctx, ids)
}

// dotenv returns the variables from the dotenv reports of needed jobs. A report that cannot be parsed gives no
// variables.
func (w *preparation) dotenv(ctx context.Context) ([]variables.Variable, error) {
	files, err := w.filesOfNeeded(ctx)
	if err != nil {
		return nil, err
	}
	var lists [][]variables.Variable
	for _, j := range w.needed {
		for _, a := range files[j.ID] {
			if a.FileType != "dotenv" {
				continue
			}
			list, err := w.readDotenv(ctx, a)
			if err != nil {
				return nil, err
			}
			lists = append(lists, list)
		}
	}
	return variables.Merge(lists...), nil
}

func (w *preparation) readDotenv(ctx context.Context, a model.JobArtifact) ([]variables.Variable, error) {
	from, err := w.files.Open(ctx, a, 0, a.Size)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	var text io.Reader = from
	if a.FileFormat == "gzip" {
		unpacked, err := gzip.NewReader(from)
		if err != nil {
			return nil, nil
		}
		text = unpacked
	}
	data, err := io.ReadAll(io.LimitReader(text, variables.MaxDotenv+1))
	if err != nil {
		return nil, nil // the runner compressed the report incorrectly
	}
	list, err := variables.ParseDotenv(data, variables.DotenvLimits{Size: variables.MaxDotenv})
	if err != nil {
		return nil, nil // the upload of this report was already refused
	}
	return list, nil
}

// GetsArtifactsOf reports whether a running job gets the artifacts of another job.
func (q *Queue) GetsArtifactsOf(ctx context.Context, running model.Job, other int64) (bool, error) {
	w := &preparation{Queue: q, job: running}
	var err error
	if w.spec, err = q.engine.Spec(ctx, &running); err != nil {
		return false, brokenIfMissing(err)
	}
	if err := w.findNeeded(ctx); err != nil {
		return false, err
	}
	if slices.ContainsFunc(w.needed, func(j model.Job) bool { return j.ID == other }) {
		return true, nil
	}
	if len(w.spec.CrossNeeds) == 0 {
		return false, nil
	}
	return w.getsCrossArtifactsOf(ctx, other)
}

// decodeList decodes a JSON list of strings.
func decodeList(list string) []string {
	var all []string
	_ = json.Unmarshal([]byte(list), &all) // we wrote the JSON, so it is valid
	return all
}
