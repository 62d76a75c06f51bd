package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// PushRule presents the push rule of a project.
func PushRule(r model.PushRule) gen.PushRule {
	return gen.PushRule{
		ID: r.ID, ProjectID: wire.Value(r.ProjectID), CreatedAt: wire.NewTime(r.CreatedAt),
		CommitMessageRegex: r.CommitMessageRegex, CommitMessageNegativeRegex: r.CommitMessageNegativeRegex,
		BranchNameRegex: r.BranchNameRegex, AuthorEmailRegex: r.AuthorEmailRegex, FileNameRegex: r.FileNameRegex,
		MaxFileSize: r.MaxFileSize, DenyDeleteTag: r.DenyDeleteTag, MemberCheck: r.MemberCheck, PreventSecrets: r.PreventSecrets,
		CommitCommitterCheck: r.CommitCommitterCheck, CommitCommitterNameCheck: r.CommitCommitterNameCheck,
		RejectUnsignedCommits: r.RejectUnsignedCommits, RejectNonDcoCommits: r.RejectNonDcoCommits,
	}
}

// GroupPushRule presents the push rule of a group.
func GroupPushRule(r model.PushRule) gen.GroupPushRule {
	p := PushRule(r)
	return gen.GroupPushRule{
		ID: p.ID, CreatedAt: p.CreatedAt,
		CommitMessageRegex: p.CommitMessageRegex, CommitMessageNegativeRegex: p.CommitMessageNegativeRegex,
		BranchNameRegex: p.BranchNameRegex, AuthorEmailRegex: p.AuthorEmailRegex, FileNameRegex: p.FileNameRegex,
		MaxFileSize: p.MaxFileSize, DenyDeleteTag: p.DenyDeleteTag, MemberCheck: p.MemberCheck, PreventSecrets: p.PreventSecrets,
		CommitCommitterCheck: p.CommitCommitterCheck, CommitCommitterNameCheck: p.CommitCommitterNameCheck,
		RejectUnsignedCommits: p.RejectUnsignedCommits, RejectNonDcoCommits: p.RejectNonDcoCommits,
	}
}

// FreezePeriod presents a freeze period.
func FreezePeriod(f model.FreezePeriod) gen.FreezePeriod {
	return gen.FreezePeriod{
		ID: f.ID, FreezeStart: f.FreezeStart, FreezeEnd: f.FreezeEnd, CronTimezone: f.CronTimezone,
		CreatedAt: wire.NewTime(f.CreatedAt), UpdatedAt: wire.NewTime(f.UpdatedAt),
	}
}
