package git

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// hiddenRefs are refs that keep commits but are not for people: nobody is shown them, clones do not bring them and nobody
// pushes to them. Who knows the id of a commit that one leads to can fetch it, as runners do.
const hiddenRefs = "refs/pipelines/"

// KeptRef is the hidden ref of a pipeline.
func KeptRef(pipeline int64) string { return hiddenRefs + strconv.FormatInt(pipeline, 10) }

// Keep holds on to the commit of a pipeline, also when no branch leads to it any more. It may be done again, with another
// commit, too. It does not take the lock, so it may be called by who has it.
func (r Repo) Keep(ctx context.Context, pipeline int64, commit string) error {
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
	return r.changeHidden(ctx, fmt.Sprintf("update %s\x00%s\x00\x00", KeptRef(pipeline), commit))
}

// LetGo forgets the commits of pipelines. Those that are forgotten already do not matter.
func (r Repo) LetGo(ctx context.Context, pipelines ...int64) error {
	var text strings.Builder
	for _, id := range pipelines {
		_, err := r.Ref(KeptRef(id))
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "delete %s\x00\x00", KeptRef(id))
	}
	if text.Len() == 0 {
		return nil
	}
	return r.changeHidden(ctx, text.String())
}

// changeHidden changes hidden refs in one transaction of git's, whose own locks suffice: no note is made of them.
func (r Repo) changeHidden(ctx context.Context, commands string) error {
	text := "start\x00" + commands + "prepare\x00commit\x00"
	_, err := r.output(ctx, small, strings.NewReader(text), "update-ref", "--stdin", "-z")
	return err
}

func isHidden(ref string) bool { return strings.HasPrefix(ref, hiddenRefs) }
