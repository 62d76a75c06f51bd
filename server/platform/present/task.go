package present

import (
	"regexp"
	"strings"

	"svc/gen"
)

var (
	codeBlock = regexp.MustCompile("(?ms)^ {0,3}(```|~~~).*?(?:^ {0,3}(```|~~~)[ \t]*$|\\z)")
	task      = regexp.MustCompile(`(?m)^\s{0,20}(?:>\s?)*(?:[-*+]|\d{1,9}[.)])\s+\[([ xX~])\]\s`)
)

// Tasks presents the number of boxes in the task lists of a description, and how many are ticked.
func Tasks(description *string) gen.TaskCompletionStatus {
	if description == nil {
		return gen.TaskCompletionStatus{}
	}
	count, done := countTasks(*description)
	return gen.TaskCompletionStatus{Count: count, CompletedCount: done}
}

// countTasks counts the boxes of task lists outside of code blocks, and those that are ticked.
func countTasks(text string) (count, done int) {
	if !strings.Contains(text, "[") {
		return 0, 0
	}
	for _, m := range task.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, "")+"\n", -1) {
		count++
		if m[1] == "x" || m[1] == "X" {
			done++
		}
	}
	return count, done
}
