import { t } from '@lingui/core/macro'
import type { Attachment } from '#shared/contracts/files.ts'
import { truncate } from '#shared/truncate.ts'
import { downloadBlob } from '../../../lib/download.ts'
import { formatDateTime } from '../../../lib/dates.ts'
import { formatConversationTitle } from '../../../lib/conversation-title.ts'
import { loadConversation } from './load-conversation.ts'
import { loadPicture } from './load-picture.ts'
import { buildWordDocument, type WordContent, type WordMessage } from './word-document.ts'
import { toHyphenatedFileName } from '../../../lib/file-name.ts'

async function download(content: WordContent): Promise<void> {
  const name = toHyphenatedFileName(content.title) ?? t`conversation`
  downloadBlob(await buildWordDocument(content, loadPicture), `${name}.docx`)
}

/**
 * Downloads a conversation as a Word document: the branch that is shown, with pictures and sources.
 * @throws what `loadConversation` throws
 */
export async function exportConversationAsWord(sessionId: string, assistantName: string): Promise<void> {
  const { title, created_at, messages } = await loadConversation(sessionId)
  await download({
    title: formatConversationTitle(title),
    subtitle: t`Started ${{ time: formatDateTime(new Date(created_at)) }}`,
    messages: messages.map((message) => ({
      ...message,
      heading: `${message.role === 'user' ? t`You` : assistantName}, ${formatDateTime(new Date(message.created_at))}`,
    })),
  })
}

/** The parts of a reply that a Word document shows: text, sources, files, and how it ended if it is not complete. */
export type ExportedReply = Pick<WordMessage, 'content' | 'sources' | 'ended' | 'incomplete_reason'> & {
  attachments: readonly Attachment[]
}

/** The first line of a reply with text, without marks of Markdown; empty if there is none. */
function findTitle(content: string): string {
  const lines = content.split('\n', 50).map((line) => truncate(line, 200).replaceAll(/[#>*_`~$-]/g, ' '))
  return truncate((lines.find((line) => line.trim() !== '') ?? '').trim(), 80)
}

/** Downloads a reply as a Word document, whose title is the first line of the reply. */
export const exportReplyAsWord = ({ attachments, ...reply }: ExportedReply): Promise<void> =>
  download({
    title: findTitle(reply.content),
    messages: [{ ...reply, role: 'assistant', attachments: [...attachments] }],
  })
