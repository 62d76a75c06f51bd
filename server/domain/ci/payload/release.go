package payload

import (
	"encoding/json"
	"strings"

	"svc/server/domain/ci/syntax"
)

// minGlab is the first version of glab that can create a release from all texts of the keyword.
const minGlab = "1.58.0"

// hasGlab is a shell condition: glab is installed, in that version or a newer one.
const hasGlab = `command -v glab >/dev/null 2>&1 && [ "$(printf '%s\n' ` + minGlab +
	` "$(glab --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)" | sort -V | head -n 1)" = "` + minGlab + `" ]`

// releaseScript returns the script that creates a release: a call of glab or else of release-cli, one of which the job's
// image must contain. The shell expands variables in the texts.
func releaseScript(r *syntax.Release) []string {
	return []string{strings.Join([]string{
		"if " + hasGlab + "; then",
		`glab auth login --job-token $CI_JOB_TOKEN --hostname "$CI_SERVER_FQDN" --api-protocol $CI_SERVER_PROTOCOL`,
		glabCommand(r),
		"else",
		`echo "glab ` + minGlab + ` or newer is not installed. The release is created with release-cli."`,
		releaseCommand(r),
		"fi",
	}, "\n")}
}

// arguments is a command line.
type arguments []string

// option adds an option, unless its value is empty.
func (a *arguments) option(name, value string) {
	if value != "" {
		*a = append(*a, "--"+name, shellText(value))
	}
}

func (a *arguments) line() string { return strings.Join(*a, " ") }

// glabCommand returns the call of glab.
func glabCommand(r *syntax.Release) string {
	command := &arguments{"glab", "release", "create", "-R", "$CI_PROJECT_PATH", shellText(r.TagName)}
	if len(r.Links) > 0 {
		links := make([]map[string]string, len(r.Links))
		for i, link := range r.Links {
			links[i] = linkFields(link, "direct_asset_path")
		}
		command.option("assets-links", jsonText(links))
	}
	command.option("milestone", strings.Join(r.Milestones, ","))
	command.option("name", r.Name)
	command.option("experimental-notes-text-or-file", r.Description)
	ref := r.Ref
	if ref == "" {
		ref = "$CI_COMMIT_SHA"
	}
	command.option("ref", ref)
	command.option("tag-message", r.TagMessage)
	command.option("released-at", r.ReleasedAt)
	return command.line() + " --no-update --no-close-milestone"
}

// releaseCommand returns the call of release-cli.
func releaseCommand(r *syntax.Release) string {
	command := &arguments{"release-cli", "create"}
	command.option("name", r.Name)
	command.option("description", r.Description)
	command.option("tag-name", r.TagName)
	command.option("tag-message", r.TagMessage)
	command.option("ref", r.Ref)
	command.option("released-at", r.ReleasedAt)
	for _, milestone := range r.Milestones {
		command.option("milestone", milestone)
	}
	for _, link := range r.Links {
		command.option("assets-link", jsonText(linkFields(link, "filepath")))
	}
	return command.line()
}

// linkFields returns a link as the client sends it; path is the name of the member that has its path.
func linkFields(link syntax.ReleaseLink, path string) map[string]string {
	fields := map[string]string{"name": link.Name, "url": link.URL}
	if link.FilePath != "" {
		fields[path] = link.FilePath
	}
	if link.LinkType != "" {
		fields["link_type"] = link.LinkType
	}
	return fields
}

// jsonText returns a value as JSON, with &, < and > as they are.
func jsonText(value any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // maps of strings can always be encoded
	return strings.TrimSpace(text.String())
}

// shellText quotes a text so that a shell expands $NAME in it and nothing else.
func shellText(s string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", "$(", `\$(`).Replace(s)
	return `"` + escaped + `"`
}
