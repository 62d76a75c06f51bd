package main

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
)

// residentFile returns how many KiB of files are in the memory of this process.
func residentFile(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), "RssFile:")
	kib, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kib
}

// Other tests run at the same time would bring pages back, so this test is not parallel.
func TestPagesOfTheProgramAreReleased(t *testing.T) {
	before := residentFile(t)
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	if err := releasePages(string(maps)); err != nil {
		t.Fatal(err)
	}
	if after := residentFile(t); after >= before {
		t.Errorf("%d KiB before, %d KiB after", before, after)
	}
	if err := releasePages("00400000-00500000 r-xp 00000000 fe:00 1 /other\n"); !errors.Is(err, errNoPages) {
		t.Errorf("without the program's file: %v", err)
	}
}
