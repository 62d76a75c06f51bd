package git

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// hiddenRefs is the prefix of refs that only keep commits alive: nobody sees them, clones do not include them and
// nobody can push to them. A client that knows the id of such a commit can fetch it, as runners do.
const hiddenRefs = "refs/pipelines/"

// PipelineRef returns the hidden ref of a pipeline.
func PipelineRef(pipeline int64) string { return hiddenRefs + strconv.FormatInt(pipeline, 10) }

// KeepPipelineCommit keeps the commit of a pipeline alive, also when no branch leads to it any more. It can be repeated, also with
// another commit. It does not lock the repository, so the holder of the lock may call it.
func (r Repo) KeepPipelineCommit(ctx context.Context, pipeline int64, commit string) error {
	if pipeline <= 0 || !IsID(commit) {
		return ErrBadName
	}
	info, err := r.Info(ctx, commit)
	if err != nil {
		return err
	}
	if info.Kind != KindCommit {
		return ErrBadName
	}
	return r.changeHidden(ctx, fmt.Sprintf("update %s\x00%s\x00\x00", PipelineRef(pipeline), commit))
}

// DeletePipelineRefs removes the hidden refs of pipelines. Refs that do not exist are skipped.
func (r Repo) DeletePipelineRefs(ctx context.Context, pipelines ...int64) error {
	var text strings.Builder
	for _, id := range pipelines {
		_, err := r.Ref(PipelineRef(id))
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "delete %s\x00\x00", PipelineRef(id))
	}
	if text.Len() == 0 {
		return nil
	}
	return r.changeHidden(ctx, text.String())
}

// changeHidden changes refs in one git transaction. Git's own locks suffice, because svc records no push for these
// refs.
func (r Repo) changeHidden(ctx context.Context, commands string) error {
	text := "start\x00" + commands + "prepare\x00commit\x00"
	_, err := r.output(ctx, small, strings.NewReader(text), "update-ref", "--stdin", "-z")
	return err
}

func isHidden(ref string) bool { return strings.HasPrefix(ref, hiddenRefs) }
