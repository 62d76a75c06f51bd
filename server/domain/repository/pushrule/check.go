package pushrule

import (
	"context"
	"fmt"
	"regexp"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Commits reads what is new in a push. An id that begins with ^ excludes a commit and its ancestors.
type Commits interface {
	NewCommits(ctx context.Context, ids []string, give func(git.PushedCommit) bool) error
	NewFiles(ctx context.Context, ids []string, give func(git.PushedFile) bool) error
	NewLargeBlob(ctx context.Context, ids []string, most int64) (string, error)
	NewPathOf(ctx context.Context, ids []string, blob string) (string, error)
}

// Rule is the push rule of a project, ready to check pushes by one user.
type Rule struct {
	rule                                   model.PushRule
	message, negative, branch, email, file *regexp.Regexp
	store                                  *store.Store
	pusher                                 model.User
	defaultBranch                          string
	service                                bool // the service itself makes the commits, for the user
	owners                                 map[string]bool
}

// Load returns the push rule of a project for a user, or nil if the project has none. service says that the service
// itself makes the commits for the user: it then is their committer, and they have no signature.
func Load(ctx context.Context, st *store.Store, p model.Project, userID int64, service bool) (*Rule, error) {
	row, err := st.PushRules.OfProject(ctx, p.ID)
	if err != nil || row == nil {
		return nil, err
	}
	r := &Rule{rule: *row, store: st, defaultBranch: p.DefaultBranch, service: service, owners: map[string]bool{}}
	for _, field := range []struct {
		to    **regexp.Regexp
		text  string
		lines bool
	}{
		{&r.message, row.CommitMessageRegex, true},
		{&r.negative, row.CommitMessageNegativeRegex, true},
		{&r.branch, row.BranchNameRegex, false},
		{&r.email, row.AuthorEmailRegex, false},
		{&r.file, row.FileNameRegex, false},
	} {
		if *field.to, err = compile(field.text, field.lines); err != nil {
			return nil, fmt.Errorf("push rule %d: %w", row.ID, err)
		}
	}
	if row.CommitCommitterNameCheck || set(row.CommitCommitterCheck) {
		r.pusher, err = st.Users.Get(ctx, userID)
	}
	return r, err
}

// set reports whether an optional switch is on.
func set(b *bool) bool { return b != nil && *b }

// Branch returns why a branch may not have its name, or "".
func (r *Rule) Branch(name string) string {
	if r.branch == nil || name == r.defaultBranch || r.branch.MatchString(name) {
		return ""
	}
	return fmt.Sprintf("Push rule branch_name_regex: the name of the branch %q does not match %q. Rename the branch and push again.",
		clip(name), r.rule.BranchNameRegex)
}

// DeletesTag returns why a push may not delete tags, or "".
func (r *Rule) DeletesTag() string {
	if !r.rule.DenyDeleteTag {
		return ""
	}
	return "Push rule deny_delete_tag: a push cannot delete tags of this project."
}

// Commits returns why new commits may not be pushed, or "". Commits of tags are not checked by the rules about users.
func (r *Rule) Commits(ctx context.Context, in Commits, ids []string, tags bool) (why string, err error) {
	if len(ids) == 0 {
		return "", nil
	}
	if r.checksCommits() {
		var failed error
		err = in.NewCommits(ctx, ids, func(c git.PushedCommit) bool {
			why, failed = r.commit(ctx, c, tags)
			return why == "" && failed == nil
		})
		if failed != nil {
			err = failed
		}
		if err != nil || why != "" {
			return why, err
		}
	}
	if r.file != nil || r.rule.PreventSecrets {
		err = in.NewFiles(ctx, ids, func(f git.PushedFile) bool {
			why = r.newFile(f)
			return why == ""
		})
		if err != nil || why != "" {
			return why, err
		}
	}
	return r.large(ctx, in, ids)
}

// Messages returns why the messages of new commits are refused, or "". A merge is checked by nothing else.
func (r *Rule) Messages(ctx context.Context, in Commits, ids []string) (why string, err error) {
	if r.message == nil && r.negative == nil {
		return "", nil
	}
	err = in.NewCommits(ctx, ids, func(c git.PushedCommit) bool {
		why = r.text(c)
		return why == ""
	})
	return why, err
}

// large returns why the files of new commits are too large, or "".
func (r *Rule) large(ctx context.Context, in Commits, ids []string) (string, error) {
	if r.rule.MaxFileSize == 0 {
		return "", nil
	}
	const megabyte = 1 << 20
	blob, err := in.NewLargeBlob(ctx, ids, r.rule.MaxFileSize*megabyte)
	if err != nil || blob == "" {
		return "", err
	}
	path, err := in.NewPathOf(ctx, ids, blob)
	return fmt.Sprintf("Push rule max_file_size: the file %q is larger than %d MB. Remove it from the commits, or track it with Git LFS.",
		clip(path), r.rule.MaxFileSize), err
}
