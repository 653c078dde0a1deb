import type { ServerRejection } from './server-rejection.ts'

export type ErrorKind =
  | 'noCredit'
  | 'region'
  | 'retired'
  | 'effort'
  | 'tooLong'
  | 'filtered'
  | 'notPermitted'
  | 'key'
  | 'busy'
  | 'silent'
  | 'badCall'
  | 'unknownModel'
  | 'notModelServer'
  | 'broken'
  | 'refused'

/** What a rejection has to have for a kind: all that the rule names. */
interface ErrorRule {
  kind: ErrorKind
  /** whether the status fits; undefined is an error inside a stream that names none */
  status?: (status: number | undefined) => boolean
  /** of the code or the type, in lower case */
  word?: RegExp
  param?: RegExp
  /** of the message, in lower case */
  text?: RegExp
  isJson?: boolean
}

const oneOf =
  (...statuses: number[]) =>
  (status: number | undefined) =>
    status !== undefined && statuses.includes(status)
/** A request that the server did not accept for what is in it, or an error inside a stream. */
const isAboutRequest = (status: number | undefined) =>
  status === undefined || ![401, 403, 408, 429].includes(status)

/**
 * What the errors of servers mean, the first rule that fits. Codes and types come before words, as words are the server's to change.
 * `error-kinds.test.ts` has an error of a server, and where it was read, for each line.
 */
const rules: readonly ErrorRule[] = [
  { kind: 'badCall', word: /^tool_use_failed$/ },
  // the account, whatever the status: 402 OpenRouter and DeepSeek, 429 OpenAI, 400 Anthropic, 403 xAI
  { kind: 'noCredit', status: oneOf(402) },
  {
    kind: 'noCredit',
    word: /^(insufficient_(quota|balance|credits|funds)|credit_balance_exhausted|billing_\w+|exceeded_current_quota_error)$/,
  },
  // Gemini's words about a quota are those of a rate limit
  { kind: 'busy', word: /^resource_exhausted$/ },
  {
    kind: 'noCredit',
    text: /exceeded your current quota|credit balance is too low|insufficient (balance|credits?|quota|funds)|(out of|no|all available) credits|billing hard limit/,
  },
  { kind: 'region', word: /^unsupported_country_region_territory$/ },
  {
    kind: 'region',
    text: /(country|region|territory|user location)[a-z, ]{0,40} (is )?not (supported|available)|not (supported|available) in your (country|region|location)/,
  },
  {
    kind: 'retired',
    status: oneOf(400, 404, 410),
    text: /model.{0,200}(deprecated|retired|shut ?down|end of (its )?life|no longer (available|supported))/,
  },
  {
    kind: 'effort',
    status: isAboutRequest,
    param: /^(reasoning_effort|reasoning\.effort|output_config\.effort)$/,
  },
  {
    kind: 'effort',
    status: isAboutRequest,
    text: /(unrecognized|unsupported|unknown|invalid|not support)[^]{0,200}reasoning[_.]?effort/,
  },
  // Anthropic: an effort as `thinking`, which some models cannot switch off, and others do not have
  {
    kind: 'effort',
    status: oneOf(400),
    text: /thinking.{0,80}(not supported|cannot be disabled)|not support.{0,40}thinking/,
  },
  {
    kind: 'tooLong',
    word: /^(context_length_exceeded|context_window_exceeded|exceed_context_size_error|model_max_prompt_tokens_exceeded|request_too_large|string_above_max_length)$/,
  },
  { kind: 'tooLong', status: oneOf(413) },
  {
    kind: 'tooLong',
    status: isAboutRequest,
    text: /context (length|window|size|limit)|maximum context|maximum prompt length|(prompt|input) (is )?too long|too many tokens|(token count|tokens).{0,60}exceeds? the (maximum|limit)|exceeded model token limit|prompt exceeds max length|reduce the length of the (messages|prompt|input)|max_new_tokens.{0,20}must be/,
  },
  {
    kind: 'filtered',
    word: /content_filter|content_policy|^invalid_prompt$|data_?inspection|responsible_?ai/,
  },
  {
    kind: 'filtered',
    status: isAboutRequest,
    text: /content management policy|content exists risk|inappropriate content|input data may contain/,
  },
  { kind: 'filtered', status: oneOf(403), text: /input was flagged/ },
  // AWS names its errors so: there is no key, and a permission, a signature or access to the model is missing
  { kind: 'notPermitted', status: oneOf(403), word: /exception$/ },
  {
    kind: 'notPermitted',
    status: oneOf(401, 403),
    text: /(not|n't) have access to (the )?model|not (allowed|permitted|authorized) to (use|access|call)( the| this)? model/,
  },
  // a page that another server sends says nothing about a key
  { kind: 'refused', status: oneOf(401, 403), isJson: false, text: /^\s*</ },
  { kind: 'key', status: oneOf(401, 403) },
  { kind: 'key', word: /^(invalid_api_key|authentication_error)$/ },
  { kind: 'key', status: oneOf(400), text: /api key not valid/ },
  { kind: 'busy', status: oneOf(429, 498, 529) },
  {
    kind: 'busy',
    word: /rate_?limit|overloaded|throttl|too_many_requests|^slow_down$|capacity/,
  },
  {
    kind: 'busy',
    status: (status) => status === undefined || status >= 500,
    text: /rate.?limit|overloaded|throttl|too many requests|at capacity/,
  },
  { kind: 'silent', status: oneOf(408, 504, 524) },
  {
    kind: 'unknownModel',
    status: isAboutRequest,
    word: /^(model_not_found|model_not_exist|invalid_model|unknown_model|deploymentnotfound)$/,
  },
  {
    kind: 'unknownModel',
    status: oneOf(400, 404, 422),
    text: /invalid model name passed|not a valid model|invalid model:|unknown model|model.{0,200}(does not exist|doesn't exist|not exist|not found|not be found|unknown)/,
  },
  { kind: 'unknownModel', status: oneOf(410) },
  { kind: 'unknownModel', status: oneOf(404), text: /\bmodel\b|deployment/ },
  { kind: 'refused', status: oneOf(404), text: /no endpoints found/ },
  { kind: 'notModelServer', status: oneOf(404, 405) },
  { kind: 'broken', status: (status) => status === undefined || status >= 500 },
  { kind: 'refused' },
]

/** @returns what a server's error means; `refused` if it is not known */
export function findErrorKind({
  status,
  message,
  code,
  type = '',
  param,
  isJson = true,
}: ServerRejection): ErrorKind {
  const text = message.slice(0, 4_000).toLowerCase()
  const words = [code.toLowerCase(), type.toLowerCase()]
  const found = rules.find(
    (rule) =>
      (rule.status?.(status) ?? true) &&
      (rule.word === undefined || words.some((word) => rule.word?.test(word))) &&
      (rule.param?.test(param) ?? true) &&
      (rule.text?.test(text) ?? true) &&
      (rule.isJson === undefined || rule.isJson === isJson),
  )
  return found?.kind ?? 'refused'
}
