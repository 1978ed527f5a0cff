package model

import (
	_ "embed" // the price list
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Price in dollars a million tokens.
type Price struct{ In, Out, CacheRead, CacheWrite float64 }

// ParsePrice reads what a person writes for a model that the list doesn't know:
// "IN/OUT", dollars a million tokens. What goes through a cache is counted as the
// rest, 25 % dearer when it is written there.
func ParsePrice(text string) (Price, error) {
	in, out, ok := strings.Cut(text, "/")
	a, err1 := strconv.ParseFloat(strings.TrimSpace(in), 64)
	b, err2 := strconv.ParseFloat(strings.TrimSpace(out), 64)
	if !ok || err1 != nil || err2 != nil || !(a >= 0 && b >= 0) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return Price{}, fmt.Errorf("%.40q is no price: write dollars a million tokens as IN/OUT, such as 2/10", text)
	}
	return Price{In: a, Out: b, CacheRead: a, CacheWrite: a * 1.25}, nil
}

// Cost in dollars.
func (p Price) Cost(u Usage) float64 {
	const million = 1e6
	return (float64(u.Input)*p.In + float64(u.Output)*p.Out + float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite) / million
}

// priceFunc knows the price for a prompt of so many tokens; nil: no price is known.
type priceFunc func(prompt int) Price

func always(p Price) priceFunc { return func(int) Price { return p } }

func (c *caller) priced(u Usage) Usage {
	if c.price != nil {
		u.Dollars = c.price(u.Input + u.CacheRead + u.CacheWrite).Cost(u)
	}
	return u
}

// priceText is the list: see its head for where it comes from. It is read when a
// model is opened and never before.
//
//go:embed prices.tsv
var priceText string

// band is the price from so many tokens of prompt on.
type band struct {
	from  int
	price Price
}

// priceList finds a model's price; nil when there is none. A prompt longer than a
// list's last known band costs the dearest that is known.
func priceList(provider, model string) priceFunc {
	if provider == ollamaName && !strings.HasSuffix(model, "cloud") {
		return always(Price{}) // one's own machine
	}
	names := map[string]string{claudeName: anthropicName, codexName: openaiName}
	if p, ok := names[provider]; ok {
		provider = p
	}
	var bands []band
	for line := range strings.Lines(priceText) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(f) == 7 && f[0] == provider && sameModel(f[1], model) {
			bands = append(bands, parseBand(f))
		}
	}
	if len(bands) == 0 {
		return nil
	}
	return func(prompt int) Price {
		p := bands[0].price
		for _, b := range bands {
			if prompt >= b.from {
				p = b.price
			}
		}
		return p
	}
}

// sameModel is true also for a dated version of a listed model.
func sameModel(listed, model string) bool {
	rest, ok := strings.CutPrefix(model, listed)
	if !ok {
		return false
	}
	digits := strings.ReplaceAll(strings.TrimPrefix(rest, "-"), "-", "")
	return rest == "" || len(digits) == len("20061025") && strings.Trim(digits, "0123456789") == ""
}

func parseBand(f []string) band {
	number := func(i int) float64 {
		v, _ := strconv.ParseFloat(f[i], 64) // a test reads the whole list
		return v
	}
	return band{int(number(2)), Price{In: number(3), Out: number(4), CacheRead: number(5), CacheWrite: number(6)}}
}
