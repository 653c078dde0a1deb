import type { Coded } from './sentence.ts'
import { defineSentences } from './to-sentence.ts'

/** Why a connection has no tools, or not all of those that its server lists. */
export const toolListSentences = {
  no_tools: 'No tools yet',
  tools_not_allowed: 'Your administrator does not allow it.',
  tools_unreachable: 'Its tools could not be listed. Please try again in a moment.',
  tools_reconnect: '{name} has to be connected again to be used.',
  not_all_tools: 'Not all of its tools: {reasons, list}',
  perhaps_not_all_tools: 'Perhaps not all of its tools: {reasons, list}',
  more_reasons: '{count, number} more',
  'tools_cut.number': 'it has more than {max, number} tools',
  'tools_cut.repeated': 'its list begins again after {max, number} tools',
  'tools_cut.size': 'it says too much about its tools after {tool}',
  'tool_unusable.description': '{tool} cannot be used: it is not described as the protocol says',
  'tool_unusable.no_name': 'a tool without a name cannot be used',
  'tool_unusable.depth': '{tool} cannot be used: its description is nested too deeply',
  'tool_unusable.many': '{tool} cannot be used: its parameters are too many',
  'tool_unusable.large': '{tool} cannot be used: its parameters are too large',
  'tool_unusable.unchecked': '{tool} cannot be used: its parameters cannot be checked',
  'tool_unusable.header_place': '{tool} cannot be used: a header stands for something that is no parameter',
  'tool_unusable.header_name': '{tool} cannot be used: a header has no valid name',
  'tool_unusable.header_type':
    '{tool} cannot be used: a header stands for something else than text, integer or boolean',
  'tool_unusable.header_twice': '{tool} cannot be used: two parameters have the same header',
} as const

export const sayToolList = defineSentences(toolListSentences)

/** Whether a sentence says for sure that a server has tools which are not offered. */
export const isToolMissing = ({ code, params }: Coded) =>
  code !== 'tools_cut' || params?.['reason'] !== 'repeated'

/** What is wrong with the definition of a tool. */
export type ToolProblem =
  Extract<keyof typeof toolListSentences, `tool_unusable.${string}`> extends `tool_unusable.${infer Problem}`
    ? Exclude<Problem, 'no_name'>
    : never
