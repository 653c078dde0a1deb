interface Message {
  role?: unknown
  tool_calls?: unknown
  tool_call_id?: unknown
}

/**
 * OpenAI's rule for tool calls: each is followed by exactly one result, before any other message.
 * @returns OpenAI's error message when a conversation breaks the rule
 */
export function findToolMessageFault(messages: readonly Message[]): string | undefined {
  let unanswered = new Set<unknown>()
  for (const [index, { role, tool_calls, tool_call_id }] of messages.entries()) {
    if (role === 'tool') {
      if (!unanswered.delete(tool_call_id))
        // sic
        return `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. messages.[${index}]`
      continue
    }
    if (unanswered.size > 0) break
    if (role === 'assistant' && Array.isArray(tool_calls))
      unanswered = new Set(tool_calls.map((call: { id?: unknown } | null) => call?.id))
  }
  if (unanswered.size === 0) return undefined
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...unanswered].join(', ')}`
}
