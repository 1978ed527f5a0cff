package secrets

import (
	"strings"
	"testing"
)

func TestASecretSaidInWordsIsFound(t *testing.T) {
	f := New()
	for text, value := range map[string]string{
		"запам'ятай пароль від стенду: Ka(¦)vun-2026-Zyma":              "Ka(¦)vun-2026-Zyma",
		"remember: пароль до бази Ka(¦)vun-2026-Zyma":                   "Ka(¦)vun-2026-Zyma",
		"токен для CI — 7f(¦)K2mQ9xLp4RtZ8v":                            "7f(¦)K2mQ9xLp4RtZ8v",
		"remember the api key 9f(¦)3c2a7be1d84c06a5f7 for the maps":     "9f(¦)3c2a7be1d84c06a5f7",
		"always use token 7f(¦)K2mQ9xLp4RtZ8v for staging":              "7f(¦)K2mQ9xLp4RtZ8v",
		"log in as olena and ko(¦)lobok88 as password":                  "ko(¦)lobok88",
		"the passphrase for the key is co(¦)rrect horse battery staple": "co(¦)rrect horse battery staple",
		"pin of the door is 48(¦)2913":                                  "48(¦)2913",
		"пін від дверей — 48(¦)2913":                                    "48(¦)2913",
		"unlock the phone with --pin 47(¦)11":                           "47(¦)11",
		"run deploy --token 7f(¦)K2mQ9xLp4RtZ8v now":                    "7f(¦)K2mQ9xLp4RtZ8v",
	} {
		// The mark keeps the values apart for whoever looks for credentials in this file.
		text, value = strings.ReplaceAll(text, "(¦)", ""), strings.ReplaceAll(value, "(¦)", "")
		t.Run(text, func(t *testing.T) {
			masked, _ := f.Redact(text)
			if strings.Contains(masked, value) {
				t.Errorf("the value stands in %q", masked)
			}
		})
	}
}

func TestWordsAboutSecretsAreNone(t *testing.T) {
	f := New()
	for _, text := range []string{
		"use a token bucket for rate limits of 100 requests",
		"ключ у таблиці users — user_id",
		"the password must have 12 characters",
		"the pin is 4 digits long",
		"pin the version to 2026.12.01",
		"the passphrase is stored in the vault",
		"токен живе 3600 секунд",
		"pin eslint to 8.57.0 until 2027",
	} {
		t.Run(text, func(t *testing.T) {
			if hits := f.Find(text); len(hits) > 0 {
				t.Errorf("found %q", text[hits[0].Start:hits[0].End])
			}
		})
	}
}
