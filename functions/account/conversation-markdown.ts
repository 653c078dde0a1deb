import type { Message, Session } from '#shared/contracts/sessions.ts'

const marks = {
  stopped: 'stopped by the user',
  failed: 'failed',
  incomplete: 'not complete',
  interrupted: 'interrupted',
} as const

/** A conversation as a document to be read: who said what when. What was said is Markdown already and stays as it is. */
export function conversationMarkdown(
  { title, created_at }: Pick<Session, 'title' | 'created_at'>,
  messages: readonly Message[],
  assistantName: string,
): string {
  const parts = messages.map(({ role, content, created_at: at, ended, attachments }) => {
    const who = role === 'user' ? 'You' : assistantName
    const mark = ended ? ` (${marks[ended]})` : ''
    const files = attachments.map(({ name }) => `- ${name}`).join('\n')
    return [`## ${who}, ${at}${mark}`, content, files].filter((part) => part !== '').join('\n\n')
  })
  return (
    [`# ${title.replace(/\s+/g, ' ')}`, `Begun ${created_at}`, ...parts, ''].join('\n\n').trimEnd() + '\n'
  )
}
