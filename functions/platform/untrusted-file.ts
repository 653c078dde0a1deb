/** A file from outside, with what its sender says about it: untrusted. */
export interface UntrustedFile {
  name: string
  declaredType: string
  bytes: Uint8Array
}

// oxlint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/

/** Documents that may have plain characters alone: their source is no text. */
const documentStart = /^(?:%PDF-|\{\\rtf)/

/** @returns the text of a file that is UTF-8 without control characters */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return controlCharacters.test(text) || documentStart.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
