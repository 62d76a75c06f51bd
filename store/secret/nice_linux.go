package secret

import (
	"errors"
	"os"
	"strconv"
	"syscall"
	"time"
)

// niceness is how far this process steps back: beside others that want to run it gets about a tenth of a core.
const niceness = 10

// stepBack lowers the priority of all threads; those to come take it from them. The kernel may weigh sessions before it
// weighs threads, and every connection of PostgreSQL is a session: so this process becomes one, with that priority. Where
// something of this may not be, the rest is done.
func stepBack() {
	if _, err := syscall.Setsid(); err == nil {
		go stepBackAsSession()
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

// stepBackAsSession tries for a while: the kernel grants only some of these a second.
func stepBackAsSession() {
	const most, pause = 100, 200 * time.Millisecond
	for range most {
		if err := os.WriteFile("/proc/self/autogroup", []byte(strconv.Itoa(niceness)), 0); !errors.Is(err, syscall.EAGAIN) {
			return
		}
		time.Sleep(pause)
	}
}
