package avatar

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
)

// pictures returns a small picture of every accepted format, by file extension.
func pictures(t *testing.T) map[string][]byte {
	t.Helper()
	dot := image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.Black, color.White})
	var asPNG, asJPEG, asGIF bytes.Buffer
	if err := errors.Join(png.Encode(&asPNG, dot), jpeg.Encode(&asJPEG, dot, nil), gif.Encode(&asGIF, dot, nil)); err != nil {
		t.Fatal(err)
	}
	little := binary.LittleEndian
	bmp := append([]byte("BM"), make([]byte, 56)...)
	little.PutUint32(bmp[2:], uint32(len(bmp)))
	little.PutUint32(bmp[10:], 54)
	little.PutUint32(bmp[14:], 40)
	webp := append([]byte("RIFF\x00\x00\x00\x00WEBPVP8L"), make([]byte, 12)...)
	little.PutUint32(webp[4:], uint32(len(webp)-8))
	ico := make([]byte, 22)
	ico[2], ico[4] = 1, 1
	little.PutUint32(ico[14:], uint32(asPNG.Len()))
	little.PutUint32(ico[18:], 22)
	return map[string][]byte{
		"png": asPNG.Bytes(), "jpg": asJPEG.Bytes(), "gif": asGIF.Bytes(), "bmp": bmp, "webp": webp, "ico": append(ico, asPNG.Bytes()...),
	}
}

func TestPicturesAreToldByTheirBytes(t *testing.T) {
	t.Parallel()
	for ending, data := range pictures(t) {
		got, err := Read(wire.Some(data))
		if err != nil || !strings.HasSuffix(got.FileName, "."+ending) || !strings.HasPrefix(got.ContentType, "image/") ||
			!bytes.Equal(got.Data, data) {
			t.Errorf("%s: %+v, %v", ending, got, err)
		}
		// The first bytes alone are not a picture.
		for _, cut := range [][]byte{data[:4], data[:8], data[:12]} {
			if got, err := Read(wire.Some(cut)); err == nil {
				t.Errorf("the first %d bytes of %s: %s", len(cut), ending, got.ContentType)
			}
		}
	}
	for _, text := range []string{
		"x", "\x00", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "<?xml version='1.0'?><svg/>",
		"<html><script>alert(1)</script>",
		"GIF89a<script>alert(1)</script>"[:10], "BM<script>alert(1)</script>",
		"\x89PNG\r\n\x1a\n<script>alert(1)</script>", "\xff\xd8\xff<script>alert(1)</script>",
		"RIFF\xff\xff\xff\xffWEBPVP8 ", "\x00\x00\x01\x00\xff\xff", "\x00\x00\x01\x00\x00\x00", "%PDF-1.7", "PK\x03\x04",
	} {
		var told *apierr.Error
		if got, err := Read(wire.Some([]byte(text))); !errors.As(err, &told) || told.Status != 400 || got != nil {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

func TestAPictureHasAMostSizeAndNoneIsNone(t *testing.T) {
	t.Parallel()
	data := pictures(t)["png"]
	most := append(bytes.Clone(data), make([]byte, MaxSize-len(data))...)
	if _, err := Read(wire.Some(most)); err != nil {
		t.Errorf("%d bytes: %v", len(most), err)
	}
	if _, err := Read(wire.Some(append(most, 0))); err == nil {
		t.Error("a byte more is taken")
	}
	if got, err := Read(wire.Optional[[]byte]{}); got != nil || err != nil {
		t.Errorf("not given: %v, %v", got, err)
	}
	for _, none := range []wire.Optional[[]byte]{wire.Null[[]byte](), wire.Some([]byte{})} {
		if got, err := Read(none); got == nil || len(got.Data) > 0 || err != nil {
			t.Errorf("taken away: %v, %v", got, err)
		}
	}
}
