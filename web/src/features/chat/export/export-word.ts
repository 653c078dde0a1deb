import { t } from '@lingui/core/macro'
import type { Attachment } from '#shared/contracts/files.ts'
import { truncate } from '#shared/truncate.ts'
import { formatDateTime } from '../../../lib/text/dates.ts'
import { formatConversationTitle } from '../../../lib/conversations/conversation-title.ts'
import { loadConversation } from './load-conversation.ts'
import { loadPicture } from './load-picture.ts'
import { buildWordDocument, type WordContent, type WordMessage } from './word-document.ts'
import { toHyphenatedFileName } from '../../../lib/browser/file-name.ts'

/** A document that was written, to be downloaded. */
export interface WordFile {
  name: string
  blob: Blob
}

async function write(content: WordContent): Promise<WordFile> {
  const name = toHyphenatedFileName(content.title) ?? t`conversation`
  return { name: `${name}.docx`, blob: await buildWordDocument(content, loadPicture) }
}

/**
 * Writes a conversation as a Word document: the branch that is shown, with pictures, tables and sources.
 * @throws what `loadConversation` throws
 */
export async function exportConversationAsWord(sessionId: string, assistantName: string): Promise<WordFile> {
  const { title, created_at, messages } = await loadConversation(sessionId)
  return write({
    title: formatConversationTitle(title),
    subtitle: t`Started ${{ time: formatDateTime(new Date(created_at)) }}`,
    messages: messages.map((message) => ({
      ...message,
      heading: `${message.role === 'user' ? t`You` : assistantName}, ${formatDateTime(new Date(message.created_at))}`,
    })),
  })
}

/** The parts of a reply that a Word document shows: text, tables, sources, files, and how it ended if it is not complete. */
export type ExportedReply = Pick<
  WordMessage,
  'content' | 'tool_calls' | 'sources' | 'ended' | 'incomplete_reason'
> & {
  attachments: readonly Attachment[]
}

/** The title also names the file: `toFileName` cuts a name at this length. */
const maxTitleCharacters = 80
/** Where the title is searched. A reply may begin with many empty lines, or a very long one. */
const searchLimits = { lines: 50, charactersOfLine: 200 }

/** Marks of blocks at the beginning of a line, and of emphasis, code and formulas. */
const markdownMarks = /^[\s#>*+-]+|[*`~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu

/** Finds the first line of a reply with text, without most marks of Markdown; empty if there is none. */
function findTitle(content: string): string {
  const lines = content
    .split('\n', searchLimits.lines)
    .map((line) => truncate(line, searchLimits.charactersOfLine).replaceAll(markdownMarks, '').trim())
  return truncate(lines.find((line) => line !== '') ?? '', maxTitleCharacters)
}

/** Writes a reply as a Word document, whose title is the first line of the reply. */
export const exportReplyAsWord = ({ attachments, ...reply }: ExportedReply): Promise<WordFile> =>
  write({
    title: findTitle(reply.content),
    messages: [{ ...reply, role: 'assistant', attachments: [...attachments] }],
  })
