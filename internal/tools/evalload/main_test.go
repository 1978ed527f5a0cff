package main

import "testing"

func TestWhatWrkSaysIsRead(t *testing.T) {
	m, err := readWrk([]byte("  Latency Distribution\n     50%    2.10ms\n     99%   12.50ms\n  Non-2xx or 3xx responses: 3\nRequests/sec:   1437.20\n"))
	if err != nil || m.rate != 1437.2 || m.p99 != 12.5 || m.failed != 3 {
		t.Errorf("%+v %v", m, err)
	}
	if m, err = readWrk([]byte("99%  900.00us\nRequests/sec: 10\n")); err != nil || m.p99 != 0.9 {
		t.Errorf("%+v %v", m, err)
	}
	if _, err := readWrk([]byte("unable to connect")); err == nil {
		t.Error("an error of wrk is read as a figure")
	}
}
