import { aboutReply } from './about-replies.ts'
import type { ModelRequest } from './model-request.ts'
import { writeCodeReply } from './code-replies.ts'
import { commandReply } from './commands.ts'
import { attachmentReply, parseAttachments, removeAttachments } from './attachments.ts'
import { chooseMemoryCall, memoryReply } from './memory.ts'
import { recallReply } from './recall.ts'
import type { Reply } from './reply-parts.ts'
import { markdownSample } from './samples.ts'
import { replyFromResults } from './tool-reply.ts'
import { chooseTool, type ToolCall } from './tool-choice.ts'
import { isSearchResult, searchForTool, searchToolNames } from './tool-search.ts'
import { writeCannedReply } from './canned-replies.ts'
import { webSearchReply } from './web-search.ts'

/**
 * The demo model's logic: general rules on the last message, the conversation and the offered tools, the same reply to the
 * same request every time. Results of tools come first, then commands, tools, and the kinds of text it can write.
 */
export function replyTo(request: ModelRequest): Reply {
  const { messages, tools } = request
  const results = joinToolImages(messages)
  const hasSearchResult = isSearchResult(results, results.length - 1)
  if (results.at(-1)?.role === 'tool' && !hasSearchResult)
    return { kind: 'text', text: replyFromResults(results) }
  const rest = continueReply(request)
  if (rest !== undefined) return { kind: 'text', text: rest }
  const userMessages = messages.filter(({ role }) => role === 'user')
  const texts = userMessages.map(({ text }) => removeAttachments(text))
  const message = texts.at(-1) ?? ''
  const earlier = texts.slice(0, -1)
  if (message === '' && parseAttachments(userMessages.at(-1)?.text ?? '').length === 0)
    return { kind: 'text', text: 'I did not get a message. What can I do for you?' }
  const command = commandReply(message)
  if (command) return command
  const ownCall = hasSearchResult
    ? undefined
    : (ownToolCall(message, request) ?? chooseMemoryCall(message, request))
  if (ownCall) return { kind: 'tools', calls: [ownCall] }
  const webReply = request.searchesWeb ? webSearchReply(message) : undefined
  if (webReply) return { kind: 'text', ...webReply }
  const connectedTools = tools.filter(({ name }) => !ownTools.includes(name))
  const fileReply = attachmentReply(messages)
  const call =
    fileReply === undefined &&
    (chooseTool(message, { ...request, tools: connectedTools }) ?? searchForTool(message, request))
  if (call) return { kind: 'tools', calls: [call] }
  return {
    kind: 'text',
    text: fileReply ?? memoryReply(message, request) ?? textReply(message, earlier, connectedTools),
  }
}

/** Chat Completions sends the images of tools as a message of the user right after their results. */
function joinToolImages(messages: ModelRequest['messages']): ModelRequest['messages'] {
  const [result, { role, images } = {}] = messages.slice(-2)
  if (result?.role !== 'tool' || role !== 'user' || !images?.length) return messages
  return [...messages.slice(0, -2), { ...result, images }]
}

const asksToGoOn = /\bcut off\b[^]*\bgo on\b|\b(?:continue|go on) (?:exactly )?(?:where|from)\b/i

/** The rest of a truncated reply when the user asks to continue; the whole reply is generated again to find it. */
function continueReply(request: ModelRequest): string | undefined {
  const [partialReply, lastMessage] = request.messages.slice(-2)
  if (
    partialReply?.role !== 'assistant' ||
    lastMessage?.role !== 'user' ||
    !asksToGoOn.test(lastMessage.text)
  )
    return undefined
  const whole = replyTo({ ...request, messages: request.messages.slice(0, -2) })
  if (!('text' in whole) || !whole.text.startsWith(partialReply.text)) return undefined
  return whole.text.slice(partialReply.text.length)
}

/** The product's own tools, which it offers whatever is connected. */
const ownTools = ['generate_image', 'read_attachment', 'remember', 'forget', ...searchToolNames]
const wantsImage =
  /^(?:please |can you |could you |now )*(?:draw|paint|sketch|illustrate)\b|\b(?:draw|paint|generate|create|make|design)\b.{0,40}\b(?:image|picture|photo|drawing|painting|illustration|logo)\b/i
const wantsRest = /\b(?:rest|continue|goes on|further|read on|end of)\b/i

/** Calls the product's own tools: image generation, and reading the rest of a document whose beginning was shown. */
function ownToolCall(message: string, { messages, tools, toolChoice }: ModelRequest): ToolCall | undefined {
  const isOffered = (name: string) => toolChoice !== 'none' && tools.some((tool) => tool.name === name)
  if (isOffered('generate_image') && wantsImage.test(message))
    return { name: 'generate_image', arguments: { prompt: message } }
  if (!isOffered('read_attachment') || !wantsRest.test(message)) return undefined
  const truncatedFile = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ text }) => parseAttachments(text))
    .findLast(({ text }) => text.endsWith('[Content truncated due to length]'))
  return truncatedFile && { name: 'read_attachment', arguments: { id: truncatedFile.id, from: 8_000 } }
}

function textReply(message: string, earlier: readonly string[], tools: ModelRequest['tools']): string {
  if (/\bmarkdown\b/i.test(message) && /\b(show|sample|example|demo|me)\b/i.test(message))
    return markdownSample
  return (
    recallReply(message, earlier) ??
    aboutReply(message, tools) ??
    writeCodeReply(message) ??
    writeCannedReply(message, earlier)
  )
}
