/** Signs that voices know by name. */
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

/** @returns undefined for text that has no raised signs */
export function toSuperscript(text: string): string | undefined {
  const signs = Array.from(text, (sign) => superscripts[sign])
  return signs.every((sign) => sign !== undefined) ? signs.join('') : undefined
}
