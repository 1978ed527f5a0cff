package words

import "strings"

// English forms that no rule of endings leads to their word, each before it.
const irregular = " went go gone go goes go bought buy brought bring thought think taught teach caught catch fought fight " +
	"sought seek felt feel kept keep slept sleep left leave lost lose met meet sent send spent spend " +
	"built build lent lend bent bend told tell sold sell said say paid pay laid lay made make heard hear " +
	"held hold stood stand understood understand found find saw see seen see ate eat eaten eat gave give " +
	"given give took take taken take shook shake wrote write written write drove drive driven drive rode ride " +
	"ridden ride risen rise broke break broken break spoke speak spoken speak chose choose chosen choose " +
	"froze freeze frozen freeze stole steal stolen steal woke wake woken wake wore wear worn wear tore tear " +
	"torn tear swore swear sworn swear grew grow grown grow knew know known know threw throw thrown throw " +
	"flew fly flown fly drew draw drawn draw blew blow blown blow began begin begun begin ran run sang sing " +
	"sung sing swam swim swum swim drank drink drunk drink rang ring rung ring sank sink sunk sink won win " +
	"hung hang dug dig stuck stick struck strike fell fall fallen fall came come became become " +
	"overcame overcome forgot forget forgotten forget forgave forgive hid hide hidden hide bitten bite " +
	"lit light led lead fed feed fled flee bled bleed bred breed shot shoot sat sit dealt deal meant mean " +
	"dreamt dream learnt learn burnt burn children child men man women woman people person mice mouse " +
	"feet foot teeth tooth geese goose wives wife knives knife shelves shelf halves half wolves wolf " +
	"indices index vertices vertex matrices matrix analyses analysis criteria criterion "

// regular returns the word that an irregular form is of, or the key itself.
func regular(key string) string {
	rest := irregular
	for {
		at := strings.Index(rest, " "+key+" ")
		if at < 0 {
			return key
		}
		// Forms stand at even places: a word that is no form stands at odd ones.
		if strings.Count(irregular[:len(irregular)-len(rest)+at], " ")%2 == 0 {
			word, _, _ := strings.Cut(rest[at+len(key)+2:], " ")
			return word
		}
		rest = rest[at+1+len(key):]
	}
}
