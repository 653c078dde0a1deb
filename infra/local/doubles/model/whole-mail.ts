import { parseJson } from '#shared/parse-json.ts'
import { isRecord, listRecords, type ModelRequest, type OfferedTool } from './model-request.ts'
import type { Reply } from './reply-parts.ts'
import { withoutTableNote } from './table-query.ts'
import { isSearchResult } from './tool-choice.ts'
import { unwrap } from './tool-reply.ts'
import { excerpt } from './words.ts'

/** 'Summarize the last mail of Ann', 'What does her mail say?': what one mail says is asked for. */
const asksForText =
  /\b(?:summari[sz]e|summary|what does|read|show)\b.{0,60}?\b(?:last|latest|newest|first|one|her|his|that|this|the)(?: \w{1,20})? (?:e-?)?mail\b/i

/**
 * The next step of a turn that asks what one mail says: after the list of mails, whose texts are only their beginnings, a call that reads the
 * first of them whole, then its text.
 * @returns undefined for other messages, before the list, and where no offered tool reads one mail
 */
export function readWholeMail(
  message: string,
  { messages, toolChoice }: ModelRequest,
  tools: readonly OfferedTool[],
): Reply | undefined {
  if (toolChoice !== 'auto' || !asksForText.test(message)) return undefined
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  const results = turn.filter(({ role }, index) => role === 'tool' && !isSearchResult(turn, index))
  const result = results.at(-1)
  const call = turn.flatMap(({ calls }) => calls).find(({ id }) => id === result?.toolCallId)
  const tool = tools.find(({ name }) => name === call?.name)
  const idParameter = tool?.parameters.properties?.['id']
  const value = parseJson(withoutTableNote(result?.text ?? ''))
  if (!tool || !idParameter || !isRecord(value) || value['success'] === false) return undefined
  const { data } = unwrap(value)
  const [mail] = Array.isArray(data) ? listRecords(data) : []
  if (!mail) return undefined
  const { id, text, subject, from, attachments } = mail
  if (typeof text !== 'string')
    return results.length === 1 && typeof id === 'string'
      ? { kind: 'tools', calls: [{ name: tool.name, arguments: { id } }] }
      : undefined
  const files = Array.isArray(attachments)
    ? listRecords(attachments).map(({ name }) => `- ${String(name)}`)
    : []
  const parts = [
    `**${excerpt(String(subject), 200)}**, from ${excerpt(String(from), 200)}:`,
    text.replace(/^/gm, '> '),
    ...(files.length > 0 ? [`Attached:\n\n${files.join('\n')}`] : []),
    'I am a demo, so I give you the text as it is.',
  ]
  return { kind: 'text', text: parts.join('\n\n') }
}
