import { expect, it } from 'vitest'
import { toRoundEnd, type RoundEnd } from './round-end.ts'

it.each<[RoundEnd, string]>([
  [
    'done',
    'stop STOP FinishReason.STOP tool_calls tool-calls toolUse function_call end_turn eos_token COMPLETE stop_sequence',
  ],
  [
    'length',
    'length max_tokens MAX_TOKENS MaxTokens max_output_tokens model_length model_context_window_exceeded max_length',
  ],
  [
    'filtered',
    'content_filter content-filter contentFilter CONTENT_FILTERED SAFETY FinishReason.SAFETY IMAGE_SAFETY PROHIBITED_CONTENT RECITATION BLOCKLIST SPII refusal sensitive guardrail_intervened',
  ],
  // pydantic/pydantic-ai#3300, agno-agi/agno#5628, trpc-group/trpc-agent-go#1427
  [
    'badCall',
    'function_call_filter:MALFORMED_FUNCTION_CALL MALFORMED_FUNCTION_CALL malformed_tool_use UNEXPECTED_TOOL_CALL',
  ],
  ['paused', 'pause_turn'],
  ['busy', 'insufficient_system_resource'],
  ['broken', 'network_error'],
  ['unknown', 'OTHER LANGUAGE abort unstoppable toString'],
])('an answer is %s that ends with one of: %s', (end, reasons) => {
  for (const reason of reasons.split(' ')) expect([reason, toRoundEnd(reason)]).toEqual([reason, end])
})
