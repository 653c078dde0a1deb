import { readWait } from './reported-wait.ts'
import type { ServerRejection } from './server-rejection.ts'

export type ErrorKind =
  | 'noCredit'
  | 'spendLimit'
  | 'suspended'
  | 'policy'
  | 'memory'
  | 'loading'
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

/** An error inside a stream that names no status. */
const isUnknown = (status: number | undefined) => status === undefined
/** An error of a server's own, or one inside a stream. */
const isOfServer = (status: number | undefined) => status === undefined || status >= 500

/**
 * What the errors of servers mean, the first rule that fits. Codes and types come before words, as words are the server's to change.
 * `error-kinds.test.ts` has an error of a server, and where it was read, for each line.
 */
const rules: readonly ErrorRule[] = [
  { kind: 'badCall', word: /^tool_use_failed$/ },
  // a computer of one's own: Ollama, LM Studio, vLLM, TGI, MLX
  {
    kind: 'memory',
    status: (status) => isOfServer(status) || status === 400,
    text: /requires more (system )?memory|out of memory|not enough (gpu |system )?memory|insufficient (system )?(memory|resources)|(failed|unable) to allocate|no available memory|cudamalloc/,
  },
  // llama-server, Hugging Face, Ollama, Bedrock: a model that could not be loaded is none that loads
  { kind: 'loading', word: /^(modelnotreadyexception|model_loading)$/ },
  {
    kind: 'loading',
    status: (status) => isOfServer(status) || oneOf(409, 425, 429)(status),
    text: /^(?![^]*(error|fail|unable|cannot|could not))[^]*(\bloading (the )?model|model.{0,200}(still|currently|being) load(ing|ed)|model is loading|model.{0,200}not (yet )?ready|warming up)/,
  },
  // the account, whatever the status: 402 OpenRouter and DeepSeek, 429 OpenAI, 400 Anthropic, 403 xAI
  { kind: 'noCredit', status: oneOf(402) },
  {
    kind: 'noCredit',
    word: /^(insufficient_(quota|balance|credits|funds)(_error)?|credit_balance_exhausted|billing_(?!hard_limit)\w+|exceeded_current_quota_error|arrearage|allocationquota\.freetieronly)$/,
  },
  // Z.AI and MiniMax have numbers: https://docs.z.ai/api-reference/api-code, https://platform.minimax.io/docs/api-reference/errorcode
  { kind: 'noCredit', word: /^(1113|1309|base_resp_1008)$/ },
  {
    kind: 'spendLimit',
    word: /^(budget_exceeded|billing_hard_limit_reached|spend_limit_reached|usage_limit_(reached|exceeded)|1308|1310|base_resp_2056)$/,
  },
  {
    kind: 'noCredit',
    text: /prepay(ment)? credits are depleted|free tier of the model has been exhausted|insufficient account balance|overdue/,
  },
  {
    kind: 'spendLimit',
    text: /api usage limits?|usage limit (reached|exceeded)|(monthly|weekly|daily) usage limit|spend(ing)? (limit|cap)|budget has been exceeded|exceededbudget|key limit exceeded|(weekly|monthly).{0,20}limit exhausted|limited to \d[\d,]{0,12} api calls \/ month|billing hard limit/,
  },
  // Gemini's words about a quota are those of a rate limit
  { kind: 'busy', word: /^resource_exhausted$/ },
  {
    kind: 'noCredit',
    text: /exceeded your current quota|credit balance is too low|insufficient (balance|credits?|quota|funds)|(out of|no|all available) credits/,
  },
  {
    kind: 'spendLimit',
    status: (status) => status !== 429,
    text: /^(?![^]*per (second|minute))[^]*(\bquota\b.{0,60}\b(exceeded|exhausted|used up|reached)|(exceeded|exhausted|used up|reached).{0,60}\bquota\b)/,
  },
  {
    kind: 'suspended',
    word: /^(organization_restricted|account_deactivated|access_terminated|1110|1112|1121)$/,
  },
  {
    kind: 'suspended',
    text: /(account|organization|team).{0,80}\b(suspended|deactivated|disabled|inactive|not active|locked|banned|restricted|good standing)/,
  },
  // OpenRouter: what the account's settings allow
  {
    kind: 'policy',
    text: /(no endpoints|provider).{0,200}(data policy|privacy|guardrail)|no allowed providers|all providers have been ignored|routing requirements/,
  },
  { kind: 'region', word: /^unsupported_country_region_territory$/ },
  {
    kind: 'region',
    text: /(country|region|territory|user location)[a-z, ]{0,40} (is )?not (supported|available)|not (supported|available) in your (country|region|location)/,
  },
  {
    kind: 'retired',
    status: oneOf(400, 404, 410),
    text: /model.{0,200}(deprecated|decommissioned|retired|shut ?down|end of (its )?life|no longer (available|supported))/,
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
  {
    kind: 'effort',
    status: isAboutRequest,
    text: /(^|output_config[. ])effort\b|\beffort parameter|not support[^]{0,60}\beffort\b/,
  },
  // Anthropic: an effort as `thinking`, which some models cannot switch off, and others do not have
  {
    kind: 'effort',
    status: oneOf(400),
    text: /thinking.{0,80}(not supported|cannot be disabled)|not support.{0,40}thinking/,
  },
  // Bedrock counts the tokens of a minute in the words of a long prompt: https://github.com/jin-bo/agentao/pull/88
  {
    kind: 'busy',
    text: /too many tokens\b.{0,80}\b((please|to) wait|wait before|(per|a|this) (second|minute|hour|day))\b/,
  },
  // OpenAI's code for a text that is too long is that of an id, too
  { kind: 'refused', status: isAboutRequest, text: /\bid['"]?: string too long|_id['"]?: string too long/ },
  {
    kind: 'tooLong',
    word: /^(context_length_exceeded|context_window_exceeded|exceed_context_size_error|model_max_prompt_tokens_exceeded|request_too_large|string_above_max_length)$/,
  },
  { kind: 'tooLong', status: oneOf(413) },
  // Anthropic, with 429: https://github.com/anthropics/claude-code/issues/27252
  { kind: 'tooLong', text: /required for long.context requests/ },
  {
    kind: 'tooLong',
    status: isAboutRequest,
    text: /context (length|window|size|limit)|maximum context|maximum prompt length|(prompt|input) (is )?too long|too many tokens|(token count|tokens).{0,60}exceeds? the (maximum|limit)|exceeded model token limit|prompt exceeds max length|\bis too large to process|range of input length should be|input token count.{0,60}only supports up to|must have less than \d{1,9} tokens|than the maximum model length|exceed max message tokens|reduce the length of the (messages|prompt|input)|max_new_tokens.{0,20}must be/,
  },
  {
    kind: 'filtered',
    word: /content_filter|content_policy|^invalid_prompt$|data_?inspection|responsible_?ai|^(1301|base_resp_102[67])$/,
  },
  {
    kind: 'filtered',
    status: isAboutRequest,
    text: /content management policy|content exists risk|inappropriate content|input data may contain|(unsafe|sensitive) content|violates? (our |the )?(usage|content) (guidelines|polic)/,
  },
  { kind: 'filtered', status: oneOf(403), text: /input was flagged|content violates|failed check: safety/ },
  // AWS names its errors so: there is no key, and a permission, a signature or access to the model is missing
  { kind: 'notPermitted', status: oneOf(403), word: /exception$/ },
  {
    kind: 'notPermitted',
    status: oneOf(401, 403),
    text: /(not|n't) have access to (the )?model|not (allowed|permitted|authorized) to (use|access|call)( the| this)? model/,
  },
  {
    kind: 'notPermitted',
    word: /^(model_terms_required|model_permission_blocked_\w+|accessdenied\.unpurchased|model\.accessdenied|1220|1311)$/,
  },
  {
    kind: 'notPermitted',
    text: /must be verified to use|requires terms acceptance|use case details have not been submitted|plan does not (yet )?include access/,
  },
  // a page that another server sends says nothing about a key
  { kind: 'refused', status: oneOf(401, 403), isJson: false, text: /^\s*</ },
  { kind: 'key', status: oneOf(401, 403) },
  { kind: 'key', word: /^(invalid_?api_?key|authentication_error|base_resp_(1004|2049))$/ },
  {
    kind: 'key',
    status: oneOf(400),
    text: /api key (is )?(not valid|invalid|expired)|(invalid|incorrect|expired) api key/,
  },
  { kind: 'busy', status: oneOf(429, 498, 529) },
  {
    kind: 'busy',
    word: /rate_?limit|overloaded|throttl|too_many_requests|^slow_down$|capacity|^(130[235]|1312|base_resp_(1002|1039|1041|2045))$/,
  },
  {
    kind: 'busy',
    status: (status) => status === undefined || status >= 500,
    text: /rate.?limit|overloaded|throttl|too many requests|at capacity|server (is )?busy|maximum pending requests|high (traffic|demand)/,
  },
  { kind: 'silent', status: oneOf(408, 504, 524) },
  { kind: 'silent', word: /^(timeout_error|deadline_exceeded|modeltimeoutexception|base_resp_1001)$/ },
  {
    kind: 'unknownModel',
    status: isAboutRequest,
    word: /^(model_?not_?found|model_not_exist|1211|invalid_model|unknown_model|deploymentnotfound)$/,
  },
  {
    kind: 'unknownModel',
    status: oneOf(400, 404, 422),
    text: /invalid model name passed|model identifier is invalid|not a valid model|invalid model:|unknown model|model.{0,200}(does not exist|doesn't exist|not exist|not found|not be found|unknown)/,
  },
  { kind: 'unknownModel', status: oneOf(410) },
  { kind: 'unknownModel', status: oneOf(404), text: /\bmodel\b|deployment/ },
  { kind: 'refused', status: oneOf(404), text: /no endpoints found/ },
  { kind: 'notModelServer', status: oneOf(404, 405) },
  // inside a stream, from servers that begin it before they read the request
  { kind: 'refused', status: isUnknown, word: /^invalid[_-](request|argument)(_error)?$/ },
  {
    kind: 'refused',
    status: isUnknown,
    text: /\b(do|does|is|are)( not|n['’]t) (support|allow|accept)|\bunsupported\b|could not de(crypt|code) the/,
  },
  { kind: 'broken', status: isOfServer },
  { kind: 'refused' },
]

/** A limit of a day, which no moment lifts: https://github.com/Gitlawb/openclaude/issues/1549. */
const isOfDay = /\bper[- ]day\b|\bdaily\b/

/** @returns what a server's error means; `refused` if it is not known */
export function findErrorKind({
  status,
  message,
  code,
  type = '',
  param,
  retryAfter,
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
  if (found?.kind === 'busy' && isOfDay.test(text) && readWait({ retryAfter, message }) === undefined)
    return 'spendLimit'
  return found?.kind ?? 'refused'
}
