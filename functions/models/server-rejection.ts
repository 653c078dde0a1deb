import { parseJson } from '#shared/parse-json.ts'
import { cutSecrets } from '../platform/secrets/sent-secrets.ts'
import { readWaitFields } from './reported-wait.ts'

/** A server's error, in the terms that the APIs have in common. Absent fields are empty. */
export interface ServerRejection {
  /** undefined for an error inside a stream that names none */
  status: number | undefined
  message: string
  code: string
  type?: string
  /** the parameter that the server names */
  param: string
  retryAfter?: string | null | undefined
  /** false: the answer was a page or plain text, as proxies and other web servers send it */
  isJson?: boolean
  /** the parts of the request that it names by their path, the innermost last for each */
  named?: unknown[][]
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** A field for machines: some servers send numbers. */
const toWord = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

const toMessage = (value: unknown): string =>
  typeof value === 'string' ? value : isRecord(value) ? JSON.stringify(value) : ''

/** The parameter that a message names in a fixed form: OpenAI's and pydantic's, as gateways pass them on. */
const namedParam =
  /\b(?:parameters?|arguments?(?: supplied)?|fields?|keys?|body\.)[:\s]{0,3}["'`]?([a-z]+[_.][a-z_.]{1,40}|tools)\b/i

function findParam({ param, loc }: Fields, message: string): string {
  if (typeof param === 'string' && param !== '') return param
  // FastAPI: ["body", "stream_options"]
  if (Array.isArray(loc)) return loc.filter((part) => part !== 'body').join('.')
  return namedParam.exec(message.slice(0, 1_000))?.[1] ?? ''
}

/** A status that tells of a fault: neither absent nor 0. */
const isFault = (status: unknown) => status !== undefined && status !== null && Number(status) !== 0

/**
 * Whether an answer, or an event of one, is an error: with `error`, or as vLLM, Mistral and FastAPI write it, MiniMax, Qianfan and
 * Cloudflare with status 200.
 */
export function isRejection(sent: unknown): boolean {
  const value: unknown = Array.isArray(sent) ? sent[0] : sent
  if (!isRecord(value)) return false
  const { error, object, type, detail, choices, base_resp: status, error_code: code, success } = value
  if (isRecord(status) && isFault(status['status_code'])) return true
  if (choices === undefined && (isFault(code) || success === false)) return true
  if (typeof error === 'string' && error !== '') return true
  if (isRecord(error) && !Array.isArray(error) && Object.keys(error).length > 0) return true
  return (
    object === 'error' ||
    (choices === undefined && (type === 'error' || (detail !== undefined && detail !== null)))
  )
}

/** The part of an error's body that tells what is wrong, whatever the server. */
function findErrorFields(body: Fields): Fields {
  // Gemini wraps it in a list, FastAPI has a list of problems, Cloudflare one of errors
  for (const list of [body, body['detail'], body['errors']])
    if (Array.isArray(list))
      return isRecord(list[0]) ? findErrorFields(list[0] as Fields) : { message: list[0] }
  const { error, detail, base_resp: status } = body
  if (isRecord(error)) return findErrorFields(error)
  if (isRecord(detail)) return findErrorFields(detail)
  // MiniMax, with status 200
  if (isRecord(status))
    return { code: `base_resp_${toWord(status['status_code'])}`, message: status['status_msg'] }
  const message = ['message', 'msg', 'Message', 'error_msg'].map((name) => body[name]).find(Boolean)
  return { ...body, code: body['code'] ?? body['error_code'], message: message ?? error ?? detail }
}

/**
 * Reads the error of a server, whatever form it has: that of OpenAI, Anthropic, Gemini, vLLM, FastAPI, Ollama, OpenRouter, AWS or plain text.
 * Keys that the server was sent are cut out of it.
 * @param body as text or parsed
 * @param status undefined for an error inside a stream, which may have a number as its code instead
 */
export function readRejection(
  body: unknown,
  answer: Pick<ServerRejection, 'status' | 'retryAfter'>,
): ServerRejection {
  const { message, code, type = '', param, ...rest } = readFields(body, answer)
  return {
    ...rest,
    message: cutSecrets(message),
    code: cutSecrets(code),
    type: cutSecrets(type),
    param: cutSecrets(param),
  }
}

function readFields(
  body: unknown,
  { status, retryAfter }: Pick<ServerRejection, 'status' | 'retryAfter'>,
): ServerRejection {
  const parsed = typeof body === 'string' ? parseJson(body) : body
  if (!isRecord(parsed)) {
    const message = typeof (parsed ?? body) === 'string' ? String(parsed ?? body) : ''
    const param = findParam({}, message)
    return { status, message, code: '', type: '', param, retryAfter, isJson: parsed !== undefined }
  }
  const fields = findErrorFields(parsed)
  const metadata = isRecord(fields['metadata']) ? fields['metadata'] : {}
  // OpenRouter's own message says only that its provider failed
  const text = [toMessage(fields['message']), toMessage(metadata['raw'])]
    .filter((part) => part !== '')
    .join(' ')
  const inner = findInnerError(text)
  const message = inner ? `${text.slice(0, text.indexOf('{'))}${toMessage(inner['message'])}` : text
  const own = toWord(fields['code'])
  // a number that repeats the status says nothing
  const code = own === '' || own === String(status) ? toWord(inner?.['code']) || own : own
  const type = toWord(fields['type']) || toWord(inner?.['type']) || toWord(fields['status'])
  return {
    status: status ?? toStatus(code),
    message,
    code: code === String(status ?? '') ? '' : code,
    type,
    param: findParam(fields, message),
    retryAfter: retryAfter ?? readWaitFields(fields),
    isJson: true,
  }
}

/** The error of the server behind a gateway, which LiteLLM and OpenRouter put into their message as JSON. */
function findInnerError(text: string): Fields | undefined {
  const start = text.indexOf('{')
  const parsed = start === -1 ? undefined : parseJson(text.slice(start, text.lastIndexOf('}') + 1))
  const fields = isRecord(parsed) ? findErrorFields(parsed) : {}
  return toMessage(fields['message']) === '' ? undefined : fields
}

/** OpenRouter, llama.cpp and vLLM send the status as the code of an error inside a stream. */
const toStatus = (code: string) => (/^[45]\d\d$/.test(code) ? Number(code) : undefined)

const maxLoggedCharacters = 300

/**
 * What a server's message may quote of the request, of keys or of people. Applied in this order to the beginning of a message.
 * Text that is neither quoted nor in brackets stays: servers write it themselves.
 */
const removedParts: readonly [pattern: RegExp, replacement: string][] = [
  // a quotation without an end reaches to the end of the text; an apostrophe stands after a letter
  [/"[^"]*("|$)|`[^`]*(`|$)|“[^”]*(”|$)|«[^»]*(»|$)|(?<![\p{L}\p{N}])['‘][^'’]*(['’]|$)/gu, '"…"'],
  [/\{[^]*|<[a-z!/][^]*/giu, '…'],
  [/\S{1,100}@\S{1,100}/gu, '…'],
  [/https?:\/\/\S*/giu, '…'],
  // numbers of people and accounts: eight digits and more, also in groups; numbers of tokens are shorter
  [/\d(?:[ ().-]?\d){7,}/gu, '…'],
  // keys, ids and encoded text: long, and not a word
  [/(?=[\w*+/=.-]*[\d*])[\w*+/=.-]{16,}/gu, '…'],
]

/** @returns the message without what it quotes, addresses, long numbers and keys; at most 300 characters */
export function cleanServerMessage(message: string): string {
  let text = message.slice(0, 2_000)
  for (const [pattern, replacement] of removedParts) text = text.replace(pattern, replacement)
  text = text.replace(/[\s\p{C}]+/gu, ' ').trim()
  return text.length > maxLoggedCharacters ? `${text.slice(0, maxLoggedCharacters)}…` : text
}

const isMachineWord = (text: string) => /^[\w.[\]-]{1,60}$/.test(text) && !/\d{6}/.test(text)

/** A rejection for the operator's log, without content. */
export function describeRejection({ status, message, code, type = '', param }: ServerRejection): string {
  const words = Object.entries({ code, type, param }).flatMap(([name, word]) =>
    isMachineWord(word) ? [`${name} ${word}`] : [],
  )
  const head = [`the model answered ${status ?? 'with an error'}`, ...words].join(', ')
  const cleaned = cleanServerMessage(message)
  return cleaned === '' ? head : `${head}: ${cleaned}`
}
