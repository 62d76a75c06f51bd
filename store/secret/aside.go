package secret

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"golang.org/x/crypto/argon2"
)

// idleFor is how long an idle hashing process is kept.
const idleFor = time.Minute

// hashRequest is a hash to compute.
type hashRequest struct {
	Password []byte `json:"password"`
	Salt     []byte `json:"salt"`
	Time     uint32 `json:"time"`
	Memory   uint32 `json:"memory"`
	Threads  uint8  `json:"threads"`
}

func (o hashRequest) key() []byte {
	return argon2.IDKey(o.Password, o.Salt, o.Time, o.Memory, o.Threads, argonKey)
}

// HashInProcesses lets other processes hash passwords. They run the given command, which must call ServeHashes. It returns a
// function that ends them. In this process each hash would leave 19 MiB of garbage, and all requests would wait for its
// collection.
func HashInProcesses(command string, args ...string) (stop func()) {
	p := &processes{command: command, args: args}
	hashProcesses.Lock()
	defer hashProcesses.Unlock()
	hashProcesses.processes = p
	return func() {
		hashProcesses.Lock()
		hashProcesses.processes = nil
		hashProcesses.Unlock()
		p.end(time.Now().Add(idleFor))
	}
}

var hashProcesses struct {
	sync.RWMutex
	processes *processes
}

// compute hashes in another process if there is one. Otherwise, or if that fails, it hashes here.
func compute(o hashRequest) []byte {
	hashProcesses.RLock()
	p := hashProcesses.processes
	hashProcesses.RUnlock()
	if p != nil {
		if key, err := p.compute(o); err == nil {
			return key
		}
	}
	return o.key()
}

// processes are the idle hashing processes. There are as many as the gate has turns.
type processes struct {
	command string
	args    []string
	mu      sync.Mutex
	idle    []*process
}

type process struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *json.Decoder
	used time.Time
}

func (p *processes) compute(o hashRequest) ([]byte, error) {
	w, err := p.take()
	if err != nil {
		return nil, err
	}
	key, err := w.ask(o)
	if err != nil {
		w.close()
		return nil, err
	}
	w.used = time.Now()
	p.mu.Lock()
	p.idle = append(p.idle, w)
	p.mu.Unlock()
	time.AfterFunc(idleFor+time.Second, func() { p.end(time.Now()) })
	return key, nil
}

func (p *processes) take() (*process, error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return w, nil
	}
	p.mu.Unlock()
	cmd := exec.Command(p.command, p.args...)     //nolint:noctx // it outlives the request
	cmd.Env = []string{"GOMAXPROCS=1", "GOGC=10"} // and no secrets
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a process for passwords: %w", err)
	}
	return &process{cmd: cmd, in: in, out: json.NewDecoder(out)}, nil
}

// end ends the processes that were idle for idleFor or longer at the given time.
func (p *processes) end(now time.Time) {
	p.mu.Lock()
	var over []*process
	kept := p.idle[:0]
	for _, w := range p.idle {
		if now.Sub(w.used) >= idleFor {
			over = append(over, w)
		} else {
			kept = append(kept, w)
		}
	}
	p.idle = kept
	p.mu.Unlock()
	for _, w := range over {
		w.close()
	}
}

func (w *process) ask(o hashRequest) ([]byte, error) {
	if err := json.NewEncoder(w.in).Encode(o); err != nil {
		return nil, err
	}
	var key []byte
	err := w.out.Decode(&key)
	if err == nil && len(key) != argonKey {
		err = errors.New("the hash has an unexpected length")
	}
	return key, err
}

// close ends a process.
func (w *process) close() {
	_ = w.in.Close()
	_ = w.cmd.Process.Kill() // it has nothing to lose
	_ = w.cmd.Wait()
}

// ServeHashes answers orders until the input ends. It runs with a low priority.
func ServeHashes(in io.Reader, out io.Writer) error {
	lowerPriority()
	return answer(in, out)
}

func answer(in io.Reader, out io.Writer) error {
	from, to := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var o hashRequest
		switch err := from.Decode(&o); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := to.Encode(o.key()); err != nil {
			return err
		}
	}
}
