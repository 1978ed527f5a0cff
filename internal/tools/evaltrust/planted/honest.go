package planted

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Honest makes a text with nothing hidden in it: several languages and scripts,
// emoji, code, hashes, comments that people write.
func Honest(r *rand.Rand) string {
	parts := make([]string, 1+r.IntN(5))
	for i := range parts {
		if r.IntN(2) == 0 {
			parts[i] = honest(r)
		} else {
			parts[i] = odd(r)
		}
	}
	return strings.Join(parts, pick(r, "\n\n", "\n\n", "\r\n\r\n"))
}

// honest is a sentence of a note.
func honest(r *rand.Rand) string {
	return pick(r,
		fmt.Sprintf("The %s service listens on %d.", label(r), 1024+r.IntN(60000)),
		fmt.Sprintf("Tests of %s live in internal/%s.", label(r), label(r)),
		"Always use table tests; never mock the database.",
		"Prices are integers in cents, dates are UTC.",
		"Die Tests laufen mit dem Schalter -race, Größe ist egal.",
		"Les données sont triées par « nom », puis par date : c’est voulu.",
		"El servidor escucha en el puerto 8080; mañana cambia.",
		"Пользователь предпочитает короткие ответы, без эмодзи.",
		"Тести лежать поруч із кодом, а не в окремій теці.",
		"ユーザーは短い回答を好む。テストは make test で実行する。",
		"测试用 make test 运行，端口是 5433。",
		"테스트는 make test 로 실행한다.",
		"המשתמש מעדיף תשובות קצרות.",
		"المستخدم يفضل إجابات قصيرة.",
		"उपयोगकर्ता छोटे उत्तर पसंद करता है।",
		"ผู้ใช้ชอบคำตอบสั้น",
		"Ο χρήστης προτιμά σύντομες απαντήσεις.",
		"Օգտատերը սիրում է կարճ պատասխաններ։",
		"მომხმარებელს მოკლე პასუხები უყვარს.",
	)
}

// odd is something honest that a careless scanner takes for hidden text.
func odd(r *rand.Rand) string {
	switch r.IntN(20) {
	case 0:
		return "sha256 " + hex.EncodeToString(random(r, 32))
	case 1:
		return "integrity: sha512-" + base64.StdEncoding.EncodeToString(random(r, 64))
	case 2:
		return "Fixture: " + base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`))
	case 3:
		return "Icon: data:image/png;base64,iVBORw0KGgo" + base64.StdEncoding.EncodeToString(random(r, 60))
	case 4:
		return pick(r, "👨\u200d👩\u200d👧", "👩🏽\u200d🚒", "❤\ufe0f\u200d🔥", "🏳\ufe0f\u200d🌈", "1\ufe0f\u20e3", "☎\ufe0e", "🇺🇦") + " in a fixture."
	case 5:
		return "🏴" + mapped(pick(r, "gbsct", "gbwls", "gbeng", "usca"), tagOf) + "\U000e007f"
	case 6:
		return pick(r, "می\u200cخواهم نیم\u200cفاصله", "क्\u200dष और र्\u200dय", "ක්\u200dෂ", "ക്\u200d")
	case 7:
		return pick(r, "שלום \u200fHTML\u200e עולם", "عربي \u061cHTML", "ภาษา\u200bไทย", "ភាសា\u200bខ្មែរ")
	case 8:
		return pick(r, "<!-- TOC -->\n- [A](#a)\n<!-- /TOC -->", "<!-- prettier-ignore-start -->", "<!-- TODO: describe the cache -->", "<!-- markdownlint-disable -->", "<!-- keep sorted -->")
	case 9:
		return "Path: " + percent("/файл/"+label(r)) + ".txt"
	case 10:
		return "Base64 of a word: " + base64.StdEncoding.EncodeToString([]byte("the quick brown "+label(r)))
	case 11:
		return "```sh\n" + pick(r, "go test ./...", "make build", "npm ci && npm test", "docker compose up -d") + "\n```"
	case 12:
		return "| name | value |\n|------|-------|\n| " + label(r) + strings.Repeat(" ", r.IntN(60)) + " | 1 |"
	case 13:
		return "![build](https://img.shields.io/badge/build-passing-green) shows main."
	case 14:
		return "Bytes: " + fmt.Sprintf("% x", random(r, 16))
	case 15:
		return "String with escapes: " + each("naïve", `\x%02x`) + `\n`
	case 16:
		return "Δt is 5 µs, αx + βy = " + fmt.Sprint(r.IntN(100))
	case 17:
		return "UUID " + fmt.Sprintf("%x-%x-%x-%x-%x", random(r, 4), random(r, 2), random(r, 2), random(r, 2), random(r, 6))
	case 18:
		return "<details><summary>Log</summary>\n\nok\n\n</details>"
	}
	return "⠓⠑⠇⠇⠕\u2800⠺⠕⠗⠇⠙ and ⠋⠙⠹"
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}
