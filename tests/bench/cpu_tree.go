package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/tests/cputime"
)

// tick is the unit in which /proc counts the time of processes that have ended.
const tick = 10 * time.Millisecond

// treeCPU returns the CPU time of a process, of the children that it has waited for, and of those that still run.
func treeCPU(pid int) (time.Duration, error) {
	own, err := cputime.Of(pid)
	if err != nil {
		return 0, err
	}
	fields, err := statOf(pid)
	if err != nil {
		return 0, err
	}
	total := own + ticks(fields[13]) + ticks(fields[14]) // of children that have ended
	children, err := childrenOf(pid)
	if err != nil {
		return 0, err
	}
	for _, child := range children {
		if spent, err := treeCPU(child); err == nil { // a child that has just ended is counted next time
			total += spent
		}
	}
	return total, nil
}

// descendants returns the ids of all descendants of a process, sorted.
func descendants(pid int) ([]int, error) {
	all, err := childrenOf(pid)
	if err != nil {
		return nil, err
	}
	for _, child := range slices.Clone(all) {
		more, err := descendants(child)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	slices.Sort(all)
	return all, nil
}

func childrenOf(pid int) (children []int, err error) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil, err
	}
	for _, task := range tasks {
		data, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has ended
		}
		for _, text := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(text); err == nil {
				children = append(children, child)
			}
		}
	}
	return children, nil
}

// statOf returns the fields of /proc/<pid>/stat after the process name. The first is the state.
func statOf(pid int) ([]string, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil, err
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 15 {
		return nil, fmt.Errorf("/proc/%d/stat cannot be read", pid)
	}
	return fields, nil
}

func ticks(text string) time.Duration {
	n, _ := strconv.ParseInt(text, 10, 64)
	return time.Duration(n) * tick
}
