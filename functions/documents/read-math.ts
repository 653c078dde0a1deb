import { parseXml } from './read-package.ts'

/**
 * Reads a formula of OpenDocument as its writer has typed it, or the letters of its MathML.
 * @throws DocumentError if the part is not XML
 */
export function readMath(part: Uint8Array): string {
  let [typed, letters] = ['', '']
  let isTyped = false
  parseXml(part, {
    open(name) {
      if (name === 'annotation') isTyped = true
    },
    text(text) {
      if (isTyped) typed += text
      else if (text.trim() !== '') letters += `${text.trim()} `
    },
    close(name) {
      if (name === 'annotation') isTyped = false
    },
  })
  return (typed.trim() || letters.trim()).replaceAll(/\s+/g, ' ')
}
