/**
 * How an answer of the model ended:
 * - `done`: it is complete
 * - `length`: at the model's limit of length
 * - `filtered`: stopped by the server's content filter
 * - `badCall`: with a call that the server could not read
 * - `paused`: in the middle of a turn, which a second request continues
 * - `broken`, `busy`: by a fault of the server, or a lack of its capacity
 * - `unknown`: for a reason that is not known; it does not count as complete
 */
export type RoundEnd = 'done' | 'length' | 'filtered' | 'badCall' | 'paused' | 'broken' | 'busy' | 'unknown'

/** Whether an answer ended so by a fault of its server. */
export const isFault = (end: RoundEnd): boolean => end === 'broken' || end === 'busy' || end === 'badCall'

const words = (end: RoundEnd, names: string): [string, RoundEnd][] =>
  names.split(' ').map((name) => [name, end])

/**
 * Reasons by their words, as servers write them. Mistral: https://docs.mistral.ai/api (model_length); Gemini:
 * https://ai.google.dev/api/generate-content#FinishReason; Cohere: https://docs.cohere.com/reference/chat (complete); TGI: eos_token;
 * Anthropic: https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons; Bedrock:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html (guardrail_intervened, malformed_tool_use); DeepSeek:
 * https://api-docs.deepseek.com/api/create-chat-completion (insufficient_system_resource); Z.AI:
 * https://docs.z.ai/api-reference/llm/chat-completion (sensitive, network_error).
 */
const exactEnds = new Map<string, RoundEnd>([
  ...words(
    'done',
    'stop tool_calls tool_call tool_use function_call end_turn eos eos_token stop_sequence complete completed finish_reason_stop',
  ),
  ...words('length', 'length max_length model_length'),
  ...words('busy', 'insufficient_system_resource'),
  ...words('broken', 'error'),
  ...words('paused', 'pause_turn'),
])

/** Parts of reasons, for words that servers put around them: `function_call_filter: MALFORMED_FUNCTION_CALL`. */
const partialEnds: readonly [RegExp, RoundEnd][] = [
  [/malformed|unexpected_tool_call/, 'badCall'],
  [
    /content_?filter|safety|refus|prohibited|blocklist|recitation|spii|sensitive|guardrail|moderation/,
    'filtered',
  ],
  [/max_(output_|completion_)?tokens|context_window_exceeded/, 'length'],
  [/network_error/, 'broken'],
]

/** What a server's reason for the end of an answer means. */
export function toRoundEnd(reason: string): RoundEnd {
  const name = reason
    .slice(0, 200)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z]+/g, '_')
  return exactEnds.get(name) ?? partialEnds.find(([pattern]) => pattern.test(name))?.[1] ?? 'unknown'
}
