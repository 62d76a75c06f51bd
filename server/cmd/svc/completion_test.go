package main

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// printed returns what a command prints.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), args, &out); err != nil {
		t.Fatalf("svc %v: %v", args, err)
	}
	return out.String()
}

func TestEveryCommandIsInTheOverviewTheManualAndTheCompletion(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"svc help": printed(t, "help"), "svc help --man": printed(t, "help", "--man")}
	texts["svc help --man"] = strings.ReplaceAll(texts["svc help --man"], `\-`, "-")
	for _, shell := range shells {
		texts["svc completion "+shell] = printed(t, "completion", shell)
	}
	for _, c := range commands() {
		if c.about == "" || c.usage == "" {
			t.Errorf("svc %s has no help", c.name)
		}
		for where, text := range texts {
			if !strings.Contains(text, c.name) {
				t.Errorf("%s does not name %s", where, c.name)
			}
			for _, p := range c.parts {
				if where != "svc help" && !strings.Contains(text, p.name) {
					t.Errorf("%s does not name %s %s", where, c.name, p.name)
				}
			}
		}
		if got := printed(t, "help", c.name); got != c.usage {
			t.Errorf("svc help %s prints %q", c.name, got)
		}
	}
	for _, want := range []string{"--listen", "--email", "--markdown", "--ephemeral"} {
		for _, shell := range shells {
			if name := strings.TrimPrefix(want, "--"); !strings.Contains(texts["svc completion "+shell], name) {
				t.Errorf("%s does not complete %s", shell, want)
			}
		}
	}
}

func TestEveryCommandDescribesItself(t *testing.T) {
	t.Parallel()
	for _, c := range commands() {
		var out bytes.Buffer
		_ = c.run(t.Context(), []string{"--help"}, &out) // some commands return flag.ErrHelp, which main ignores
		if out.String() != c.usage {
			t.Errorf("svc %s --help prints:\n%s", c.name, out.String())
		}
	}
}

func TestWrongUseOfHelpAndCompletionIsRefused(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"help", "dance"},
		{"help", "serve", "now"},
		{"help", "--man", "serve"},
		{"completion"},
		{"completion", "dash"},
		{"completion", "bash", "zsh"},
	} {
		var out bytes.Buffer
		if err := run(t.Context(), args, &out); err == nil || out.Len() > 0 {
			t.Errorf("svc %v: %v, printed %q", args, err, out.String())
		}
	}
}

// complete returns what bash offers for a command line.
func complete(t *testing.T, script string, words ...string) string {
	t.Helper()
	line := script + "\nCOMP_WORDS=(" + strings.Join(words, " ") + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n" +
		"_svc\necho \"${COMPREPLY[@]}\"\n"
	out, err := exec.CommandContext(t.Context(), "bash", "-c", line).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestBashCompletesCommandsAndFlags(t *testing.T) {
	t.Parallel()
	script := printed(t, "completion", "bash")
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"svc", "mig"}, "migrate migrate-database"},
		{[]string{"svc", "doct"}, "doctor"},
		{[]string{"svc", "doctor", "--de"}, "--deep"},
		{[]string{"svc", "restore", "backup.svc", "--ch"}, "--check"},
		{[]string{"svc", "config", "check", "--js"}, "--json"},
		{[]string{"svc", "admin", "make"}, "make-admin"},
		{[]string{"svc", "admin", "create-user", "--em"}, "--email"},
		{[]string{"svc", "serve", "--ephem"}, "--ephemeral"},
		{[]string{"svc", "serve", "--data", "x", "--ephem"}, "--ephemeral"},
		{[]string{"svc", "fixtures", "sch"}, "schema"},
		{[]string{"svc", "abilities", "--m"}, "--markdown"},
		{[]string{"svc", "nothing", "--m"}, ""},
	} {
		if got := complete(t, script, c.words...); got != c.want {
			t.Errorf("%v is completed to %q, not to %q", c.words, got, c.want)
		}
	}
}

func TestTheManualPageHasNoLineThatRoffWouldMisread(t *testing.T) {
	t.Parallel()
	requests := strings.Fields(".TH .SH .SS .TP .B .BR .I .nf .fi")
	for line := range strings.SplitSeq(printed(t, "help", "--man"), "\n") {
		word, _, _ := strings.Cut(line, " ")
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !slices.Contains(requests, word) {
			t.Errorf("%q", line)
		}
	}
}
