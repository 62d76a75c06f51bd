// Package avatar checks the pictures that callers upload.
package avatar

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/store/model"
	"svc/store/secret"
)

// MaxSize is the maximum size of a picture in bytes.
const MaxSize = 200 << 10

const (
	tooBig  = "is too big (should be at most 200 KiB)"
	unknown = "file format is not supported. Please try one of the following supported formats: " +
		"image/png, image/jpeg, image/gif, image/bmp, image/webp, image/vnd.microsoft.icon"
)

// format is an accepted picture format. SVG is not accepted, because it can carry scripts.
type format struct {
	contentType, ending string
	reads               func([]byte) bool
}

// formats maps detected content types to formats. The format is detected from the bytes, never from a name or type that
// the caller declares.
var formats = map[string]format{
	"image/png":    {"image/png", "png", isPNG},
	"image/jpeg":   {"image/jpeg", "jpg", isJPEG},
	"image/gif":    {"image/gif", "gif", isGIF},
	"image/bmp":    {"image/bmp", "bmp", isBMP},
	"image/webp":   {"image/webp", "webp", isWebP},
	"image/x-icon": {"image/vnd.microsoft.icon", "ico", isIcon},
}

// Read returns the picture that a caller sends. It returns nil if the field is not set, and a picture without bytes if
// it is null or empty, which removes the picture. The result fits Store.Avatars.Put.
func Read(given wire.Optional[[]byte]) (*model.Avatar, error) {
	if !given.IsSet() {
		return nil, nil
	}
	data := given.Ptr()
	if data == nil || len(*data) == 0 {
		return &model.Avatar{}, nil
	}
	if len(*data) > MaxSize {
		return nil, apierr.Invalid("avatar", tooBig)
	}
	found, known := formats[http.DetectContentType(*data)]
	if !known || !found.reads(*data) {
		return nil, apierr.Invalid("avatar", unknown)
	}
	digest := secret.Digest(string(*data))
	return &model.Avatar{
		FileName: fmt.Sprintf("%s.%s", hex.EncodeToString(digest[:8]), found.ending), ContentType: found.contentType,
		Digest: digest, Data: *data,
	}, nil
}

func isPNG(b []byte) bool {
	_, err := png.DecodeConfig(bytes.NewReader(b))
	return err == nil
}

func isJPEG(b []byte) bool {
	_, err := jpeg.DecodeConfig(bytes.NewReader(b))
	return err == nil
}

func isGIF(b []byte) bool {
	_, err := gif.DecodeConfig(bytes.NewReader(b))
	return err == nil
}

// isBMP checks the size of the second header, which has only a few valid values, and where the pixels begin.
func isBMP(b []byte) bool {
	if len(b) < 26 {
		return false
	}
	switch binary.LittleEndian.Uint32(b[14:]) {
	case 12, 40, 52, 56, 64, 108, 124:
		return uint64(binary.LittleEndian.Uint32(b[10:])) <= uint64(len(b))
	}
	return false
}

// isWebP checks the length in the file header and the type of the first chunk.
func isWebP(b []byte) bool {
	if len(b) < 20 || uint64(binary.LittleEndian.Uint32(b[4:]))+8 > uint64(len(b)) {
		return false
	}
	chunk := string(b[12:16])
	return chunk == "VP8 " || chunk == "VP8L" || chunk == "VP8X"
}

// isIcon checks that all images in the directory of the file lie within the file.
func isIcon(b []byte) bool {
	if len(b) < 6 {
		return false
	}
	count := int(binary.LittleEndian.Uint16(b[4:]))
	if count == 0 || len(b) < 6+16*count {
		return false
	}
	for i := range count {
		entry := b[6+16*i:]
		size, offset := uint64(binary.LittleEndian.Uint32(entry[8:])), uint64(binary.LittleEndian.Uint32(entry[12:]))
		if size == 0 || offset < uint64(6+16*count) || offset+size > uint64(len(b)) {
			return false
		}
	}
	return true
}
