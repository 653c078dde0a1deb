import type { Page } from 'playwright-core'
import { extractText, getDocumentProxy } from 'unpdf'

/** The text of each printed page. */
export async function printPages(page: Page): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ format: 'A4' })))
  return (await extractText(pdf)).text
}
