package wire

import (
	"crypto/rand"
	"encoding/binary"
	"time"
)

// The prefixes of ids.
const (
	StoreID       = "memstore_"
	MemoryID      = "mem_"
	VersionID     = "memver_"
	DreamID       = "drm_"
	SessionID     = "sesn_"
	EventID       = "sevt_"
	AgentID       = "agent_"
	EnvironmentID = "env_"
	APIKeyID      = "apikey_"
	WorkspaceID   = "wrkspc_"
	RequestID     = "req_"
)

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// NewID makes an id: the prefix, the time in milliseconds and 80 random bits, so that
// ids of one server sort by age and those of several do not meet.
func NewID(prefix string) string {
	var b [10]byte
	_, _ = rand.Read(b[:]) // it never fails
	return FixedID(prefix, time.Now(), b)
}

// FixedID makes the id of a moment and 80 bits that somebody worked out.
func FixedID(prefix string, at time.Time, bits [10]byte) string {
	var out [22]byte // 8 of the time, 14 of the rest: 62^14 > 2^80
	ms := uint64(at.UnixMilli())
	for i := 7; i >= 0; i-- {
		out[i] = digits[ms%62]
		ms /= 62
	}
	hi, lo := uint64(binary.BigEndian.Uint16(bits[:2])), binary.BigEndian.Uint64(bits[2:])
	for i := 21; i >= 8; i-- {
		// Divides the 80 bits by 62.
		r := hi % 62
		hi /= 62
		rest := r<<32 | lo>>32
		top := rest / 62
		rest = rest%62<<32 | lo&0xffffffff
		out[i] = digits[rest%62]
		lo = top<<32 | rest/62
	}
	return prefix + string(out[:])
}
