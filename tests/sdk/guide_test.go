package sdk

import (
	"os"
	"strings"
	"testing"
)

func TestTheGuideHasTheCommandsAndProgramsThatAreRun(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/sdks.md")
	if err != nil {
		t.Fatal(err)
	}
	for file, language := range map[string]string{
		"go.sh": "sh", "main.go.txt": "go", "small.sh": "sh", "small.go.txt": "go",
		"fetch.sh": "sh", "fetch.ts": "ts", "hey.sh": "sh", "hey.ts": "ts", "tsconfig.json": "json",
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(guide), "\n```"+language+"\n"+string(text)+"```\n") {
			t.Errorf("docs/sdks.md does not have %s as it is", file)
		}
	}
}
