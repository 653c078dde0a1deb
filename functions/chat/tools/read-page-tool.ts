import * as z from 'zod'
import type { Sentence } from '#shared/sentences/sentence.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Source } from '../../models/model.ts'
import type { ReadingFileDeps } from '../../files/file-links.ts'
import { zodParameters, type Tool } from '../../tools/calls/tool.ts'
import { toPageAddress } from '#shared/page-address.ts'

const parameters = z.object({
  url: z
    .string()
    .trim()
    .max(2_000)
    .refine((url) => toPageAddress(url) !== undefined, 'must be an http(s) address'),
})

/** What `read_page` answers. */
export interface PageText {
  /** after redirects */
  url: string
  title: string
  text: string
  /** by the content */
  type: string
  file_id: string
  note?: Sentence | string | undefined
  /** `text` is not all of it */
  truncated?: true
}

export interface PageDeps {
  fileDeps: ReadingFileDeps
  sub: string
  /** undefined for a conversation that is not stored */
  sessionId?: string | undefined
  outboundAllow: string | undefined
  onSource: (source: Source) => void
  onFile: (file: Attachment) => void
}

/** Reads one page of the web. Its code is loaded with the first call. */
export const readPageTool = (deps: PageDeps): Tool => ({
  name: 'read_page',
  title: 'Read a page',
  description:
    'Reads one page or file of the web (html, PDF, Office, text, JSON, feed) by its http(s) address. The whole text becomes a file of this conversation: read_attachment and search_files go on in it by file_id. An address that the user has not typed and no search has found waits for approval.',
  parameters: zodParameters(parameters),
  writes: false,
  asks: true,
  activity: 'research',
  // 20 s for the page, and the time in which its text is read
  timeoutMs: 55_000,
  async run(input, signal): Promise<PageText> {
    const { readPage } = await import('./read-page.ts')
    return readPage(deps, String(input['url']), signal)
  },
  // the text is stored as a file already
  toStoredResult(result) {
    const { text, ...page } = result as PageText
    return { ...page, words: text.split(/\s+/).filter(Boolean).length }
  },
})
