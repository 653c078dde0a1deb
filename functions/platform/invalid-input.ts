import type * as z from 'zod'
import type { invalidInputSentences } from '#shared/sentences/invalid-inputs.ts'
import type { Params, Sentence } from '#shared/sentences/sentence.ts'

type Reason = keyof typeof invalidInputSentences extends infer Id
  ? Id extends `invalid_input.${infer One}`
    ? One
    : never
  : never

/** @param text what the library says, which is the sentence in English */
export const sayInvalidInput = (reason: Reason, text: string, params?: Params): Sentence => ({
  code: 'invalid_input',
  params: { reason, ...params },
  text,
})

const maxValueCharacters = 100

function findValue(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path)
    value =
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined
  return value
}

const hasSize = (origin: string) => origin === 'array' || origin === 'set' || origin === 'map'

function sayBound(bound: 'max' | 'min', origin: string, limit: number | bigint, message: string): Sentence {
  const unit = origin === 'string' ? 'characters' : hasSize(origin) ? 'entries' : 'number'
  return sayInvalidInput(`${bound}_${unit}`, message, { [bound]: Number(limit) })
}

/** A problem that a schema of ours adds has its sentence in `params.sentence`. */
const findOwnSentence = (params: Record<string, unknown> | undefined) =>
  params?.['sentence'] as Sentence | undefined

function sayProblem(issue: z.core.$ZodIssue, input: unknown): Sentence {
  const { code, message, path } = issue
  switch (code) {
    case 'invalid_type':
      return sayInvalidInput(findValue(input, path) === undefined ? 'missing' : 'type', message)
    case 'invalid_value':
      return sayInvalidInput('choice', message)
    case 'too_big':
      return sayBound('max', issue.origin, issue.maximum, message)
    case 'too_small':
      return sayBound('min', issue.origin, issue.minimum, message)
    case 'unrecognized_keys':
      return sayInvalidInput('unknown', message, {
        fields: issue.keys.slice(0, 10).map((key) => key.slice(0, maxValueCharacters)),
      })
    case 'invalid_format': {
      const value = findValue(input, path)
      return issue.format === 'email' && typeof value === 'string'
        ? sayInvalidInput('email', message, { value: value.slice(0, maxValueCharacters) })
        : sayInvalidInput(issue.format === 'url' ? 'url' : 'format', message)
    }
    case 'custom':
      return findOwnSentence(issue.params) ?? sayInvalidInput('other', message)
    default:
      return sayInvalidInput('other', message)
  }
}

/** Says a problem of a checked input, with where it is: `messages.0.role: Invalid option`. */
export function sayIssue(issue: z.core.$ZodIssue, input: unknown): Sentence {
  const problem = sayProblem(issue, input)
  if (issue.path.length === 0) return problem
  const field = issue.path.join('.').slice(0, maxValueCharacters)
  const text = problem.text.slice(0, 200)
  return sayInvalidInput('at', `${field}: ${text}`, { field, problem })
}
