package listen

import (
	"net"
	"os"
	"strings"
	"time"
)

// The states of the service that its manager knows.
const (
	Ready     = "READY=1"
	Reloading = "RELOADING=1"
	Stopping  = "STOPPING=1"
)

// Manager is the service manager that has started this process, such as systemd. The zero value is none.
type Manager struct{ socket string }

// FindManager returns the manager that the environment names. Programs that this process starts do not inherit it.
func FindManager() Manager {
	m := Manager{socket: os.Getenv("NOTIFY_SOCKET")}
	_ = os.Unsetenv("NOTIFY_SOCKET") // fails only for an invalid name
	return m
}

// notifyTime is how long a message may take.
const notifyTime = time.Second

// Tell sends lines such as Ready to the manager. Without a manager, it does nothing.
func (m Manager) Tell(lines ...string) error {
	if m.socket == "" {
		return nil
	}
	conn, err := net.DialTimeout("unixgram", m.socket, notifyTime)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetWriteDeadline(time.Now().Add(notifyTime)); err != nil {
		return err
	}
	_, err = conn.Write([]byte(strings.Join(lines, "\n")))
	return err
}
