package main

import (
	"fmt"
	"strings"

	"svc/server/platform/build"
)

// manual returns the manual page, for man. It has the help texts of all commands.
func manual() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH SVC 1 \"\" \"svc %s\" \"User Commands\"\n", roff(build.APIVersion))
	section(&b, "NAME", "svc \\- host source-code projects and their CI/CD")
	b.WriteString(".SH SYNOPSIS\n.B svc\n.I COMMAND\n[\\fIFLAG\\fR ...]\n")
	section(&b, "DESCRIPTION", roff("svc is a service for git repositories, issues, merge requests, pipelines, packages and sites, "+
		"with a GitLab-compatible API. svc serve runs it; the other commands help to operate it. A running service shows its "+
		"guides and the reference of its API at /-/docs."))
	b.WriteString(".SH COMMANDS\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, ".TP\n.B svc %s\n%s\n", roff(c.name), roff(c.about))
	}
	for _, c := range commands() {
		fmt.Fprintf(&b, ".SH SVC %s\n", roff(strings.ToUpper(c.name)))
		literal(&b, c.manualText())
		for _, p := range c.parts {
			if p.usage != "" {
				fmt.Fprintf(&b, ".SS svc %s %s\n", roff(c.name), roff(p.name))
				literal(&b, p.usage)
			}
		}
	}
	section(&b, "EXIT STATUS", roff("0 if the command succeeded, 1 if it failed. svc conformance ends with 2 if it could not run, "+
		"svc doctor if it could not check everything."))
	section(&b, "FILES", roff("The Debian package reads /etc/svc/svc.env and keeps all data in /var/lib/svc."))
	section(&b, "SEE ALSO", ".BR git (1)")
	return b.String()
}

// manualText returns the help of a command without the table of settings, which is in the manual page once, with svc
// serve.
func (c command) manualText() string {
	about, _, found := strings.Cut(c.usage, settingsUsage(""))
	if !found || c.name == "serve" {
		return c.usage
	}
	return about + "\nIt reads the settings of svc serve.\n"
}

func section(b *strings.Builder, title, text string) {
	fmt.Fprintf(b, ".SH %s\n%s\n", title, text)
}

// literal writes a text with its own line breaks.
func literal(b *strings.Builder, text string) {
	b.WriteString(".nf\n")
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(roff(line) + "\n")
	}
	b.WriteString(".fi\n")
}

var roffSpecial = strings.NewReplacer(`\`, `\e`, "-", `\-`)

// roff escapes a line of text.
func roff(line string) string {
	line = roffSpecial.Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}
