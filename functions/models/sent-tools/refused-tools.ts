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

/** What the error of a schema speaks of that names no tool; Moonshot: https://github.com/MoonshotAI/kimi-code/issues/2661. */
const isAboutSchema = (text: string) =>
  /schema|\bpropert(y|ies)\b|declaration|\bany_?of\b|\benum\b|\b(tool|function)s?\.?(function\.)?parameters\b/i.test(
    text,
  )

/** Whether tools are refused as such, or for another reason than what they are. */
const isAboutAllTools = ({ param, message }: ServerRejection) =>
  /^(tools|tool_choice|functions)$/.test(param) ||
  /reasoning[_.]effort|tool_choice|not support(s|ed)? (the )?(tools?|functions?|tool use|tool calling|function calling)\b/i.test(
    message,
  )

/**
 * Which tools a server has refused for what they are: those that it names or, if it speaks of a schema and names none, all that can be sent
 * in a simpler form.
 * @param sent the tools of the request, in their order
 * @returns none if the error is about something else
 */
export function findRefusedTools(error: unknown, sent: readonly SentTool[]): SentTool[] {
  if (!(error instanceof ModelError) || !error.rejection) return []
  const { code, rejection } = error
  const { status = 0, message, param } = rejection
  // LiteLLM answers some refusals of the server behind it with 500
  const isRefusal = code === modelErrors.refused.code || (status >= 500 && code === modelErrors.broken.code)
  if (!isRefusal) return []
  const text = `${param} ${message}`.slice(0, maxTextCharacters)
  const placed = findPlaces(text).flatMap((place) => sent[place] ?? [])
  if (placed.length > 0) return [...new Set(placed)]
  const named = sent.filter(({ name }) => isNamed(name, text))
  if (named.length > 0) return named
  if (status >= 500 || !isAboutSchema(text) || isAboutAllTools(rejection)) return []
  return sent.filter(({ next }) => next === 'simple')
}
