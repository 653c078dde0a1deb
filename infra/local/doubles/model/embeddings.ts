/** Words that this model takes for the same: enough to try a search by meaning, and no measure of one. */
const synonyms: readonly string[][] = [
  ['salary', 'wages', 'pay', 'payday', 'gehalt', 'salaire', 'sueldo'],
  ['customer', 'client', 'buyer', 'purchaser', 'kunde', 'cliente'],
  ['ill', 'sick', 'illness', 'krank', 'malade', 'enfermo'],
  ['contract', 'agreement', 'vertrag', 'contrat', 'contrato'],
  ['car', 'vehicle', 'auto', 'voiture', 'coche'],
  ['holiday', 'vacation', 'leave', 'urlaub', 'vacances', 'vacaciones'],
]
const names = new Map(synonyms.flatMap((words) => words.map((word) => [word, words[0] ?? word])))
const dimensions = 256

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01_00_01_93)
  return value >>> 0
}

/** The same vector for the same words, in any order; texts without a common word or synonym have little in common. */
export function embedText(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const value = hash(names.get(word) ?? word)
    vector[value % dimensions] = (vector[value % dimensions] ?? 0) + (value & 0x10_00_00 ? 1 : -1)
  }
  return vector
}
