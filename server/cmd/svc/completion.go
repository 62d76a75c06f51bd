package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

const completionUsage = `svc completion prints the script that completes commands and flags of svc in a shell.

  svc completion bash  for a file in /usr/share/bash-completion/completions, or: source <(svc completion bash)
  svc completion zsh   for a file _svc in a folder of $fpath
  svc completion fish  for a file in ~/.config/fish/completions
`

// shells are the shells with completion.
var shells = []string{"bash", "zsh", "fish"}

func completionParts() (parts []part) {
	for _, name := range shells {
		parts = append(parts, part{name: name, about: "print the script for " + name})
	}
	return parts
}

// printCompletion runs svc completion.
func printCompletion(args []string, out io.Writer) error {
	if len(args) != 1 {
		return fmt.Errorf("svc completion needs the name of a shell\n\n%s", completionUsage)
	}
	var text string
	switch args[0] {
	case "bash":
		text = bashScript()
	case "zsh":
		text = zshScript()
	case "fish":
		text = fishScript()
	case "--help", "-h":
		text = completionUsage
	default:
		return fmt.Errorf("there is no completion for %q\n\n%s", args[0], completionUsage)
	}
	_, err := io.WriteString(out, text)
	return err
}

var flagLine = regexp.MustCompile(`(?m)^ +(--[a-z][a-z0-9-]*)`)

// flagsIn returns the flags that a help text describes.
func flagsIn(usage string) []string {
	var flags []string
	for _, found := range flagLine.FindAllStringSubmatch(usage, -1) {
		if !slices.Contains(flags, found[1]) {
			flags = append(flags, found[1])
		}
	}
	return append(flags, "--help")
}

// completed is a place on the command line: after svc COMMAND, or after svc COMMAND PART.
type completed struct {
	command, part string
	flags         []string
}

// completions returns every place with its flags. A part comes before its command, which stands for all other parts.
func completions() (places []completed) {
	for _, c := range commands() {
		for _, p := range c.parts {
			if p.usage != "" {
				places = append(places, completed{c.name, p.name, flagsIn(p.usage)})
			}
		}
		places = append(places, completed{command: c.name, flags: flagsIn(c.usage)})
	}
	return places
}

// pattern returns the pattern of the place, for a case of bash and zsh. The text has the number of the current word, the
// command and the part.
func (c completed) pattern() string {
	if c.part == "" {
		return fmt.Sprintf("*\" %s \"*", c.command)
	}
	return fmt.Sprintf("*\" %s %s\"", c.command, c.part)
}

func partNames(c command) (names []string) {
	for _, p := range c.parts {
		names = append(names, p.name)
	}
	return names
}

func bashScript() string {
	var b strings.Builder
	b.WriteString(`# Completion of svc for bash; "svc completion bash" has printed it.
_svc() {
    local current=${COMP_WORDS[COMP_CWORD]} words=
    case "$COMP_CWORD ${COMP_WORDS[1]} ${COMP_WORDS[2]}" in
`)
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	fmt.Fprintf(&b, "    \"1 \"*) words='%s' ;;\n", strings.Join(names, " "))
	for _, c := range commands() {
		if len(c.parts) > 0 {
			fmt.Fprintf(&b, "    \"2 %s \"*) words='%s --help' ;;\n", c.name, strings.Join(partNames(c), " "))
		}
	}
	for _, p := range completions() {
		fmt.Fprintf(&b, "    %s) words='%s' ;;\n", p.pattern(), strings.Join(p.flags, " "))
	}
	b.WriteString(`    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _svc svc
`)
	return b.String()
}

func zshScript() string {
	var b strings.Builder
	b.WriteString(`#compdef svc
# Completion of svc for zsh; "svc completion zsh" has printed it.
_svc() {
    local -a choices
    case "$CURRENT ${words[2]} ${words[3]}" in
    ("2 "*) choices=(`)
	for _, c := range commands() {
		b.WriteString(zshChoice(c.name, c.about))
	}
	b.WriteString("); _describe command choices; return ;;\n")
	for _, c := range commands() {
		if len(c.parts) == 0 {
			continue
		}
		fmt.Fprintf(&b, "    (\"3 %s \"*) choices=(", c.name)
		for _, p := range c.parts {
			b.WriteString(zshChoice(p.name, p.about))
		}
		b.WriteString("); _describe command choices; return ;;\n")
	}
	for _, p := range completions() {
		fmt.Fprintf(&b, "    (%s) choices=(%s) ;;\n", p.pattern(), strings.Join(p.flags, " "))
	}
	b.WriteString(`    esac
    if [[ ${words[CURRENT]} == -* ]]; then
        compadd -- $choices
    else
        _files
    fi
}
_svc "$@"
`)
	return b.String()
}

func zshChoice(name, about string) string {
	return fmt.Sprintf("\n        %s", quote(name+":"+strings.ReplaceAll(about, ":", `\:`)))
}

func fishScript() string {
	var b strings.Builder
	b.WriteString("# Completion of svc for fish; \"svc completion fish\" has printed it.\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "complete -c svc -f -n __fish_use_subcommand -a %s -d %s\n", c.name, quote(c.about))
	}
	for _, c := range commands() {
		if len(c.parts) == 0 {
			continue
		}
		place := "__fish_seen_subcommand_from " + c.name +
			"; and not __fish_seen_subcommand_from " + strings.Join(partNames(c), " ")
		for _, p := range c.parts {
			fmt.Fprintf(&b, "complete -c svc -f -n %s -a %s -d %s\n", quote(place), p.name, quote(p.about))
		}
	}
	for _, p := range completions() {
		place := "__fish_seen_subcommand_from " + p.command
		if p.part != "" {
			place += "; and __fish_seen_subcommand_from " + p.part
		}
		for _, name := range p.flags {
			fmt.Fprintf(&b, "complete -c svc -n %s -l %s\n", quote(place), strings.TrimPrefix(name, "--"))
		}
	}
	return b.String()
}

// quote returns a text in single quotes, for a shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
