package payload

import (
	"encoding/json"
	"strings"

	"svc/server/domain/ci/syntax"
)

// releaseScript returns a call of release-cli, which the job's image must contain. The shell expands variables in the
// texts.
func releaseScript(r *syntax.Release) []string {
	command := []string{"release-cli", "create"}
	option := func(name, value string) {
		if value != "" {
			command = append(command, "--"+name, shellText(value))
		}
	}
	option("name", r.Name)
	option("description", r.Description)
	option("tag-name", r.TagName)
	option("tag-message", r.TagMessage)
	option("ref", r.Ref)
	option("released-at", r.ReleasedAt)
	for _, milestone := range r.Milestones {
		option("milestone", milestone)
	}
	for _, link := range r.Links {
		fields := map[string]string{"name": link.Name, "url": link.URL}
		if link.FilePath != "" {
			fields["filepath"] = link.FilePath
		}
		if link.LinkType != "" {
			fields["link_type"] = link.LinkType
		}
		if text, err := json.Marshal(fields); err == nil { // a map of strings always marshals
			option("assets-link", string(text))
		}
	}
	return []string{strings.Join(command, " ")}
}

// shellText quotes a text so that a shell expands $NAME in it and nothing else.
func shellText(s string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", "$(", `\$(`).Replace(s)
	return `"` + escaped + `"`
}
