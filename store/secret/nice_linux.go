package secret

import (
	"errors"
	"os"
	"strconv"
	"syscall"
	"time"
)

// niceness is how much lowerPriority lowers the priority: beside other processes that want to run, this process gets about a
// tenth of a core.
const niceness = 10

// lowerPriority lowers the priority of all threads; new threads inherit it. The kernel may weigh sessions before it weighs
// threads, and every connection of PostgreSQL is a session. So this process becomes a session, with the same priority.
// If one of these steps is not permitted, the others are still done.
func lowerPriority() {
	if _, err := syscall.Setsid(); err == nil {
		go lowerSessionPriority()
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, thread := range threads {
		if id, err := strconv.Atoi(thread.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, niceness)
		}
	}
}

// lowerSessionPriority tries for a while: the kernel permits only some of these changes a second.
func lowerSessionPriority() {
	const most, pause = 100, 200 * time.Millisecond
	for range most {
		if err := os.WriteFile("/proc/self/autogroup", []byte(strconv.Itoa(niceness)), 0); !errors.Is(err, syscall.EAGAIN) {
			return
		}
		time.Sleep(pause)
	}
}
