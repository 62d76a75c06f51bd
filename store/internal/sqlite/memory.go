package sqlite

import "unsafe"

const pointerSize = int(unsafe.Sizeof(uintptr(0)))

// memoryAt returns bytes of SQLite's memory, which Go's garbage collector does not know. They must not be used after SQLite has
// freed them.
func memoryAt(address uintptr, length int) []byte {
	if address == 0 || length == 0 {
		return nil
	}
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), length)
}

// textAt is like memoryAt, for a text.
func textAt(address uintptr, length int) string {
	bytes := memoryAt(address, length)
	return unsafe.String(unsafe.SliceData(bytes), len(bytes))
}

// pointerAt returns the pointer that SQLite has stored at an address.
func pointerAt(address uintptr) uintptr { return **(**uintptr)(unsafe.Pointer(&address)) }

// intAt returns the C integer that SQLite has stored at an address.
func intAt(address uintptr) int { return int(**(**int32)(unsafe.Pointer(&address))) }
