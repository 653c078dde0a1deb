import { answerMails } from './answers.ts'
import { attachmentReply, hasFilesOnly, parseAttachments, removeAttachments } from './attachments.ts'
import { chooseMemoryCall, memoryReply } from './memory.ts'
import { chooseScheduleCall } from './schedules.ts'
import { mayCall, type ModelRequest } from './model-request.ts'
import { inEnglish } from './page-languages.ts'
import type { Reply } from './reply-parts.ts'
import { chartSample, commandReply, markdownSample, textReply } from './texts.ts'
import { chooseTool, isSearchResult, searchForTool, searchToolNames, type ToolCall } from './tool-choice.ts'
import { chooseQuery } from './table-query.ts'
import { replyFromResults } from './tool-reply.ts'
import { webSearchReply } from './web-search.ts'
import { readWholeMail } from './whole-mail.ts'

/**
 * The demo model's logic: general rules on the last message, the conversation and the offered tools, the same reply to the
 * same request every time. Results of tools come first, then commands, tools, and the kinds of text it can write.
 * @param findCommand what a command at the start of a message asks for
 */
export function replyTo(request: ModelRequest, findCommand = commandReply): Reply {
  const { messages, tools } = request
  const say = (text: string): Reply => ({ kind: 'text', text })
  const hasSearchResult = isSearchResult(messages, messages.length - 1)
  const userMessages = messages.filter(({ role }) => role === 'user')
  const texts = userMessages
    .filter(({ text }) => !hasFilesOnly(text))
    .map(({ text }) => inEnglish(removeAttachments(text)))
  const message = texts.at(-1) ?? ''
  const connectedTools = tools.filter(({ name }) => !ownTools.includes(name))
  const scheduleCall = chooseScheduleCall(message, request)
  const answers = scheduleCall ? undefined : answerMails(message, request, connectedTools)
  if (answers) return answers
  const wholeMail = readWholeMail(message, request, connectedTools)
  if (wholeMail) return wholeMail
  if (messages.at(-1)?.role === 'tool' && !hasSearchResult) return say(replyFromResults(messages))
  const rest = continueReply(request, findCommand)
  if (rest !== undefined) return say(rest)
  if (message === '' && parseAttachments(userMessages.at(-1)?.text ?? '').length === 0)
    return say('I did not get a message. What can I do for you?')
  const command = findCommand(message)
  if (command !== undefined) return say(command)
  const chooseConnected = () => chooseTool(message, { ...request, tools: connectedTools })
  const hasFile = parseAttachments(userMessages.at(-1)?.text ?? '').length > 0
  // a connected tool that shows charts comes first
  if (wantsChart.test(message) && !hasFile && !chooseConnected()) return say(chartSample)
  const ownCall = hasSearchResult
    ? undefined
    : (ownToolCall(message, request) ?? chooseMemoryCall(message, request) ?? scheduleCall)
  if (ownCall) return { kind: 'tools', calls: [ownCall] }
  const webReply = request.searchesWeb ? webSearchReply(message) : undefined
  if (webReply) return { kind: 'text', ...webReply }
  const fileReply = attachmentReply(messages)
  if (fileReply !== undefined) return say(fileReply)
  const call = chooseConnected() ?? searchForTool(message, request)
  if (call) return { kind: 'tools', calls: [call] }
  if (/\b(?:show|sample|example|demo)\b.*\bmarkdown\b/i.test(message)) return say(markdownSample)
  return say(memoryReply(message, request) ?? textReply(message, texts.slice(0, -1), connectedTools))
}

const asksToGoOn = /\bcut off\b[^]*\bgo on\b|\b(?:continue|go on) (?:exactly )?(?:where|from)\b/i

/** The rest of a truncated reply when the user asks to continue; the whole reply is generated again to find it. */
function continueReply(request: ModelRequest, findCommand: typeof commandReply): string | undefined {
  const [partialReply, lastMessage] = request.messages.slice(-2)
  if (
    partialReply?.role !== 'assistant' ||
    lastMessage?.role !== 'user' ||
    !asksToGoOn.test(lastMessage.text)
  )
    return undefined
  const whole = replyTo({ ...request, messages: request.messages.slice(0, -2) }, findCommand)
  return whole.kind === 'text' && whole.text.startsWith(partialReply.text)
    ? whole.text.slice(partialReply.text.length)
    : undefined
}

/** The product's own tools, which it offers whatever is connected. */
const ownTools = [
  'generate_image',
  'read_attachment',
  'search_files',
  'query_table',
  'read_result',
  'read_page',
  'search_web',
  'create_file',
  'remember',
  'forget',
  'list_schedules',
  'create_schedule',
  'change_schedule',
  ...searchToolNames,
]
const wantsChart = /\b(?:draw|show|make|create|give|see)\b.{0,40}\b(?:charts?|bar graph)\b/i
const wantsImage =
  /^(?:please |can you |could you |now )*(?:draw|paint|sketch|illustrate)\b|\b(?:draw|paint|generate|create|make|design)\b.{0,40}\b(?:image|picture|photo|drawing|painting|illustration|logo)\b/i
const wantsRest = /\b(?:rest|continue|goes on|further|read on|end of)\b/i

/** Names of a page beside its address: a connected service may have addresses of its own. */
const wantsPage =
  /\b(?:read|summari[sz]e|open)\b.{0,80}\b(?:page|article|website)\b.{0,200}?(https?:\/\/\S{1,2000})/i
const wantsSearch = /\b(?:search|find|look (?:up|for))\b/i

/** Calls the product's own tools: image generation, calculating with tables, and reading or searching documents of which it has a part. */
function ownToolCall(message: string, request: ModelRequest): ToolCall | undefined {
  if (mayCall(request, 'generate_image') && wantsImage.test(message))
    return { name: 'generate_image', arguments: { prompt: message } }
  const [, url] = wantsPage.exec(message) ?? []
  if (url && mayCall(request, 'read_page')) return { name: 'read_page', arguments: { url } }
  if (!mayCall(request, 'read_attachment')) return undefined
  const files = request.messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ text }) => parseAttachments(text))
  const asked = message.includes('read_attachment') ? files.at(-1) : undefined
  if (asked) {
    const from = /\bcharacter (\d+)/.exec(message)?.[1]
    return { name: 'read_attachment', arguments: { id: asked.id, from: Number(from ?? 0) } }
  }
  const query = mayCall(request, 'query_table')
    ? chooseQuery(
        message,
        files.map(({ tables }) => tables),
      )
    : undefined
  if (query) return query
  const partFile = files.findLast(({ note }) => note.includes('read_attachment'))
  if (!partFile) return undefined
  if (wantsRest.test(message))
    return { name: 'read_attachment', arguments: { id: partFile.id, from: partFile.text.length } }
  return wantsSearch.test(message)
    ? { name: 'search_files', arguments: { wordings: [message.slice(0, 300)] } }
    : undefined
}
