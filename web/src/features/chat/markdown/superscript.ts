/** Superscript characters, all of which voices can read. */
const superscripts: Readonly<Record<string, string>> = {
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
  n: 'ⁿ',
  '−': '⁻',
  '-': '⁻',
  '+': '⁺',
}

/** Writes a text in superscript characters. @returns undefined if one of its characters has none */
export function toSuperscript(text: string): string | undefined {
  const signs = Array.from(text, (sign) => superscripts[sign])
  return signs.every((sign) => sign !== undefined) ? signs.join('') : undefined
}
