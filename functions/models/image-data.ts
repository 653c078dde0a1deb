/** The data URL of a picture, whatever parameters stand before its base64. */
const dataUrl = /^\s{0,100}data:(image\/[\w.+-]{1,40})(?:;[^;,]{1,100}){0,5};base64,/i

/** A picture as servers write it: its base64 alone, or within a data URL. */
interface ImageData {
  type: string
  base64: string
}

/** @returns the picture of a data URL; undefined for any other text */
export function readDataUrl(text: string): ImageData | undefined {
  const [head, type] = dataUrl.exec(text) ?? []
  return head !== undefined && type !== undefined
    ? { type: type.toLowerCase(), base64: text.slice(head.length) }
    : undefined
}

/**
 * The data URL of a picture. Servers and tools write one where its base64 alone belongs: https://github.com/code-yeongyu/senpi/issues/1260.
 * @param type of base64 alone
 */
export const toDataUrl = (text: string, type: string): string => {
  const { type: named, base64 } = readDataUrl(text) ?? { type, base64: text }
  return `data:${named};base64,${base64}`
}
