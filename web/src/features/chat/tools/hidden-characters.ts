/** Letters of scripts that write with joiners, such as Persian and Hindi. */
const joined = String.raw`[[\p{L}\p{M}]&&[\p{scx=Arab}\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Knda}\p{scx=Mlym}\p{scx=Orya}\p{scx=Sinh}\p{scx=Syrc}\p{scx=Taml}\p{scx=Telu}]]`
/** An emoji, however many characters it is made of, or a joiner between letters that it belongs to. */
const ordinary = String.raw`\p{RGI_Emoji}|${joined}[\u200c\u200d](?=${joined})`
/** What is drawn as nothing or as a blank, or turns the direction of other characters. */
const hidden = String.raw`[[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]--[\n\t]]`
const ordinaryOrHidden = new RegExp(`(${ordinary})|${hidden}`, 'gv')

const codePoint = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Shows hidden characters as their code points in brackets: a text must read as it will be used. */
export const visibly = (text: string): string =>
  text.replace(
    ordinaryOrHidden,
    (character, ordinaryText?: string) => ordinaryText ?? `[${codePoint(character)}]`,
  )

/** Removes what `visibly` shows. */
export const withoutHidden = (text: string): string =>
  text.replace(ordinaryOrHidden, (_, ordinaryText?: string) => ordinaryText ?? '')
