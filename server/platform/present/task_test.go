package present

import "testing"

func TestTasksAreCounted(t *testing.T) {
	t.Parallel()
	count, done := countTasks("- [ ] a\n- [x] b\n  * [X] c\n1. [ ] d\n[x] no\n```\n- [x] code\n```\n")
	if count != 4 || done != 2 {
		t.Errorf("%d of %d", done, count)
	}
}
