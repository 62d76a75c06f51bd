package launchers

import (
	"os"
	"strings"
	"testing"
)

func TestTheReadmesAndTheGuideHaveTheExamples(t *testing.T) {
	t.Parallel()
	for file, language := range map[string]string{
		"python/conftest.py": "python", "python/test_example.py": "python", "node/example.test.mjs": "js",
	} {
		example, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		folder, _, _ := strings.Cut(file, "/")
		for _, page := range []string{folder + "/README.md", "../../docs/testing-clients.md"} {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), "\n```"+language+"\n"+string(example)+"```\n") {
				t.Errorf("%s does not have %s as it is", page, file)
			}
		}
	}
}
