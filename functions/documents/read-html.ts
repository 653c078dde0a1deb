import type { ExtractedText } from './extracted-text.ts'
import { readHtmlText } from './html-text.ts'
import { addText, readDecoded } from './read-text.ts'

export const readHtml = (bytes: Uint8Array): Promise<ExtractedText> =>
  readDecoded(bytes, (html, text, omissions) =>
    addText(text, readHtmlText(html, { omissions, countsCode: true, hasTitle: true })),
  )
