package gitssh

import (
	"strings"

	"svc/store/git"
)

// parse reads the command that a git client sends: a service, and a path in quotes as git writes them. Everything else is
// false.
func parse(command string) (service git.Service, project string, ok bool) {
	if rest, dashed := strings.CutPrefix(command, "git "); dashed {
		command = "git-" + rest
	}
	name, quoted, ok := strings.Cut(command, " ")
	service = git.Service(name)
	if !ok || (service != git.UploadPack && service != git.ReceivePack) {
		return "", "", false
	}
	project, ok = projectPath(quoted)
	return service, project, ok
}

// projectPath is the project that a quoted path names.
func projectPath(quoted string) (string, bool) {
	path, ok := unquote(strings.TrimSpace(quoted))
	if !ok {
		return "", false
	}
	project := strings.TrimSuffix(strings.Trim(strings.TrimPrefix(path, "/~/"), "/"), ".git")
	return project, strings.Contains(project, "/")
}

// unquote undoes git's quoting: all is between single quotes, but for ! and ' with a backslash outside of them.
func unquote(text string) (string, bool) {
	if !strings.Contains(text, "'") {
		return text, text != "" && !strings.ContainsAny(text, "\"\\$`;&|<>(){}*?! \t\n")
	}
	var b strings.Builder
	inside := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'':
			inside = !inside
		case inside:
			b.WriteByte(c)
		case c == '\\' && i+1 < len(text) && (text[i+1] == '\'' || text[i+1] == '!'):
			i++
			b.WriteByte(text[i])
		default:
			return "", false
		}
	}
	return b.String(), !inside
}
