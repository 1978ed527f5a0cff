package evalkit

import (
	"math"
	"testing"
)

func TestWilsonAgreesWithPublishedValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		k, n      int
		low, high float64
	}{{82, 82, 0.955, 1}, {0, 75, 0, 0.049}, {1, 82, 0.002, 0.066}, {0, 0, 0, 0}} {
		low, high := Wilson(tt.k, tt.n)
		if math.Abs(low-tt.low) > 0.0011 || math.Abs(high-tt.high) > 0.0011 {
			t.Errorf("Wilson(%d, %d) = %.4f to %.4f, want %.3f to %.3f", tt.k, tt.n, low, high, tt.low, tt.high)
		}
	}
}

func TestWhatIsNoNumberIsSaid(t *testing.T) {
	for _, text := range []string{"0", "-1", "many", "4294967296"} {
		t.Setenv("EVALKIT_TEST", text)
		if n, err := Number("EVALKIT_TEST", 3); err == nil {
			t.Errorf("%q is %d", text, n)
		}
	}
	t.Setenv("EVALKIT_TEST", "")
	if n, err := Number("EVALKIT_TEST", 3); n != 3 || err != nil {
		t.Errorf("nothing is %d, %v", n, err)
	}
}
