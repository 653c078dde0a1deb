import { modelErrors, ModelError } from '../model-errors.ts'
import type { ServerRejection } from '../server-rejection.ts'
import type { SentTool } from './sent-tools.ts'

const maxTextCharacters = 4_000

/** OpenAI `tools[2].function.parameters`, Anthropic `tools.2.custom.input_schema`, Gemini `tools[0].function_declarations[1]`. */
const declarationPlace = /\bfunction_?declarations?(?:\[|\.)(\d{1,3})\b/gi
const toolPlace = /\btools?(?:\[|\.)(\d{1,3})\b/gi

/** The places of tools that an error names. */
export function findPlaces(text: string): number[] {
  for (const pattern of [declarationPlace, toolPlace]) {
    const places = [...text.matchAll(pattern)].map(([, place]) => Number(place))
    if (places.length > 0) return places
  }
  return []
}

const isPartOfName = (character: string | undefined) => character !== undefined && /[\w-]/.test(character)

/** Whether a text names a tool: as a word that no sentence has, or in quotation marks. */
function isNamed(name: string, text: string): boolean {
  const start = text.indexOf(name)
  const [before, after] = [text[start - 1], text[start + name.length]]
  if (start === -1 || isPartOfName(before) || isPartOfName(after)) return false
  return name.includes('_') || /["'`“‘«]/.test(before ?? '')
}

/**
 * What the error of a schema speaks of that names no tool. Moonshot: https://github.com/MoonshotAI/kimi-code/issues/2661; llama.cpp and LM
 * Studio: https://github.com/firecrawl/firecrawl/issues/4512.
 */
const isAboutSchema = (text: string) =>
  /schema|\bpropert(y|ies)\b|declaration|\bany_?of\b|\benum\b|\b(tool|function)s?\.?(function\.)?parameters\b|grammar|\bsamplers?\b/i.test(
    text,
  )
/** What may also be about the value of another part of the request. */
const mayBeAboutSchema = (text: string) =>
  /\brepetitions?\b|\bpattern\b|\bregex|regular expression/i.test(text)

/** Whether tools are refused as such, or for another reason than what they are. */
const isAboutAllTools = ({ param, message }: ServerRejection) =>
  /^(tools|tool_choice|functions)$/.test(param) ||
  /reasoning[_.]effort|tool_choice|not support(s|ed)? (the )?(tools?|functions?|tool use|tool calling|function calling)\b/i.test(
    message,
  )

/** Whether a server may have refused what is in the request. llama.cpp and LiteLLM answer some refusals with 500, others inside the stream. */
const isRefusal = ({ code, rejection }: ModelError) =>
  code === modelErrors.refused.code ||
  (code === modelErrors.broken.code && [undefined, 500].includes(rejection?.status))

const toText = ({ param, message }: ServerRejection) => `${param} ${message}`.slice(0, maxTextCharacters)

/**
 * The tools that a server names when it refuses what they are.
 * @param sent the tools of the request, in their order
 * @returns none if it names none
 */
export function findRefusedTools(error: unknown, sent: readonly SentTool[]): SentTool[] {
  if (!(error instanceof ModelError) || !error.rejection || !isRefusal(error)) return []
  const text = toText(error.rejection)
  const placed = findPlaces(text).flatMap((place) => sent[place] ?? [])
  return placed.length > 0 ? [...new Set(placed)] : sent.filter(({ name }) => isNamed(name, text))
}

/** Whether a server has refused a schema, or a grammar that it makes of one. */
export const isSchemaRefusal = (error: unknown): boolean =>
  error instanceof ModelError &&
  error.rejection !== undefined &&
  isRefusal(error) &&
  isAboutSchema(toText(error.rejection)) &&
  !isAboutAllTools(error.rejection)

/**
 * The tools that may be the reason of a refusal that names none: all that can be sent in a simpler form; then, if that was refused too,
 * those of servers that the product does not write.
 * @param isExplained whether the error names another part of the request
 * @param isLast whether nothing is left to try that no reply misses
 * @returns none if the error is about something else
 */
export function findSuspectedTools(
  error: unknown,
  sent: readonly SentTool[],
  { isExplained, isLast }: { isExplained: boolean; isLast: boolean },
): SentTool[] {
  if (!(error instanceof ModelError) || !error.rejection || !isRefusal(error)) return []
  const isOfSchema = isSchemaRefusal(error)
  if (isAboutAllTools(error.rejection) || (isExplained && !isOfSchema)) return []
  const simpler = sent.filter(({ next }) => next === 'simple')
  if (simpler.length > 0) return simpler
  // a fault of the server may be over in a moment, so that words have to say more
  const isRefused = error.code === modelErrors.refused.code
  const mayOmit = isOfSchema || (isLast && (isRefused || mayBeAboutSchema(toText(error.rejection))))
  return mayOmit ? sent.filter(({ isForeign }) => isForeign) : []
}
