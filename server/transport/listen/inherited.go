package listen

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Names are the names of sockets that a service manager can open for the service. The control plane for tests is never
// among them.
var Names = []string{"web", "redirect", "ssh", "sites", "sites-tls"}

// firstDescriptor is the number of the first socket that is passed on.
const firstDescriptor = 3

// maxInherited is the largest number of sockets that are passed on.
const maxInherited = 16

// Inherited returns the sockets that the service manager has opened for this process, by name (the protocol of systemd:
// LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES). The only socket, if it has another name, is called web. Programs that this
// process starts do not inherit them.
func Inherited() (map[string]net.Listener, error) {
	process, count, names := os.Getenv("LISTEN_PID"), os.Getenv("LISTEN_FDS"), os.Getenv("LISTEN_FDNAMES")
	for _, variable := range []string{"LISTEN_PID", "LISTEN_PIDFDID", "LISTEN_FDS", "LISTEN_FDNAMES"} {
		if err := os.Unsetenv(variable); err != nil {
			return nil, err
		}
	}
	if count == "" || process != strconv.Itoa(os.Getpid()) {
		return nil, nil // for another process
	}
	number, err := strconv.Atoi(count)
	if err != nil || number < 0 || number > maxInherited {
		return nil, fmt.Errorf("LISTEN_FDS: %q is not a number from 0 to %d", count, maxInherited)
	}
	return named(strings.Split(names, ":"), number)
}

// named opens the inherited sockets under their names.
func named(names []string, count int) (map[string]net.Listener, error) {
	all := map[string]net.Listener{}
	var wrong []error
	for i := range count {
		name := ""
		if i < len(names) {
			name = names[i]
		}
		if count == 1 && !slices.Contains(Names, name) && name != "control" {
			name = "web" // systemd calls it as the unit
		}
		file := os.NewFile(uintptr(firstDescriptor+i), name)
		listener, err := net.FileListener(file) // a copy, which no other program inherits
		file.Close()
		switch {
		case err != nil:
			err = fmt.Errorf("the socket %q of the service manager: %w", name, err)
		case !slices.Contains(Names, name):
			err = fmt.Errorf("the service manager has opened a socket with the name %q; FileDescriptorName must be one of %s",
				name, strings.Join(Names, ", "))
		case all[name] != nil:
			err = fmt.Errorf("the service manager has opened two sockets with the name %q", name)
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		if listener.Addr().Network() == "unix" {
			listener = local{listener}
		}
		all[name] = listener
	}
	return all, errors.Join(wrong...)
}
