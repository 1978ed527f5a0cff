// Package evalkit is what the evaluations have in common: how a share of n is
// told, and how a number comes from the environment.
package evalkit

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

// Wilson returns the 95 % score interval of the share k of n, both from 0 to 1; 0
// and 0 for none of none.
func Wilson(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 0
	}
	const z = 1.959963984540054
	p, m := float64(k)/float64(n), float64(n)
	centre := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, centre-half), min(1, centre+half)
}

// A Share is k of n with its 95 % Wilson interval.
type Share struct {
	K    int     `json:"k"`
	N    int     `json:"n"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Of is the share k of n.
func Of(k, n int) Share {
	low, high := Wilson(k, n)
	return Share{K: k, N: n, Low: low, High: high}
}

func (s Share) String() string {
	if s.N == 0 {
		return "    - of     0                      "
	}
	return fmt.Sprintf("%5d of %5d %6.2f%% [%5.1f %5.1f]", s.K, s.N, 100*float64(s.K)/float64(s.N), 100*s.Low, 100*s.High)
}

// Number returns the number that an environment variable holds, or another one
// where it is not set.
func Number(name string, otherwise uint64) (uint64, error) {
	s := os.Getenv(name)
	if s == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%s=%q is no number from 1 to 4294967295", name, s)
	}
	return n, nil
}
