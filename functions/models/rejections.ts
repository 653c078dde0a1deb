import { modelErrors, ModelError, type ServerRejection } from './model-errors.ts'
import type { ModelApiCall, ModelApi, ModelCall, ModelMessage, Omission, PdfPart } from './model.ts'
import { hasImages, listPdfs, omitImages, replacePdfs } from './omit-images.ts'
import { findPlaces } from './sent-tools/refused-tools.ts'
import { hasLongIds, withoutToolMessages, withShortIds } from './tool-messages.ts'

/** What servers reject, and a request can do without. */
export const rejections = [
  /** the API, for this model */
  'responses',
  'chat',
  /** summaries of reasoning */
  'summary',
  /** all parameters about reasoning, because the model does none */
  'reasoning',
  /** answers as the server gave them: their text and calls are sent back instead */
  'encrypted',
  /** calls that lack what the server wants back with them: they are described in words instead */
  'calls',
  /** ids of calls as they are */
  'ids',
  /** `stream_options` */
  'usage',
  /** `cache_control` */
  'caching',
  /** the greatest length of an answer */
  'limit',
  /** how often the server may search the web */
  'searches',
  /** the server's own search of the web */
  'webSearch',
  /** all parameters that no reply misses, when the server does not name the one that it rejects */
  'extras',
  /** images of tools right after the results */
  'order',
  /** any effort but `none` together with tools */
  'effort',
  'tools',
  /** PDFs: pages of them are shown as images instead */
  'documents',
  'images',
] as const
export type Rejection = (typeof rejections)[number]

interface RejectedRequest {
  api: ModelApi
  /** whether another API may be tried */
  isAuto: boolean
  /** as the reply asked */
  call: ModelCall
  /** how many tools were sent, the search of the model's server aside, which comes behind them; undefined if it was not */
  toolsBeforeSearch?: number | undefined
  /** what the request went without */
  without: ReadonlySet<Rejection>
}

const callHasPdfs = ({ messages }: ModelCall) => messages.some((message) => listPdfs(message).length > 0)
/** A document whose pages no picture shows; what stands for several PDFs of it stands with the first. */
const isWithoutPictures = ({ instead }: PdfPart) =>
  instead.length > 0 && !instead.some(({ type }) => type === 'image_url')
const callHasImages = ({ messages }: ModelCall) => messages.some(hasImages)
const hasToolMessages = ({ messages }: ModelCall) => messages.some(({ role }) => role === 'tool')
const hasAnswers = ({ messages }: ModelCall) =>
  messages.some((message) => message.role === 'assistant' && message.answer !== undefined)
const hasToolImages = ({ messages }: ModelCall) =>
  messages.some((message) => message.role === 'tool' && hasImages(message))

const hasCalls = (message: ModelMessage) => message.role === 'assistant' && message.tool_calls !== undefined
const isWithoutAnswer = (message: ModelMessage) =>
  message.role === 'assistant' && message.tool_calls !== undefined && message.answer === undefined

/**
 * How servers name what they want back, or no longer take. DeepSeek: https://api-docs.deepseek.com/guides/thinking_mode and, over Messages,
 * https://github.com/leookun/cursor-byok/issues/268; Gemini:
 * https://ai.google.dev/gemini-api/docs/thought-signatures; Claude: https://platform.claude.com/docs/en/build-with-claude/extended-thinking.
 */
const returnedParts =
  /reasoning_(content|details|text)|thought[_ ]?signature|thinking_blocks|signature.{0,20}thinking|(redacted_)?thinking.{0,3} block|content(\[\])?\.thinking/
/** Chat templates without tools: https://github.com/vllm-project/vllm/issues/6862. */
const isAboutRoles =
  /roles? must alternate|alternate user\/assistant|unexpected role .{0,20}after role|role.{0,40}(must|cannot|should) (not )?follow/
/** Mistral: https://github.com/karthink/gptel/issues/1203; OpenAI: https://github.com/vercel/ai/issues/5171. */
const namesCallId =
  /((tool|function)[ _]?calls?(\[\d{1,4}\])?[ _.]?|\bcall_)ids?\b.{0,200}(must|should|length|match|invalid|pattern)/
const isMissed = /missing|must|required|expected|passed back|needs?\b/

/** How servers of the Responses API name reasoning that they no longer take. xAI: https://github.com/Wei-Shaw/sub2api/issues/4535. */
const refusedReasoning =
  /encrypted[ _]content|compaction blob|item with id|of type 'reasoning'|'reasoning' item/

/** A server may refuse in a request what it has sent: `input[3].status`, `messages.1.content.0`. */
const namesItem = /\b(input|messages)(\[|\.)\d/
/** How servers name a PDF, or the part of a message that has it. */
const namesPdf = /pdf|input_file|file_data|\b(files?|documents?|pages?)\b|content.{0,40}type|media_?type/

/** Whether a server does not know the Responses API, rather than the model. */
function rejectsResponses({ status = 0, code, message }: ServerRejection): boolean {
  if ([404, 405, 501].includes(status)) return code !== 'model_not_found' && !/\bmodel\b/i.test(message)
  return /not support[\s\S]*\bresponses\b|\bresponses\b[\s\S]*not support/i.test(message)
}

/**
 * What a server's words name, most specific first; nothing else is tried after those that end with true.
 * Sources: for `chat` and `effort` https://github.com/GoogleChromeLabs/webmcp-tools/issues/417; `reasoning`
 * https://github.com/NousResearch/hermes-agent/pull/24234; `encrypted` https://github.com/openai/codex/issues/8128 and
 * https://github.com/maximhq/bifrost/issues/5410.
 */
function* listNamed(
  rejection: ServerRejection,
  { api, isAuto, call, without, toolsBeforeSearch }: RejectedRequest,
): Generator<Rejection, boolean> {
  const text = rejection.message.toLowerCase()
  const { param, status = 0 } = rejection
  const hasTools = call.tools.length > 0 && !without.has('tools')
  if (api === 'chat' && (param.startsWith('stream_options') || text.includes('stream_options'))) yield 'usage'
  if (api === 'messages' && (param.includes('cache_control') || text.includes('cache_control')))
    yield 'caching'
  const namesLimit = /max_(output_|completion_)?tokens/
  if (api !== 'messages' && (namesLimit.test(param) || namesLimit.test(text))) yield 'limit'
  // https://github.com/Wei-Shaw/sub2api/issues/6405, https://github.com/raine/claude-code-proxy/issues/108
  const namesSearches = /max_tool_calls|max_uses/
  const isAboutLimit = namesSearches.test(param) || namesSearches.test(text)
  if (isAboutLimit) yield 'searches'
  if (toolsBeforeSearch !== undefined && (!isAboutLimit || without.has('searches'))) {
    const words = `${param} ${text}`
    if (/web[_ -]?search/.test(words) || findPlaces(words).includes(toolsBeforeSearch)) yield 'webSearch'
  }
  const namesThinking = /\bthinking\b/
  if (
    api === 'messages' &&
    call.effort === undefined &&
    (namesThinking.test(param) || namesThinking.test(text))
  )
    yield 'reasoning'
  if (api === 'chat' && isAboutRoles.test(text) && hasToolImages(call)) yield 'order'
  if (isAboutRoles.test(text) && hasToolMessages(call)) {
    if (hasAnswers(call)) yield 'encrypted'
    yield 'calls'
  }
  if (namesCallId.test(text) && call.messages.some(hasLongIds)) yield 'ids'
  // some servers say all of it in the field for a parameter: https://github.com/suyiiyii/AutoGLM-GUI/issues/396
  const parameterAndText = `${param.toLowerCase()} ${text}`
  if (returnedParts.test(parameterAndText)) {
    const isBare = without.has('encrypted') ? hasCalls : isWithoutAnswer
    if (isMissed.test(parameterAndText) && call.messages.some(isBare)) yield 'calls'
    if (hasAnswers(call)) yield 'encrypted'
    // it speaks of calls, and not of tools
    return true
  }
  if (api === 'responses') {
    if (isAuto && rejectsResponses(rejection)) yield 'responses'
    if (param === 'reasoning.summary' || /reasoning[._ ]summar/.test(text)) yield 'summary'
    if (hasAnswers(call) && refusedReasoning.test(text)) yield 'encrypted'
    const namesReasoning =
      param.startsWith('reasoning') || param === 'include' || text.includes('encrypted content')
    if (call.effort === undefined && namesReasoning) yield 'reasoning'
  } else if (hasTools && (param === 'reasoning_effort' || text.includes('reasoning_effort'))) {
    if (isAuto && text.includes('/v1/responses')) yield 'chat'
    const namesTools = /\b(tools?|functions?)\b/.test(text)
    if (call.effort === undefined || namesTools) {
      if (call.effort !== 'none') yield 'effort'
      // a server that rejects tools with any effort takes none
      yield 'tools'
    }
    return true
  }
  if (hasAnswers(call) && !/image/.test(text) && [param, text].some((one) => namesItem.test(one)))
    yield 'encrypted'
  // Bedrock, of calls in a request that offers none (toolConfig, toolUse): https://github.com/langgenius/dify/issues/17545
  if ((hasTools || hasToolMessages(call)) && /\b(tools?|functions?)\b|tool(_|config|use|result)/.test(text))
    yield 'tools'
  const hasPdfs = api !== 'chat' && callHasPdfs(call)
  if (hasPdfs && (status === 413 || namesPdf.test(text) || namesPdf.test(param))) yield 'documents'
  if (callHasImages(call) && /image|vision|multimodal|(content|output).{0,40}(string|type)/.test(text))
    yield 'images'
  return false
}

/** What a refused request is tried without, once what its server's words name has been. */
function* listCandidates(rejection: ServerRejection, request: RejectedRequest): Generator<Rejection> {
  const isAll = yield* listNamed(rejection, request)
  if (isAll || (rejection.status ?? 0) >= 500) return
  const { api, call } = request
  yield 'extras'
  if (api !== 'chat' && callHasPdfs(call)) yield 'documents'
  if (hasAnswers(call)) yield 'encrypted'
  if (callHasImages(call)) yield 'images'
}

/** Whether a server names a part that the request still has: by its path, or in words. */
export function namesPart(error: unknown, request: RejectedRequest): boolean {
  const rejection = error instanceof ModelError ? error.rejection : undefined
  if (!rejection) return false
  if (rejection.named) return true
  for (const candidate of listNamed(rejection, request)) if (!request.without.has(candidate)) return true
  return false
}

/** Kinds of errors whose request may be sent again without a part. */
const kindsToReduce: readonly string[] = [
  modelErrors.refused,
  modelErrors.notModelServer,
  modelErrors.unknownModel,
  modelErrors.effort,
].map(({ code }) => code)

/** Whether a picture may be the reason, whatever the error is called: llama.cpp rejects one with 500 (ggml-org/llama.cpp#13566). */
const mayBeAboutImages = ({ status = 0 }: ServerRejection) => status === 413 || status >= 500

/**
 * A server that opens its stream before it reads the request refuses with an event: LM Studio
 * (https://github.com/nugget/thane-ai-agent/pull/1395).
 */
const isRefusedInStream = ({ code, rejection }: ModelError) =>
  code === modelErrors.refused.code && rejection !== undefined && rejection.status === undefined

/** @returns what the next attempt has to go without; undefined when that would not help */
export function findRejection(error: unknown, request: RejectedRequest): Rejection | undefined {
  if (!(error instanceof ModelError) || !error.rejection) return undefined
  if (!error.rejection.status && !isRefusedInStream(error)) return undefined
  const { rejection, code } = error
  const isExplained = code !== modelErrors.refused.code
  for (const candidate of listCandidates(rejection, request)) {
    if (request.without.has(candidate)) continue
    const isShown = candidate === 'images' || candidate === 'documents'
    if (isShown && mayBeAboutImages(rejection)) return candidate
    if (candidate === 'responses' && rejection.status === 501) return candidate
    // nothing is tried out after an error that says what is wrong
    if (kindsToReduce.includes(code) && !(isExplained && candidate === 'extras')) return candidate
  }
  return undefined
}

/** Codes of servers for a parameter or kind of content that a model does not take, whatever its value. */
const unsupportedCodes =
  /^(unsupported|not_supported|unknown|unrecognized)_?(parameter|argument|field|value|content)?$/

/** The parameters that a server names when it rejects a part. */
const partParams: Readonly<Partial<Record<Rejection, RegExp>>> = {
  chat: /^reasoning_effort$/,
  effort: /^reasoning_effort$/,
  summary: /^reasoning[._]summary$/,
  reasoning: /^(reasoning\b.*|thinking\b.*|include(\[\d+\])?)$/,
  usage: /^stream_options\b/,
  caching: /\bcache_control\b/,
  limit: /^max_(output_|completion_)?tokens$/,
  searches: /\bmax_(tool_calls|uses)$/,
  webSearch: /^tools(\[|\.)/,
  tools: /^(tools|functions|tool_choice)$/,
  documents: /\b(file|file_data|document|source)\b/,
  images: /image(_url)?(\.url)?$/,
}

/**
 * Whether the server itself has named the part, in a field for machines: only then do the requests of others go without it. Words in a
 * message may be about this call, schema, picture or conversation. Users miss tools and pictures, so there a code has to say that the
 * model does not take them at all.
 */
export function isNamedByServer(found: Rejection, error: unknown): boolean {
  const { status = 0, code = '', param = '' } = (error instanceof ModelError && error.rejection) || {}
  if (found === 'ids') return true
  if (found === 'responses') return [404, 405, 501].includes(status)
  if (!partParams[found]?.test(param)) return false
  return !['tools', 'documents', 'images'].includes(found) || unsupportedCodes.test(code)
}

/** The model wrote a call that its server could not parse: https://console.groq.com/docs/tool-use/local-tool-calling, agno-agi/agno#4090. */
export const isBadCall = (error: unknown): boolean =>
  error instanceof ModelError && error.code === modelErrors.badCall.code

/** Whether a request has what a server may reject. */
export function hasPart(rejection: Rejection, call: ModelApiCall, api: ModelApi): boolean {
  switch (rejection) {
    case 'responses':
    case 'chat':
      return api === rejection
    case 'tools':
      return call.tools.length > 0
    case 'images':
      return callHasImages(call)
    case 'documents':
      return callHasPdfs(call)
    case 'effort':
      return api === 'chat' && call.tools.length > 0 && call.effort !== 'none'
    case 'encrypted':
      return hasAnswers(call)
    case 'calls':
      return call.messages.some(isWithoutAnswer)
    case 'ids':
      return call.messages.some(hasLongIds)
    case 'order':
      return api === 'chat' && hasToolImages(call)
    case 'usage':
      return api === 'chat'
    case 'searches':
    case 'webSearch':
      return api !== 'chat' && !call.omitWebSearch && (call.maxWebSearches ?? 0) > 0
    case 'limit':
      return api !== 'messages'
    case 'reasoning':
      return api !== 'chat'
    case 'caching':
      return api === 'messages'
    default:
      return api === 'responses'
  }
}

function withoutAnswer(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant') return message
  const { answer: _, ...rest } = message
  return rest
}

/** The message with the answer of this model's server, and none of another one's. */
export const withOwnAnswer = (message: ModelMessage, model: string): ModelMessage =>
  message.role === 'assistant' && message.answer && message.answer.model !== model
    ? withoutAnswer(message)
    : message

/** A call as it is sent to a server that rejects something, and what the user has to be told about it. */
export function reduceCall(
  call: ModelCall,
  without: ReadonlySet<Rejection>,
  api: ModelApi,
): { reduced: ModelApiCall; omissions: Omission[] } {
  let reduced: ModelApiCall = { ...call }
  const omissions: Omission[] = []
  if (without.has('tools')) {
    // earlier calls are then described in words, so nothing is missing if no tools are offered
    if (call.tools.length > 0 && call.mayCall !== false) omissions.push('tools')
    reduced = { ...reduced, tools: [], omitWebSearch: true, messages: withoutToolMessages(reduced.messages) }
  }
  if ((without.has('documents') || api === 'chat') && callHasPdfs(call)) {
    if (call.messages.some((message) => listPdfs(message).some(isWithoutPictures)))
      omissions.push('refusedImages')
    reduced = { ...reduced, messages: reduced.messages.map(replacePdfs) }
  }
  if (without.has('images') && callHasImages(call)) {
    if (!omissions.includes('refusedImages')) omissions.push('refusedImages')
    reduced = { ...reduced, messages: reduced.messages.map((one) => omitImages(one)) }
  }
  if (without.has('encrypted')) reduced = { ...reduced, messages: reduced.messages.map(withoutAnswer) }
  if (without.has('calls'))
    reduced = { ...reduced, messages: withoutToolMessages(reduced.messages, isWithoutAnswer) }
  if (without.has('ids')) reduced = { ...reduced, messages: reduced.messages.map(withShortIds) }
  if (without.has('effort') && api === 'chat' && reduced.tools.length > 0) {
    if (call.effort !== undefined && call.effort !== 'none') omissions.push('effort')
    reduced = { ...reduced, effort: 'none' }
  }
  if (without.has('order')) reduced = { ...reduced, separatesToolImages: true }
  const omitsExtras = without.has('extras')
  if (omitsExtras || without.has('usage')) reduced = { ...reduced, omitUsage: true }
  if (omitsExtras || without.has('limit')) reduced = { ...reduced, omitOutputLimit: true }
  if (without.has('webSearch') && hasPart('webSearch', reduced, api)) {
    omissions.push('webSearch')
    reduced = { ...reduced, omitWebSearch: true }
  }
  if (omitsExtras || without.has('searches')) reduced = { ...reduced, omitSearchLimit: true }
  if (omitsExtras || without.has('caching')) reduced = { ...reduced, omitCaching: true }
  if (omitsExtras || without.has('summary')) reduced = { ...reduced, omitSummary: true }
  if (without.has('reasoning') || (omitsExtras && call.effort === undefined))
    reduced = { ...reduced, omitReasoning: true }
  return { reduced, omissions }
}
