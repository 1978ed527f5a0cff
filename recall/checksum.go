package recall

import (
	"encoding/binary"
	"math/bits"
)

// checksum tells bytes from the same bytes damaged: a torn write, a page of
// zeros, a flipped bit. It is no defence against somebody who plants a file. Four
// lanes, since one multiplication waits for the one before it.
func checksum(b []byte) uint64 {
	const prime = 0x9E3779B185EBCA87
	lanes := [4]uint64{1, 2, 3, 4}
	sum := uint64(len(b))
	for len(b) >= 32 {
		lanes[0] = bits.RotateLeft64(lanes[0]^binary.LittleEndian.Uint64(b), 29) * prime
		lanes[1] = bits.RotateLeft64(lanes[1]^binary.LittleEndian.Uint64(b[8:]), 29) * prime
		lanes[2] = bits.RotateLeft64(lanes[2]^binary.LittleEndian.Uint64(b[16:]), 29) * prime
		lanes[3] = bits.RotateLeft64(lanes[3]^binary.LittleEndian.Uint64(b[24:]), 29) * prime
		b = b[32:]
	}
	for _, c := range b {
		sum = (sum ^ uint64(c)) * prime
	}
	for _, l := range lanes {
		sum = bits.RotateLeft64(sum^l, 31) * prime
	}
	return sum ^ sum>>29
}
