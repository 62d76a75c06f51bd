package pushrule

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"svc/store/git"
)

// checksCommits reports whether the rule is about commits themselves, not only about their files.
func (r *Rule) checksCommits() bool {
	return r.message != nil || r.negative != nil || set(r.rule.RejectUnsignedCommits) || set(r.rule.RejectNonDcoCommits) ||
		r.email != nil || r.rule.MemberCheck || set(r.rule.CommitCommitterCheck) || r.rule.CommitCommitterNameCheck
}

// commit returns why a commit is refused, or "".
func (r *Rule) commit(ctx context.Context, c git.PushedCommit, tag bool) (string, error) {
	if why := r.text(c); why != "" {
		return why, nil
	}
	switch {
	case set(r.rule.RejectUnsignedCommits) && !c.Signed && !r.service:
		return refusal("reject_unsigned_commits", c, "has no signature. Sign it (git commit --amend -S) and push again."), nil
	case set(r.rule.RejectNonDcoCommits) && !signedOff.MatchString(c.Message):
		return refusal("reject_non_dco_commits", c, "has no Signed-off-by line. Add it (git commit --amend -s) and push again."), nil
	case tag:
		return "", nil
	}
	return r.people(ctx, c)
}

// signedOff finds the line by which an author certifies the origin of a commit.
var signedOff = regexp.MustCompile(`(?m)^Signed-off-by: \S.*<[^<>\s]+@[^<>\s]+>\s*$`)

// text returns why the message of a commit is refused, or "".
func (r *Rule) text(c git.PushedCommit) string {
	if r.message == nil && r.negative == nil {
		return ""
	}
	switch {
	case len(c.Message) > maxMessage:
		return refusal("commit_message_regex", c, fmt.Sprintf("has a message of more than %d bytes, which cannot be checked.", maxMessage))
	case r.message != nil && !r.message.MatchString(c.Message):
		return refusal("commit_message_regex", c,
			fmt.Sprintf("has a message that does not match %q. Change the message (git commit --amend) and push again.",
				r.rule.CommitMessageRegex))
	case r.negative != nil && r.negative.MatchString(c.Message):
		return refusal("commit_message_negative_regex", c,
			fmt.Sprintf("has a message that matches %q. Change the message (git commit --amend) and push again.",
				r.rule.CommitMessageNegativeRegex))
	}
	return ""
}

// people returns why the author or committer of a commit is refused, or "".
func (r *Rule) people(ctx context.Context, c git.PushedCommit) (string, error) {
	addresses := []string{c.Author.Email}
	if !r.service { // the service itself is careful about the committer
		addresses = append(addresses, c.Committer.Email)
	}
	for _, address := range addresses {
		if r.email != nil && !r.email.MatchString(address) {
			return refusal("author_email_regex", c, fmt.Sprintf("has the address %q, which does not match %q. Set user.email, "+
				"make the commit again (git commit --amend --reset-author) and push.", clip(address), r.rule.AuthorEmailRegex)), nil
		}
	}
	if r.rule.CommitCommitterNameCheck && c.Author.Name != r.pusher.Name {
		return refusal("commit_committer_name_check", c, fmt.Sprintf("has the author %q, but your name is %q. Set user.name, make "+
			"the commit again (git commit --amend --reset-author) and push.", clip(c.Author.Name), clip(r.pusher.Name))), nil
	}
	if r.service && c.Author.Email == c.Committer.Email {
		return "", nil // the caller is the author
	}
	return r.owner(ctx, c, addresses)
}

// owner returns why the addresses of a commit are refused, by the users who have confirmed them, or "".
func (r *Rule) owner(ctx context.Context, c git.PushedCommit, addresses []string) (string, error) {
	if !r.rule.MemberCheck && !set(r.rule.CommitCommitterCheck) {
		return "", nil
	}
	for _, address := range addresses {
		known, mine, err := r.find(ctx, address)
		switch {
		case err != nil:
			return "", err
		case r.rule.MemberCheck && !known:
			return refusal("member_check", c, fmt.Sprintf("has the address %q, which no user of this service has confirmed. Set "+
				"user.email, make the commit again (git commit --amend --reset-author) and push.", clip(address))), nil
		case set(r.rule.CommitCommitterCheck) && !r.service && !mine && address == c.Committer.Email:
			return refusal("commit_committer_check", c, fmt.Sprintf("has the committer %q, which is not a confirmed address of "+
				"yours. Set user.email, make the commit again (git commit --amend) and push.", clip(address))), nil
		}
	}
	return "", nil
}

// find reports whether a user has confirmed an address, and whether that user is the one who pushes. It remembers the
// answers, because the commits of a push have few authors.
func (r *Rule) find(ctx context.Context, address string) (known, mine bool, err error) {
	address = strings.ToLower(address)
	if mine, seen := r.owners[address]; seen {
		return true, mine, nil
	}
	if !utf8.ValidString(address) || strings.ContainsRune(address, 0) {
		return false, false, nil
	}
	users, err := r.store.Users.ByConfirmedEmail(ctx, []string{address})
	if err != nil {
		return false, false, err
	}
	user, known := users[address]
	if known {
		r.owners[address] = user.ID == r.pusher.ID
	}
	return known, known && user.ID == r.pusher.ID, nil
}

// refusal names a rule and a commit that violates it.
func refusal(rule string, c git.PushedCommit, why string) string {
	const short = 8
	return fmt.Sprintf("Push rule %s: commit %s %s", rule, c.ID[:min(len(c.ID), short)], why)
}

// clip shortens a text of the client for a message, and keeps it printable.
func clip(text string) string {
	const most = 100
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strings.ToValidUTF8(text, "?")
}
