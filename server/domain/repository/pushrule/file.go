package pushrule

import (
	"fmt"
	"regexp"

	"svc/store/git"
)

// secretFile finds the names of files that usually hold secrets: private keys, histories of shells, credentials.
var secretFile = regexp.MustCompile(
	`(^|/)(id_(rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)|[^/]*\.(pem|key)|[^/]*history|\.?aws/credentials)$`,
)

// newFile returns why a new file is refused by its name, or "".
func (r *Rule) newFile(f git.PushedFile) string {
	const short = 8
	commit := f.Commit[:min(len(f.Commit), short)]
	switch {
	case r.file != nil && r.file.MatchString(f.Path):
		return fmt.Sprintf("Push rule file_name_regex: commit %s adds the file %q, whose name matches %q. Remove it from the commit "+
			"and push again.", commit, clip(f.Path), r.rule.FileNameRegex)
	case r.rule.PreventSecrets && secretFile.MatchString(f.Path):
		return fmt.Sprintf("Push rule prevent_secrets: commit %s adds the file %q, which looks like a secret. Remove it from the "+
			"commit and push again.", commit, clip(f.Path))
	}
	return ""
}
