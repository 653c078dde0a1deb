// Fonts of TeX have accents as glyphs of their own, which are drawn over the letter behind them: `Herv´e`, `O˘guz`, `na¨ıve`.

const accents: Readonly<Record<string, string>> = {
  '`': '\u0300',
  '´': '\u0301',
  ˆ: '\u0302',
  '˜': '\u0303',
  '¯': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '¨': '\u0308',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
}
const dotless: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' }

/** Whether a program wrote the PDF that draws accents over letters. Elsewhere they may be typed: `l´acqua`. */
export const isOfTex = (...programs: unknown[]): boolean =>
  programs.some((program) => typeof program === 'string' && /TeX|dvips|dvipdf/.test(program))

/** Joins accents with their letters, where there is such a letter. The tilde of an address has no letter before it. */
export function joinAccents(text: string): string {
  return text
    .replaceAll(/(?<=\p{L})([`´ˆ˜¯˘˙¨˚˝ˇ])([A-Za-zıȷ])/gu, compose)
    .replaceAll(/(?<![\p{L}\p{N}/.~_-])([´ˆ˘¨˚˝ˇ])([A-Za-zıȷ])/gu, compose)
    .replaceAll(/([CcSs])¸/g, (_, letter: string) => `${letter}\u0327`.normalize('NFC'))
}

function compose(whole: string, accent: string, letter: string): string {
  const composed = `${dotless[letter] ?? letter}${accents[accent] ?? ''}`.normalize('NFC')
  return composed.length === 1 ? composed : whole
}
