// Package dist tests what make dist has written: it builds it again, compares the bytes, installs the Debian package,
// starts the container image and reads the lists of components. make dist-check runs it. The tests that install something
// do so in a throw-away copy of the machine's root folder, which needs root; without it they are skipped.
package dist
